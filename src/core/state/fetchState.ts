import type { Clock } from '../base/clock.ts';
import type { Abortable } from '../base/concurrency.ts';
import { type AppError, asAppError, isAppError, toMessage } from '../base/errors.ts';
import { judge } from '../base/judgement.ts';
import { createMessage, type Message } from '../base/text.ts';
import { createTimeSlices } from '../base/timeSlices.ts';
import type { ChainClient } from '../client/chainClient.ts';
import type { Address, Hex } from '../eth/hex.ts';
import { findUnprovableRange, type LogProof } from '../logs/proof/logProof.ts';
import type { ProofOptions } from '../logs/proof/proveLogs.ts';
import { createLogFilter, type DeploymentBlock, type LogFilter } from '../logs/query/filter.ts';
import type { LoadRestOptions } from '../logs/query/logQuery.ts';
import { describeReasons, type Verdict, withProof } from '../logs/query/verdict.ts';
import { createLogStore, type LogStore } from '../logs/store/logStore.ts';
import { readOneBlock } from '../reads/oneBlock.ts';
import { createAllowancesReader } from './allowances.ts';
import { describeBlock } from './calledRoles.ts';
import type { ContractState, StateKind, StateQuery, StateRow, StateVerdict } from './contractState.ts';
import { createHoldersReader } from './holders.ts';
import type { FindRoleNames } from './roleNames.ts';
import { createRolesReader } from './roles.ts';
import { checkUnknownCalls, createStateCall } from './stateCalls.ts';
import type { ExpectedRow, ReaderContext, StateComparison, StateReader } from './stateReader.ts';

export interface StateDeps {
  readonly client: StateClient;
  readonly clock: Clock;
  /** Where a contract was created, as a file of the project says; undefined if none does. */
  readonly findDeployment?: ((address: Address) => DeploymentBlock | undefined) | undefined;
  /** Finds the names of roles. */
  readonly findRoleNames?: FindRoleNames | undefined;
}

export type StateClient = Pick<
  ChainClient,
  | 'callAtBlock'
  | 'fetchProxy'
  | 'fetchTokenUnits'
  | 'getBlockHash'
  | 'getBlockNumber'
  | 'getCode'
  | 'openLogQuery'
  | 'requireCode'
> &
  Partial<Pick<ChainClient, 'fetchBlockHeader' | 'fetchTransferStandard' | 'proveLogs'>>;

export interface FetchStateOptions extends LoadRestOptions {
  /** Whether all rows are compared with calls, and not only some hundred. */
  readonly isExhaustive?: boolean | undefined;
  /** As in {@link CompareContext}. */
  readonly expected?: readonly ExpectedRow[] | undefined;
  /** Why it may not be the block that is meant. */
  readonly blockReasons?: readonly Message[] | undefined;
  /** Proves the logs by the hashes of the chain; undefined for no proof. */
  readonly prove?: StateProofOptions | undefined;
}

export interface StateProofOptions extends Pick<ProofOptions, 'trustHash'> {
  /** Whether there is no proof where it decides nothing: calls rule out any other row, or the logs are not complete. */
  readonly isToDecide?: boolean | undefined;
}

/**
 * Rebuilds state of a contract or an account after a block from all its logs up to there, and compares it with calls at
 * the block.
 *
 * @throws AppError as a log query does; `notAContract` if there is none in the block; `tooHeavy` with more rows than memory is meant for.
 * @example
 * const query = { kind: 'holders', address: token, owner: undefined, block: 21_000_000n } as const;
 * const { rows, verdict } = await fetchState(query, { client, clock: systemClock });
 */
export async function fetchState(
  query: StateQuery,
  deps: StateDeps,
  options: FetchStateOptions = {},
): Promise<ContractState> {
  // The hash of the block is part of the verdict, however old it is.
  const client = { getBlockHash: deps.client.getBlockHash };
  const read = () => readState(query, deps, options);
  const { value, blockHash, isReplaced } = await readOneBlock({ block: query.block, client }, read, options);
  const { logs, proof, reader, comparison, rows, units } = value;
  const verdict = proof ? withProof(logs.verdict, proof) : logs.verdict;
  const reasons = [
    ...(options.blockReasons ?? []),
    ...reader.reasons(),
    ...comparison.reasons,
    ...describeBlock(query.block, { blockHash, isReplaced: isReplaced || isOtherBlock(proof, blockHash) }),
  ];
  const facts = { kind: query.kind, block: query.block, blockHash, proof };
  const { repeated } = comparison;
  return { query, rows, repeated, units, verdict: judgeState(verdict, { ...facts, comparison, reasons }) };
}

