import type { Clock } from '../base/clock.ts';
import type { Abortable } from '../base/concurrency.ts';
import { type AppError, asAppError, isAppError } from '../base/errors.ts';
import { createMessage, type Message } from '../base/text.ts';
import { createTimeSlices } from '../base/timeSlices.ts';
import type { ChainClient } from '../client/chainClient.ts';
import type { Address } from '../eth/hex.ts';
import { createLogFilter, type DeploymentBlock } from '../logs/query/filter.ts';
import type { LoadRestOptions } from '../logs/query/logQuery.ts';
import { describeReasons, type Verdict } from '../logs/query/verdict.ts';
import { describeReplaced, readOneBlock } from '../reads/oneBlock.ts';
import { createAllowancesReader } from './allowances.ts';
import type { ContractState, StateQuery, StateRow, StateVerdict } from './contractState.ts';
import { createHoldersReader } from './holders.ts';
import type { FindRoleNames } from './roleNames.ts';
import { createRolesReader } from './roles.ts';
import { createStateCall } from './stateCalls.ts';
import type { ReaderContext, StateComparison, StateReader } from './stateReader.ts';

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
  'callAtBlock' | 'fetchProxy' | 'fetchTokenUnits' | 'getBlockHash' | 'openLogQuery' | 'requireCode'
> &
  Partial<Pick<ChainClient, 'fetchBlockHeader' | 'fetchTransferStandard'>>;

export interface FetchStateOptions extends LoadRestOptions {
  /** Whether all rows are compared with calls, and not only some hundred. */
  readonly isExhaustive?: boolean | undefined;
  /** Why it may not be the block that is meant. */
  readonly blockReasons?: readonly Message[] | undefined;
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
  const { logs, reader, compared, rows, units } = value;
  const { blockReasons = [] } = options;
  const reasons = [
    ...blockReasons,
    ...describeReasons(logs.reasons),
    ...reader.reasons(),
    ...compared.reasons,
  ];
  if (isReplaced) reasons.push(describeReplaced(query.block));
  const verdict = { block: query.block, blockHash, state: logs.state, proof: compared.proof };
  const judged = judge(verdict, reasons, compared.notes);
  const details = compared.details ?? [];
  return { query, rows, units, verdict: details.length > 0 ? { ...judged, details } : judged };
}

async function readState(
  query: StateQuery,
  deps: StateDeps,
  { isExhaustive = false, blockReasons: _, ...options }: FetchStateOptions,
) {
  const { client, clock } = deps;
  const context: ReaderContext = { slices: createTimeSlices(clock), signal: options.signal };
  const abortable = { signal: options.signal };
  const reader = await openReader(query, deps, context);
  const logs = await readLogs(reader, query, deps, { ...options, context });
  const call = createStateCall(client, query.block, abortable);
  const compareContext = { ...context, call, isExhaustive };
  const rows = await reader.rows(compareContext);
  const compared = await reader
    .compare(rows, compareContext)
    .catch((error: unknown) => createFailedComparison(asAppError(error), rows, options));
  const found = compared.rows ?? rows;
  if (found.length === 0 && query.kind !== 'allowances') await requireContract(query, client, abortable);
  const units = query.kind === 'roles' ? undefined : await client.fetchTokenUnits(query.address, abortable);
  return { logs, reader, compared, rows: found, units };
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

async function readLogs(
  reader: StateReader,
  { block }: StateQuery,
  { client, findDeployment }: StateDeps,
  { context, ...options }: LoadRestOptions & { readonly context: ReaderContext },
): Promise<Verdict> {
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
  for await (const page of client.openLogQuery(filter).rest(options)) {
    verdict = page.verdict;
    await reader.add(page.logs, context);
  }
  if (!verdict) throw new Error('A query that was read has a verdict.');
  return verdict;
}

/** Without the state of the block the rows are what the logs say. */
function createFailedComparison(
  error: AppError,
  rows: readonly StateRow[],
  { signal }: Abortable,
): StateComparison {
  if (error.kind === 'aborted' || signal?.aborted || error.kind === 'internal') throw error;
  const reason = createMessage(
    'Nothing was compared with calls at the block. {0}',
    error.details.validation ?? error.message,
  );
  return {
    proof: { equal: 0, compared: 0, of: rows.length, totalSupply: undefined },
    reasons: [],
    notes: [reason],
  };
}

/** `reasons` contradict the rows, or the logs that they are made of. `notes` say what was not compared. */
function judge(
  { block, blockHash, state, proof }: Omit<StateVerdict, 'proven' | 'reasons'>,
  reasons: readonly Message[],
  notes: readonly Message[] = [],
): StateVerdict {
  const isSample = proof.compared < proof.of && proof.compared > 0;
  const unproven = [
    ...notes,
    ...(isSample
      ? [createMessage('Only {0} of {1} rows were compared with calls.', proof.compared, proof.of)]
      : []),
    ...(blockHash === undefined ? [createMessage('The endpoint does not tell the hash of the block.')] : []),
  ];
  return {
    state: state === 'complete' && reasons.length > 0 ? 'uncertain' : state,
    proven: state === 'complete' && reasons.length === 0 && unproven.length === 0,
    proof,
    reasons: [...reasons, ...unproven],
    block,
    blockHash,
  };
}
