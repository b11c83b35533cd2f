import { forEachInSlices, type SliceOptions } from '../base/timeSlices.ts';
import type { StateRow } from './contractState.ts';
import { stateRowToJson } from './stateJson.ts';

/** A row of two blocks. */
export interface JoinedRow {
  /** Undefined if it was not there in the first block. */
  readonly before: StateRow | undefined;
  /** Undefined if it is no longer there. */
  readonly after: StateRow | undefined;
  /** Whether a block does not have it, or its amount differs. */
  readonly isChanged: boolean;
}

/**
 * The rows of two blocks by what they are about, in slices of time: those of the later block in their order, then those
 * that are gone.
 *
 * @throws the signal's reason when it aborts.
 * @example (await joinStates([], [{ kind: 'token', tokenId: 7n, owner: '0x00' }], { slices })).length // 1
 */
export async function joinStates(
  before: readonly StateRow[],
  after: readonly StateRow[],
  options: SliceOptions,
): Promise<readonly JoinedRow[]> {
  const earlier = new Map<string, StateRow>();
  await forEachInSlices(before, (row) => earlier.set(getRowKey(row), row), options);
  const joined: JoinedRow[] = [];
  const join = (row: StateRow) => {
    const key = getRowKey(row);
    const old = earlier.get(key);
    earlier.delete(key);
    joined.push({ before: old, after: row, isChanged: !old || getAmount(old) !== getAmount(row) });
  };
  await forEachInSlices(after, join, options);
  const leave = (row: StateRow) => joined.push({ before: row, after: undefined, isChanged: true });
  await forEachInSlices(earlier.values(), leave, options);
  return joined;
}

/** What a row is about: all of it but its amount, and, of an NFT, but its owner. */
function getRowKey(row: StateRow): string {
  const { balance: _, value: __, roleName: ___, permit2Until, ...parts } = stateRowToJson(row);
  const kind = permit2Until === undefined ? row.kind : 'permit2';
  return row.kind === 'token' ? `token ${row.tokenId}` : `${kind} ${Object.values(parts).join(' ')}`;
}

function getAmount(row: StateRow): bigint | string {
  switch (row.kind) {
    case 'balance':
    case 'tokenBalance':
      return row.balance;
    case 'token':
      return row.owner;
    case 'allowance':
      return `${row.value} ${row.permit2Until}`;
    case 'role':
      return row.role;
  }
}