async function readState(
  query: StateQuery,
  deps: StateDeps,
  { isExhaustive = false, expected = [], prove, blockReasons: _, ...options }: FetchStateOptions,
) {
  const { client, clock } = deps;
  const context: ReaderContext = { slices: createTimeSlices(clock), signal: options.signal };
  const abortable = { signal: options.signal };
  const reader = await openReader(query, deps, context);
  const logs = await readLogs(reader, query, deps, { ...options, context, isProvable: prove !== undefined });
  const { call, findReasons } = checkUnknownCalls(createStateCall(client, query.block, abortable));
  const compareContext = { ...context, call, isExhaustive, expected };
  const rows = await reader.rows(compareContext);
  const compare = async (): Promise<StateComparison> => {
    const compared = await reader.compare(rows, compareContext);
    return { ...compared, reasons: [...(await findReasons()), ...compared.reasons] };
  };
  const { readThrough } = logs.verdict;
  const isRead = readThrough !== undefined && readThrough >= query.block;
  const comparison = isRead
    ? await compare().catch((error: unknown) => createFailedComparison(asAppError(error), rows, options))
    : createMissingComparison(rows);
  const found = comparison.rows ?? rows;
  if (found.length === 0 && query.kind !== 'allowances') await requireContract(query, client, abortable);
  const isOpen = !comparison.isClosed && logs.verdict.state === 'complete';
  const isProofWanted = prove && (isOpen || !prove.isToDecide);
  const [proof, units] = await Promise.all([
    isProofWanted ? proveReadLogs(logs, client, { ...prove, ...abortable }) : undefined,
    query.kind === 'roles' ? undefined : client.fetchTokenUnits(query.address, abortable),
  ]);
  return { logs, proof, reader, comparison, rows: found, units };
}

/** Nobody holds anything of an account, or before a contract was deployed. */
async function requireContract(
  { address, block }: StateQuery,
  client: StateClient,
  options: Abortable,
): Promise<void> {
  await client.requireCode({ to: address, block }, options).catch((error: unknown) => {
    if (!isAppError(error, 'historyUnavailable')) throw error;
  });
}

async function openReader(query: StateQuery, deps: StateDeps, context: ReaderContext): Promise<StateReader> {
  const { client, findRoleNames } = deps;
  switch (query.kind) {
    case 'holders':
      return createHoldersReader(query, client);
    case 'roles':
      return createRolesReader(query, { client, findRoleNames });
    case 'allowances':
      return createAllowancesReader(query, client, context);
  }
}

interface ReadLogs {
  readonly verdict: Verdict;
  readonly filter: LogFilter;
  /** Undefined if they are not proven. */
  readonly logs: LogStore | undefined;
}

async function readLogs(
  reader: StateReader,
  { block }: StateQuery,
  { client, findDeployment }: StateDeps,
  {
    context,
    isProvable,
    ...options
  }: LoadRestOptions & { readonly context: ReaderContext; readonly isProvable: boolean },
): Promise<ReadLogs> {
  const { addresses } = reader.filter;
  const deployments = addresses.flatMap((address) => findDeployment?.(address) ?? []);
  const [first] = deployments;
  const isKnown = first !== undefined && deployments.length === addresses.length && first.block <= block;
  const filter = createLogFilter({
    ...reader.filter,
    fromBlock: isKnown ? first.block : 0n,
    toBlock: block,
    ...(isKnown && { deployments }),
  });
  let verdict: Verdict | undefined;
  let logs: LogStore | undefined;
  for await (const page of client.openLogQuery(filter).rest(options)) {
    // A range that cannot be proven may have more logs than memory is meant for.
    if (!verdict && isProvable && !findUnprovableRange(page.verdict)) logs = createLogStore();
    verdict = page.verdict;
    logs?.append(page.logs);
    await reader.add(page.logs, context);
  }
  if (!verdict) throw new Error('A query that was read has a verdict.');
  return { verdict, filter, logs };
}

