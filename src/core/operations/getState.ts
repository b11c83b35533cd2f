import { badInput } from '../base/errors.ts';
import { decimal, ownText, ownWord } from '../base/ownText.ts';
import { createMessage } from '../base/text.ts';
import { createTimeSlices, type SliceOptions } from '../base/timeSlices.ts';
import { createIndexKnowledge, findFirstBlock } from '../queries/resolveQuery.ts';
import { readAtBlock } from '../reads/readBlock.ts';
import { type ContractState, isNamedRole, type StateKind, type StateRow } from '../state/contractState.ts';
import { fetchState, type StateDeps, type StateProofOptions } from '../state/fetchState.ts';
import { createRoleNames } from '../state/roleNames.ts';
import { comparedRowsToJson } from '../state/stateJson.ts';
import {
  MAX_MESSAGE_CHARS,
  messageJson,
  messageText,
  splitReasons,
  untrustedText,
  userText,
} from './agentText.ts';
import { createStateContinuation, decodeStateCursor, hashReturned, hashState } from './continuation.ts';
import type { OperationDeps, OperationOptions } from './operation.ts';
import { openReads } from './readState.ts';
import {
  type JsonObject,
  type OperationResult,
  takeFittingRows,
  toCompletion,
  toOperationResult,
} from './result.ts';
import type { GetStateInput } from './tools.ts';

/** State to rebuild, with names in place of addresses. */
export interface WrittenState {
  readonly kind: StateKind;
  readonly address: string;
  readonly owner?: string | undefined;
  /** As `resolveReadBlock` reads it; default: the latest. */
  readonly block?: string | number | undefined;
  /** Whether all rows are compared with calls. */
  readonly isExhaustive?: boolean | undefined;
  /** As in `fetchState`. */
  readonly prove?: StateProofOptions | undefined;
}

export interface WrittenContractState extends ContractState {
  /** Whether the block is certain to be the one that was requested. */
  readonly isBlockCertain: boolean;
}

/**
 * Rebuilds state from logs, with the names that the projects give.
 *
 * @throws AppError `badInput` for `address`, `owner` or `block`; otherwise as {@link fetchState} does.
 */
export async function fetchWrittenState(
  { kind, address: text, owner: ownerText, block = 'latest', isExhaustive, prove }: WrittenState,
  deps: OperationDeps,
  { signal, onProgress }: OperationOptions = {},
): Promise<WrittenContractState> {
  const options = { signal };
  const [chainId = 0, knowledge, reads] = await Promise.all([
    deps.chainId(options),
    deps.knowledge(options),
    openReads(deps, options),
  ]);
  const address = reads.resolveAddress(text, 'address');
  const owner = ownerText === undefined ? undefined : reads.resolveAddress(ownerText, 'owner');
  const { index, readSource } = knowledge;
  const findDeployment = index && createIndexKnowledge(index, chainId).findDeployment;
  const stateDeps: StateDeps = {
    client: deps.client,
    clock: deps.clock,
    findDeployment: (contract) =>
      findDeployment && findFirstBlock({ address: contract, fromBlock: '' }, findDeployment)?.deployments[0],
    findRoleNames: createRoleNames({ ...reads, contracts: index?.contracts ?? [], readSource }),
  };
  return readAtBlock(
    { text: block, client: deps.client, now: deps.clock.now() },
    async ({ block, reasons }) => {
      const state = await fetchState({ kind, address, owner, block }, stateDeps, {
        signal,
        blockReasons: reasons,
        isExhaustive,
        prove,
        onProgress: ({ blocksDone, blocks }) =>
          onProgress?.({
            share: blocks === 0n ? 1 : Number(blocksDone) / Number(blocks),
            message: `${blocksDone} of ${blocks} blocks`,
          }),
      });
      return { ...state, isBlockCertain: reasons.length === 0 };
    },
    options,
  );
}

/** Rows that a result has room for, in both forms; the rest of it has less than 4 KiB. */
const MAX_ROWS_BYTES = 12 * 1024;
const DEFAULT_ROWS = 50;

