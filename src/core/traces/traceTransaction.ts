import type { AbiLookup } from '../abi/candidates.ts';
import { type PrefetchSelectors, prefetchUnknownSelectors } from '../abi/explainData.ts';
import { explainCalldata } from '../abi/explainHex.ts';
import type { LogDecoder } from '../abi/logDecoder.ts';
import type { Abortable } from '../base/concurrency.ts';
import { asAppError, toMessage } from '../base/errors.ts';
import { createMessage, formatMessage, type Message } from '../base/text.ts';
import type { SliceOptions, TimeSlices } from '../base/timeSlices.ts';
import { asList, isRecord } from '../base/values.ts';
import type { Address, Hex } from '../eth/hex.ts';
import { findKnownAddress } from '../identity/knownAddresses.ts';
import type { ContractIndex } from '../project/index/contractIndex.ts';
import type { ProjectFiles } from '../project/projectFiles.ts';
import { MAX_SOURCE_CHARS } from '../project/source/declarations.ts';
import { explainRevert } from '../transactions/explainTransaction.ts';
import type { Transaction } from '../transactions/transaction.ts';
import {
  type CallFrame,
  isCreation,
  iterateFrames,
  type SimulatedCall,
  type Trace,
  type TraceMethod,
} from './callFrame.ts';
import { type ExplainedFrame, explainTrace, type Receiver } from './explainTrace.ts';
import { describeUnknownCode, type FailedAt, findFailedAt } from './failedAt.ts';
import type { TraceReader } from './fetchTrace.ts';
import { type FoundBuild, findBuild } from './findBuilds.ts';
import { type ContractBuild, createBuildReader } from './readBuilds.ts';
import { type FrameJson, traceToJson } from './traceJson.ts';

/** What a transaction did, call by call; or a sentence that says why that is unknown. */
export type TransactionTrace =
  | {
      readonly state: 'told';
      readonly root: ExplainedFrame;
      /** Why calls are missing. */
      readonly cutReason: Message | undefined;
      /** Why it may differ from what happened: it contradicts the receipt, or calls in it are malformed. */
      readonly reasons?: readonly Message[];
      /** Whether the endpoint tells the logs of each call. */
      readonly hasLogs: boolean;
      readonly method: TraceMethod;
      /** Undefined if it did not fail, and without a project. */
      readonly failedAt: FailedAt | undefined;
    }
  | { readonly state: 'notOffered'; readonly reason: Message };

export interface TraceOptions extends Abortable {
  readonly client: TraceReader;
  readonly lookup: AbiLookup;
  readonly decoder: LogDecoder;
  /** 0 if unknown. */
  readonly chainId: number;
  readonly index: Pick<ContractIndex, 'contractOf' | 'contracts' | 'deploymentsAt'> | undefined;
  /** The files of the index; undefined if no source can be read. */
  readonly files: Pick<ProjectFiles, 'list' | 'read'> | undefined;
  /** Fetches verified ABIs, if a provider for them is allowed. */
  readonly prefetchAbis: (addresses: readonly Address[]) => Promise<unknown>;
  /** Of called functions and errors that no ABI explains. */
  readonly prefetchSelectors?: PrefetchSelectors | undefined;
  readonly slices: TimeSlices;
}

/**
 * Traces a mined transaction, or a call that the node simulates, and decodes each call. If it failed, finds the line
 * of the project.
 *
 * @throws AppError `aborted` only: any other error is a reason.
 * @example
 * const trace = await traceTransaction(transaction, { client, lookup, decoder, index, chainId: 1, prefetchAbis, slices });
 * if (trace.state === 'told') show(trace.root.calls);
 */
export async function traceTransaction(
  traced: Transaction | SimulatedCall,
  options: TraceOptions,
): Promise<TransactionTrace> {
  if (getStateBlock(traced) === undefined)
    return { state: 'notOffered', reason: createMessage('The transaction is in no block yet.') };
  try {
    const trace = await options.client.fetchTrace(traced, { signal: options.signal });
    return trace.state === 'told' ? await explain(trace, traced, options) : trace;
  } catch (cause) {
    const error = asAppError(cause);
    if (error.kind === 'aborted' || error.kind === 'internal') throw error;
    return { state: 'notOffered', reason: toMessage(error) };
  }
}