async function proveReadLogs(
  { verdict, filter, logs }: ReadLogs,
  client: StateClient,
  options: ProofOptions,
): Promise<LogProof> {
  const { fromBlock, toBlock, order, readThrough } = verdict;
  const unprovable = findUnprovableRange(verdict);
  if (!logs || !client.proveLogs || unprovable)
    return {
      ...{ level: 'impossible', trustedHash: options.trustHash, blocks: 0, receipts: 0, requests: 0 },
      trustedBy: options.trustHash === undefined ? 'endpoint' : 'user',
      reasons: [unprovable ?? createMessage('The endpoint cannot be asked for a proof.')],
    };
  const isRead = readThrough === toBlock;
  return client.proveLogs({ filter, range: { fromBlock, toBlock }, logs, order, isRead }, options);
}

/** Whether the hash that a proof leads to is that of another block than the one whose state was read. */
function isOtherBlock(proof: LogProof | undefined, blockHash: Hex | undefined): boolean {
  return proof?.level === 'proven' && proof.trustedBy === 'endpoint' && proof.trustedHash !== blockHash;
}

/** Without the state of the block the rows are what the logs say. */
function createFailedComparison(
  error: AppError,
  rows: readonly StateRow[],
  { signal }: Abortable,
): StateComparison {
  if (error.kind === 'aborted' || signal?.aborted || error.kind === 'internal') throw error;
  const reason = createMessage('Nothing was compared with calls at the block. {0}', toMessage(error));
  return { ...createMissingComparison(rows), reasons: [reason] };
}

/** Where logs of an earlier block differ from calls, that is no fault of the contract. */
function createMissingComparison({ length }: readonly StateRow[]): StateComparison {
  const compared = { equal: 0, compared: 0, of: length, totalSupply: undefined };
  return { compared, isClosed: false, reasons: [] };
}

interface StateBasis extends Pick<StateVerdict, 'block' | 'blockHash' | 'proof'> {
  readonly kind: StateKind;
  readonly comparison: StateComparison;
  /** Besides those of the logs. */
  readonly reasons: readonly Message[];
}

function judgeState(
  logs: Verdict,
  { kind, comparison, reasons, proof, block, blockHash }: StateBasis,
): StateVerdict {
  const { compared, isClosed, details = [] } = comparison;
  const judgement = judge<Exclude<Verdict['state'], 'complete'>, Message>({
    state: reasons.length > 0 ? 'uncertain' : logs.state,
    otherwise: 'uncertain',
    reasons: [...describeReasons(logs.reasons), ...reasons],
  });
  const isProven = proof?.level === 'proven';
  const isSample = compared.compared < compared.of && compared.compared > 0;
  return {
    ...judgement,
    confirmed: judgement.state === 'complete' && compared.equal === compared.of,
    compared,
    isClosed,
    ...(proof && { proof }),
    restsOn: [
      ...(isClosed || isProven ? [] : [createMessage('That there are no other rows rests on the endpoint.')]),
      ...(isSample
        ? [createMessage('Only {0} of {1} rows were compared with calls.', compared.compared, compared.of)]
        : []),
      ...(comparison.restsOn ?? []),
      isClosed ? UNSEEN_BESIDE_SUPPLY : UNSEEN[kind],
    ],
    ...(details.length > 0 && { details }),
    block,
    blockHash,
  };
}

const UNSEEN: Readonly<Record<StateKind, Message>> = {
  holders: createMessage('Balances that a contract gives without a log are not seen.'),
  roles: createMessage('Rights that a contract gives without a log are not seen.'),
  allowances: createMessage(
    'Allowances that a contract gives without a log, and approvals of NFTs, are not seen.',
  ),
};
const UNSEEN_BESIDE_SUPPLY = createMessage('Balances outside of the total supply are not seen.');