/** Rebuilds state for an agent. @throws AppError as {@link fetchWrittenState} does. */
export async function getState(
  input: GetStateInput,
  deps: OperationDeps,
  options: OperationOptions = {},
): Promise<OperationResult> {
  const { kind, address, owner, limit = DEFAULT_ROWS } = input;
  const cursor = input.cursor === undefined ? undefined : decodeStateCursor(input.cursor, input.block);
  const block = cursor?.block ?? input.block;
  const [chainId, { query, rows, verdict, isBlockCertain }] = await Promise.all([
    deps.chainId(options),
    fetchWrittenState({ kind, address, owner, block }, deps, options),
  ]);
  const blockHash = verdict.blockHash ?? null;
  const first = cursor?.first ?? 0;
  const context = { slices: createTimeSlices(deps.clock), signal: options.signal };
  if (cursor) {
    if (cursor.query !== hashState(query, chainId))
      throw badInput('cursor', 'The cursor belongs to other state. Call again without a cursor.');
    if (cursor.blockHash !== blockHash)
      throw badInput('cursor', 'The block was replaced by another one. Call again without a cursor.');
    if (cursor.count !== rows.length || cursor.returned !== (await hashFirst(rows, first, context)))
      throw badInput('cursor', 'The rows are not those of the earlier pages. Call again without a cursor.');
  }
  const shown = takeFittingRows(rows.slice(first, first + limit).map(rowToJson), MAX_ROWS_BYTES);
  const end = first + shown.length;
  const { state, compared, restsOn, details } = verdict;
  const confirmed = verdict.confirmed && cursor?.confirmed !== false;
  const earlier = cursor?.reasons?.map((reason) => userText(reason, MAX_MESSAGE_CHARS)) ?? [];
  const { reasons: found, notes } = splitReasons(verdict.reasons);
  const reasons = [...new Set([...earlier, ...found])];
  const leftOut = Math.max(0, rows.length - end);
  return toOperationResult(deps, chainId, {
    ...toCompletion(
      state === 'complete' && leftOut === 0 ? true : state === 'uncertain' ? 'unknown' : false,
      [
        ...reasons,
        ...(leftOut > 0
          ? [messageText(createMessage('{0} more rows are not shown.', decimal(leftOut)))]
          : []),
      ],
    ),
    found: {
      schema: 2,
      block: decimal(verdict.block),
      blockHash,
      ...(!isBlockCertain && { isBlockCertain: false }),
      confirmed,
      compared: comparedRowsToJson(compared),
      restsOn: restsOn.map(messageJson),
      ...(notes.length > 0 && { notes }),
      count: decimal(rows.length),
      rows: shown,
      ...(leftOut > 0 && {
        next_call: createStateContinuation(input, {
          ...{ first: end, block: verdict.block.toString(), blockHash },
          ...{ query: hashState(query, chainId), count: rows.length },
          ...{ returned: await hashFirst(rows, end, context), confirmed, reasons },
        }),
      }),
      ...(details && { details: details.map(messageJson) }),
      note: ownText`Amounts are in smallest units.`,
    },
  });
}

async function hashFirst(
  rows: readonly StateRow[],
  count: number,
  { slices, signal }: SliceOptions,
): Promise<string> {
  let hash: string | undefined;
  const end = Math.min(count, rows.length);
  for (let start = 0; start < end; start += ROWS_AT_ONCE) {
    const some = rows.slice(start, Math.min(end, start + ROWS_AT_ONCE));
    hash = hashReturned(some.map(rowToJson), hash);
    if (slices.isOver()) await slices.rest({ signal });
  }
  return hash ?? hashReturned([]);
}

/** Rows that are hashed in one go: some milliseconds. */
const ROWS_AT_ONCE = 1000;

function rowToJson(row: StateRow): JsonObject {
  switch (row.kind) {
    case 'balance':
      return { holder: row.holder, balance: decimal(row.balance) };
    case 'token':
      return { tokenId: decimal(row.tokenId), owner: row.owner };
    case 'tokenBalance':
      return { id: decimal(row.id), holder: row.holder, balance: decimal(row.balance) };
    case 'role':
      return {
        role: isNamedRole(row.role) ? ownWord(row.role) : row.role,
        ...(row.roleName !== undefined && { roleName: untrustedText(row.roleName) }),
        member: row.member,
      };
    case 'allowance': {
      const { token, owner, spender, value, permit2Until } = row;
      return {
        ...{ token, owner, spender, value: decimal(value) },
        ...(permit2Until !== undefined && { permit2Until: decimal(permit2Until) }),
      };
    }
  }
}