/** After which block the code is read. */
function getStateBlock(traced: Transaction | SimulatedCall): bigint | undefined {
  return 'after' in traced ? traced.after : traced.block;
}

const NO_POSITION = { block: undefined, position: undefined, logs: undefined } as const;

async function explain(
  { root, cutReason, reasons, hasLogs: mayHaveLogs, method }: Extract<Trace, { readonly state: 'told' }>,
  traced: Transaction | SimulatedCall,
  options: TraceOptions,
): Promise<TransactionTrace> {
  const { slices, signal } = options;
  const frames = await listFrames(root, options);
  const addresses = listCodeAddresses(frames);
  await slices.rest({ signal });
  await options.prefetchAbis(addresses.slice(0, MAX_CONTRACTS));
  await prefetchUnknownSelectors(listData(frames), options);
  await slices.rest({ signal });
  const deployed = findDeployedNames(addresses, options);
  const finder = await openBuildFinder({ frames, addresses, block: getStateBlock(traced) }, options);
  const contracts = new Map([...(await finder.findNames()), ...deployed]);
  const receivers = await finder.findReceivers();
  const transaction = 'after' in traced ? NO_POSITION : traced;
  // Some servers have the tracer, but not its logs.
  const hasNone = (transaction.logs?.length ?? 0) > 0 && !frames.some(({ logs }) => logs.length > 0);
  const hasLogs = mayHaveLogs && !hasNone;
  const explained = await explainTrace(root, { ...options, transaction, contracts, receivers });
  // If the inner calls are unknown, the failure may have come from any contract.
  const find =
    method === 'eth_call' || method === 'internalTransactions' ? async () => undefined : finder.find;
  const isCut = cutReason !== undefined;
  const failedAt = await findFailure({ root, isCut, explained, traced, find }, options);
  return {
    ...{ state: 'told', root: explained, cutReason, hasLogs, method, failedAt },
    ...(reasons && { reasons }),
  };
}

/** All frames, each before those that it called. */
async function listFrames(root: CallFrame, { slices, signal }: SliceOptions): Promise<readonly CallFrame[]> {
  const frames: CallFrame[] = [];
  for (const { frame } of iterateFrames(root)) {
    frames.push(frame);
    if (slices.isOver()) await slices.rest({ signal });
  }
  return frames;
}

/** Contracts whose code or ABI is fetched; a trace has rarely more than thirty. */
const MAX_CONTRACTS = 50;

/** The addresses whose code ran or was created, in the order of the calls. */
function listCodeAddresses(frames: readonly CallFrame[]): readonly Address[] {
  const found = new Set<Address>();
  for (const frame of frames) {
    if (frame.to && frame.type !== 'SELFDESTRUCT' && (isCreation(frame) || !isPlainTransfer(frame)))
      found.add(frame.to);
  }
  return [...found];
}

/** The revert data of all calls, then their calldata; that of precompiles has no selector. */
function listData(frames: readonly CallFrame[]): readonly Hex[] {
  const failed = frames.filter(({ error }) => error !== undefined);
  const calls = frames.filter(
    (frame) => frame.to && !isCreation(frame) && frame.type !== 'SELFDESTRUCT' && !findKnownAddress(frame.to),
  );
  return [...failed.map(({ output }) => output), ...calls.map(({ input }) => input)];
}

/** Whether nothing tells that the account has code. */
function isPlainTransfer({ input, error, calls, logs }: CallFrame): boolean {
  return input === '0x' && error === undefined && calls.length === 0 && logs.length === 0;
}

function findDeployedNames(
  addresses: readonly Address[],
  { index, chainId }: Pick<TraceOptions, 'chainId' | 'index'>,
): Map<Address, string> {
  const names = addresses.flatMap((address) => {
    const [deployment] = index?.deploymentsAt(address, chainId) ?? [];
    return deployment?.contract === undefined ? [] : [[address, deployment.contract] as const];
  });
  return new Map(names);
}

