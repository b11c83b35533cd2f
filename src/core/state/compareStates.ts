import type { StateRow } from './contractState.ts';
import { stateRowToJson } from './stateJson.ts';

/** A row that two blocks do not share, or whose amount differs. */
export interface StateChange {
  /** Undefined if it was not there in the first block. */
  readonly before: StateRow | undefined;
  /** Undefined if it is no longer there. */
  readonly after: StateRow | undefined;
}

/**
 * The rows that differ between two blocks, in the order of the later ones, then those that are gone.
 *
 * @example compareStates([], [{ kind: 'token', tokenId: 7n, owner: '0x00' }]).length // 1
 */
export function compareStates(
  before: readonly StateRow[],
  after: readonly StateRow[],
): readonly StateChange[] {
  const earlier = new Map(before.map((row) => [getStateRowKey(row), row]));
  const changes: StateChange[] = [];
  for (const row of after) {
    const key = getStateRowKey(row);
    const old = earlier.get(key);
    earlier.delete(key);
    if (!old || getAmount(old) !== getAmount(row)) changes.push({ before: old, after: row });
  }
  return [...changes, ...[...earlier.values()].map((row) => ({ before: row, after: undefined }))];
}

/** What a row is about: all of it but its amount, and, of an NFT, but its owner. */
export function getStateRowKey(row: StateRow): string {
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
