import type { AbiLookup } from '../abi/candidates.ts';
import type { LogDecoder } from '../abi/logDecoder.ts';
import type { Abortable } from '../base/concurrency.ts';
import { asAppError } from '../base/errors.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import type { Address } from '../eth/hex.ts';
import type { ContractIndex } from '../project/index/contractIndex.ts';
import type { Transaction } from '../transactions/transaction.ts';
import { type CallFrame, isCreation, iterateFrames, type Trace } from './callFrame.ts';
import { type ExplainedFrame, explainTrace } from './explainTrace.ts';
import type { TraceReader } from './fetchTrace.ts';
import { type FrameJson, traceToJson } from './traceJson.ts';

/** What a transaction did, call by call; or why that is unknown, in words. */
export type TransactionTrace =
  | {
      readonly state: 'told';
      readonly root: ExplainedFrame;
      readonly isCut: boolean;
      /** Whether the endpoint tells the logs of each call. */
      readonly hasLogs: boolean;
    }
  | { readonly state: 'notOffered'; readonly reason: string };

interface TraceOptions extends Abortable {
  readonly client: TraceReader;
  readonly lookup: AbiLookup;
  readonly decoder: LogDecoder;
  /** 0 if unknown. */
  readonly chainId: number;
  readonly index: Pick<ContractIndex, 'contractOf' | 'contracts' | 'deploymentsAt'> | undefined;
  /** Fetches verified ABIs, if a provider for them is allowed. */
  readonly prefetchAbis: (addresses: readonly Address[]) => Promise<unknown>;
  readonly slices: TimeSlices;
}

/**
 * Traces a mined transaction and decodes each call.
 *
 * @throws AppError `aborted` only: any other error is a reason.
 * @example
 * const trace = await traceTransaction(transaction, { client, lookup, decoder, index, chainId: 1, prefetchAbis, slices });
 * if (trace.state === 'told') show(trace.root.calls);
 */
export async function traceTransaction(
  transaction: Transaction,
  options: TraceOptions,
): Promise<TransactionTrace> {
  if (transaction.block === undefined)
    return { state: 'notOffered', reason: 'The transaction is in no block yet.' };
  try {
    const trace = await options.client.fetchTrace(transaction, { signal: options.signal });
    return trace.state === 'told' ? await explain(trace, transaction, options) : trace;
  } catch (cause) {
    const error = asAppError(cause);
    if (error.kind === 'aborted' || error.kind === 'internal') throw error;
    return { state: 'notOffered', reason: error.message };
  }
}

async function explain(
  { root, isCut, hasLogs }: Extract<Trace, { readonly state: 'told' }>,
  transaction: Transaction,
  options: TraceOptions,
): Promise<TransactionTrace> {
  const addresses = listCodeAddresses(root);
  await options.prefetchAbis(addresses.slice(0, MAX_CONTRACTS));
  const contracts = findDeployedNames(addresses, options);
  const explained = await explainTrace(root, { ...options, transaction, contracts });
  return { state: 'told', root: explained, isCut, hasLogs };
}

/** Contracts whose code or ABI is fetched; a trace has rarely more than thirty. */
const MAX_CONTRACTS = 50;

/** The addresses whose code ran or was created, in the order of the calls. */
function listCodeAddresses(root: CallFrame): readonly Address[] {
  const found = new Set<Address>();
  for (const { frame } of iterateFrames(root)) {
    if (frame.to && frame.type !== 'SELFDESTRUCT' && (isCreation(frame) || frame.input !== '0x'))
      found.add(frame.to);
  }
  return [...found];
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

/** What a trace adds to a transaction as JSON. */
type TransactionTraceJson =
  | { readonly trace: FrameJson; readonly isTraceCut?: true }
  | { readonly trace: null; readonly reason: string };

/**
 * A trace as JSON, to stand beside the members of a transaction.
 *
 * @example transactionTraceToJson({ state: 'notOffered', reason: 'No.' }) // { trace: null, reason: 'No.' }
 */
export function transactionTraceToJson(trace: TransactionTrace): TransactionTraceJson {
  if (trace.state === 'notOffered') return { trace: null, reason: trace.reason };
  return { trace: traceToJson(trace.root, trace.hasLogs), ...(trace.isCut && { isTraceCut: true }) };
}