interface BuildFinder {
  /** The contracts of the project by their code. */
  findNames(): Promise<ReadonlyMap<Address, string>>;
  /** What takes calls without data, by the ABIs of the builds. */
  findReceivers(): Promise<ReadonlyMap<Address, Receiver>>;
  find(frame: CallFrame): Promise<FoundBuild | undefined>;
}

/** Finds the builds of a trace by the code that ran. Sends one request, and only if there is a project. */
async function openBuildFinder(
  {
    frames,
    addresses,
    block,
  }: {
    readonly frames: readonly CallFrame[];
    readonly addresses: readonly Address[];
    readonly block: bigint | undefined;
  },
  { client, index, files, lookup, chainId, slices, signal }: TraceOptions,
): Promise<BuildFinder> {
  if (!index || !files) {
    const findNone = async () => new Map();
    return { findNames: findNone, findReceivers: findNone, find: async () => undefined };
  }
  const builds = createBuildReader(files);
  const context = { contracts: index.contracts, builds, slices, signal };
  const created = listCreatedCodes(frames);
  const missing = addresses.filter((address) => !created.has(address)).slice(0, MAX_CONTRACTS);
  const fetchCodes = async (contracts: readonly Address[]) =>
    (await client.fetchCodes(contracts, block, { signal }).catch(ignoreFailure)) ?? [];
  const codes = new Map([...(await fetchCodes(missing)), ...created]);
  const delegates = [...codes].flatMap(([address, code]) => {
    const delegate = DELEGATION.exec(code)?.[1];
    return delegate === undefined ? [] : [[address, `0x${delegate}` as Address] as const];
  });
  const delegated = new Map(delegates.length > 0 ? await fetchCodes(delegates.map(([, to]) => to)) : []);
  for (const [address, delegate] of delegates) codes.set(address, delegated.get(delegate) ?? '0x');
  const found = new Map<Address | CallFrame, Promise<FoundBuild | undefined>>();
  const inputs = new Map<Address, CallFrame>();
  for (const frame of frames) {
    if (frame.to && !inputs.has(frame.to)) inputs.set(frame.to, frame);
  }

  const findAt = (address: Address) => {
    const input = inputs.get(address)?.input ?? '0x';
    const [call] = explainCalldata(input, { lookup, at: { address, chainId } });
    const likely = index.deploymentsAt(address, chainId).flatMap((each) => index.contractOf(each) ?? []);
    const code = codes.get(address) ?? '0x';
    return findBuild({ kind: 'runtime', code, likely, function: call?.item.name }, context);
  };
  const findCreated = ({ input: code }: CallFrame) =>
    findBuild({ kind: 'creation', code, likely: [], function: undefined }, context);

  async function findOfBuilds<T>(pick: (build: ContractBuild) => T | undefined) {
    const found = new Map<Address, T>();
    for (const address of addresses.slice(0, MAX_CONTRACTS)) {
      const frame = inputs.get(address);
      const build = frame && (await finder.find(frame));
      const value = build?.isOnly ? pick(build.build) : undefined;
      if (value !== undefined) found.set(address, value);
    }
    return found;
  }

  const finder: BuildFinder = {
    find(frame) {
      const key = isCreation(frame) ? frame : frame.to;
      if (key === undefined) return Promise.resolve(undefined);
      const finding = found.get(key) ?? (typeof key === 'string' ? findAt(key) : findCreated(key));
      found.set(key, finding);
      return finding;
    },
    findNames: () => findOfBuilds(({ contract }) => contract.name),
    findReceivers: () => findOfBuilds(({ rawAbi }) => findReceiver(rawAbi)),
  };
  return finder;
}

/** A contract without a receive function takes coins by its fallback function. */
function findReceiver(abi: unknown): Receiver | undefined {
  const types = asList(abi).map((entry) => (isRecord(entry) ? entry.type : undefined));
  if (types.includes('receive')) return 'receive()';
  return types.includes('fallback') ? 'fallback()' : undefined;
}

/** The code of an account that runs that of a contract (EIP-7702). */
const DELEGATION = /^0xef0100([0-9a-f]{40})$/;

/** The code of contracts that the transaction itself created: if it failed, the chain does not have it. */
function listCreatedCodes(frames: readonly CallFrame[]): ReadonlyMap<Address, Hex> {
  const codes = new Map<Address, Hex>();
  for (const frame of frames) {
    if (isCreation(frame) && frame.to && frame.error === undefined) codes.set(frame.to, frame.output);
  }
  return codes;
}

async function findFailure(
  {
    root,
    isCut,
    explained,
    traced,
    find,
  }: {
    readonly root: CallFrame;
    readonly isCut: boolean;
    readonly explained: ExplainedFrame;
    readonly traced: Transaction | SimulatedCall;
    readonly find: BuildFinder['find'];
  },
  { client, index, files, lookup, chainId, slices, signal }: TraceOptions,
): Promise<FailedAt | undefined> {
  if (root.error === undefined || !index || !files) return undefined;
  const names = new Map<CallFrame, string>();
  for (let next: ExplainedFrame | undefined = explained; next; next = next.calls.at(-1)) {
    if (next.call) names.set(next.frame, next.call.item.name);
  }
  return findFailedAt(root, {
    isCut,
    steps: await client.fetchSteps(traced, { signal }).catch(ignoreFailure),
    findBuild: find,
    getFunctionName: (frame) => names.get(frame),
    getContractName({ to }) {
      const contracts = to ? index.deploymentsAt(to, chainId).map(index.contractOf) : [];
      return contracts.find((contract) => contract !== undefined)?.name;
    },
    explainRevert: ({ output: data, to }) =>
      explainRevert({ data, isCut: false }, lookup, to && { address: to, chainId }),
    contracts: index.contracts,
    async readSource(path) {
      const bytes = await files.read(path, MAX_SOURCE_CHARS);
      return bytes && new TextDecoder().decode(bytes);
    },
    ...{ slices, signal },
  });
}

/** Without steps there are candidates. */
function ignoreFailure(cause: unknown): undefined {
  const error = asAppError(cause);
  if (error.kind === 'aborted' || error.kind === 'internal') throw error;
  return undefined;
}

/** {@link FailedAt} with the reasons why lines are unknown. */
type FailedAtJson = Omit<FailedAt, 'unknownCode' | 'why'> & {
  /** Why the innermost call failed, where revert data does not say so. */
  readonly reason?: string;
  readonly unknownCode?: readonly {
    readonly address: Address | null;
    readonly contract?: string;
    readonly reason: string;
  }[];
};

function failedAtToJson({ unknownCode, why, ...place }: FailedAt): FailedAtJson {
  const failedAt = { ...place, ...(why && { reason: formatMessage(why) }) };
  if (!unknownCode) return failedAt;
  const reasons = unknownCode.map(({ address, contract }) => ({
    address: address ?? null,
    ...(contract !== undefined && { contract }),
    reason: formatMessage(describeUnknownCode({ address, contract }, address ?? '')),
  }));
  return { ...failedAt, unknownCode: reasons };
}

/** What a trace adds to a transaction as JSON. */
type TransactionTraceJson =
  | {
      readonly trace: FrameJson;
      readonly tracedBy: TraceMethod;
      readonly isTraceCut?: true;
      /** Why calls are missing, and why the trace may differ from what happened. */
      readonly reason?: string;
      readonly failedAt?: FailedAtJson;
    }
  | { readonly trace: null; readonly reason: string };

/**
 * A trace as JSON, to stand beside the members of a transaction.
 *
 * @example transactionTraceToJson({ state: 'notOffered', reason: createMessage('No.') }) // { trace: null, reason: 'No.' }
 */
export function transactionTraceToJson(trace: TransactionTrace): TransactionTraceJson {
  if (trace.state === 'notOffered') return { trace: null, reason: formatMessage(trace.reason) };
  const { root, hasLogs, cutReason, reasons = [], method: tracedBy, failedAt } = trace;
  const all = [...(cutReason ? [cutReason] : []), ...reasons];
  return {
    trace: traceToJson(root, hasLogs),
    tracedBy,
    ...(cutReason !== undefined && { isTraceCut: true }),
    ...(all.length > 0 && { reason: all.map(formatMessage).join(' ') }),
    ...(failedAt && { failedAt: failedAtToJson(failedAt) }),
  };
}
