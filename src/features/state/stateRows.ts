import {
  type Address,
  addToList,
  type ContractState,
  forEachInSlices,
  formatAmount,
  groupDigits,
  isNamedRole,
  joinStates,
  type SliceOptions,
  type StateRow,
  sanitizeText,
  stateRowToJson,
  type TokenUnits,
  toChecksumAddress,
} from '../../core/index.ts';
import type { Localizer } from '../../host/l10n.ts';
import type { StateChange, StateColumn, StateColumnId } from './protocol.ts';

/** A row of one block or, if two are compared, of either or both. */
export interface ComparedRow {
  readonly row: StateRow;
  /** In the older block; undefined if it is not there. */
  readonly older: StateRow | undefined;
  readonly newer: StateRow | undefined;
  readonly change: StateChange | undefined;
}

/** What a cell shows. */
export interface StateCell {
  readonly text: string;
  /** Full and exact: a checksummed address, a number in digits. */
  readonly exact: string;
  readonly hint?: string | undefined;
  readonly address?: Address | undefined;
  readonly sortKey: string | bigint;
}

export interface StateKnowledge {
  readonly nameOf: (address: Address) => string | undefined;
  /** Of a token of which the state has no units. */
  readonly unitsOf: (token: Address) => TokenUnits | undefined;
  readonly l10n: Localizer;
}

/**
 * The rows of two states by what they are about. Without `compared`, rows have no change. The order is that of the
 * newer state, with removed rows last; members are grouped by role, and allowances by token.
 *
 * @throws the signal's reason when it aborts.
 */
export async function listComparedRows(
  state: ContractState,
  compared: ContractState | undefined,
  options: SliceOptions,
): Promise<readonly ComparedRow[]> {
  const groups = new Map<string, ComparedRow[]>();
  const add = (row: ComparedRow) => addToList(groups, getGroup(row.row), row);
  if (compared) {
    const [older, newer] = orderStates(state, compared);
    const joined = await joinStates(older.rows, newer.rows, options);
    const addJoined = ({ before, after, isChanged }: (typeof joined)[number]) => {
      const change = after ? (before ? (isChanged ? 'changed' : undefined) : 'added') : 'removed';
      const row = after ?? before;
      if (row) add({ row, older: before, newer: after, change });
    };
    await forEachInSlices(joined, addJoined, options);
  } else {
    const addAlone = (row: StateRow) => add({ row, older: undefined, newer: undefined, change: undefined });
    await forEachInSlices(state.rows, addAlone, options);
  }
  const [first = [], ...others] = groups.values();
  return others.length === 0 ? first : [...groups.values()].flat();
}

function getGroup(row: StateRow): string {
  if (row.kind === 'role') return row.roleName ?? row.role;
  return row.kind === 'allowance' ? row.token : '';
}

/** Number of roles or tokens; 0 of other rows. */
export function countGroups(rows: readonly StateRow[]): number {
  const groups = rows.flatMap((row) =>
    row.kind === 'role' ? [row.role] : row.kind === 'allowance' ? [row.token] : [],
  );
  return new Set(groups).size;
}

/** The state of the older block first. */
export function orderStates(
  one: ContractState,
  other: ContractState,
): readonly [ContractState, ContractState] {
  return one.verdict.block <= other.verdict.block ? [one, other] : [other, one];
}

/** Undefined for a membership, which has no value. */
export function getValue(row: StateRow): bigint | Address | undefined {
  switch (row.kind) {
    case 'balance':
    case 'tokenBalance':
      return row.balance;
    case 'token':
      return row.owner;
    case 'role':
      return undefined;
    case 'allowance':
      return row.value;
  }
}

/** What shares of a balance are of: the token, or one ID of it. Undefined for what has no share. */
export function getShareGroup(row: StateRow): bigint | 'all' | undefined {
  if (row.kind === 'balance') return 'all';
  return row.kind === 'tokenBalance' ? row.id : undefined;
}

/** The columns of the rows; if two blocks are compared, with the change and both values. */
export function createStateColumns(
  state: ContractState,
  compared: ContractState | undefined,
  l10n: Localizer,
): readonly StateColumn[] {
  const kind = getRowKind(state, compared);
  const { keys, value } = nameFields(kind, l10n);
  const column = (id: StateColumnId, name: string, width: number, alignEnd = false): StateColumn => ({
    ...{ id, sortBy: id, name, width, alignEnd },
  });
  const isNumber = kind !== 'token';
  const keyColumns = keys.map(({ name, width, isNumber: alignEnd }, index) =>
    column(toKeyColumn(index), name, width, alignEnd),
  );
  const hasShare = kind === 'balance' || kind === 'tokenBalance';
  const width = isNumber ? 260 : ADDRESS_WIDTH;
  if (!compared) {
    const share = column('share', l10n.t('Share'), 110, true);
    return [
      ...keyColumns,
      ...(value === undefined ? [] : [column('value', value, width, isNumber)]),
      ...(hasShare ? [{ ...share, hint: l10n.t('Share of the sum of all balances.') }] : []),
    ];
  }
  const [older, newer] = orderStates(state, compared);
  const inBlock = ({ verdict }: ContractState) => l10n.t('Block {0}', groupDigits(verdict.block.toString()));
  return [
    column('change', l10n.t('Change'), 110),
    ...keyColumns,
    ...(value === undefined
      ? []
      : [column('other', inBlock(older), width, isNumber), column('value', inBlock(newer), width, isNumber)]),
    ...(value === undefined || !isNumber ? [] : [column('difference', l10n.t('Difference'), width, true)]),
  ];
}

const ADDRESS_WIDTH = 370;

function nameFields(kind: StateRow['kind'], l10n: Localizer) {
  const address = (name: string) => ({ name, width: ADDRESS_WIDTH, isNumber: false });
  const id = { name: l10n.t('Token ID'), width: 200, isNumber: true };
  const holder = address(l10n.t('Holder'));
  switch (kind) {
    case 'balance':
      return { keys: [holder], value: l10n.t('Balance') };
    case 'token':
      return { keys: [id], value: l10n.t('Owner') };
    case 'tokenBalance':
      return { keys: [id, holder], value: l10n.t('Balance') };
    case 'role':
      return {
        keys: [{ ...address(l10n.t('Role')), width: 240 }, address(l10n.t('Member'))],
        value: undefined,
      };
    case 'allowance': {
      const keys = [l10n.t('Token'), l10n.t('Owner'), l10n.t('Spender')].map(address);
      return { keys, value: l10n.t('Allowance') };
    }
  }
}

function toKeyColumn(index: number): StateColumnId {
  return index === 0 ? 'key0' : index === 1 ? 'key1' : 'key2';
}

/** The form of the rows, or the usual one if there are none. */
export function getRowKind(state: ContractState, compared?: ContractState): StateRow['kind'] {
  const [row] = state.rows.length > 0 ? state.rows : (compared?.rows ?? []);
  return row?.kind ?? usualKinds[state.query.kind];
}

const usualKinds = { holders: 'balance', roles: 'role', allowances: 'allowance' } as const;

type KeyCell = 'key0' | 'key1' | 'key2';

/** The cell of a key column. */
export function readKeyCell(row: StateRow, column: KeyCell, knowledge: StateKnowledge): StateCell {
  const address = (value: Address) => readAddressCell(value, knowledge);
  switch (row.kind) {
    case 'balance':
      return address(row.holder);
    case 'token':
      return readNumberCell(row.tokenId);
    case 'tokenBalance':
      return column === 'key0' ? readNumberCell(row.id) : address(row.holder);
    case 'role':
      return column === 'key0' ? readRoleCell(row, knowledge.l10n) : address(row.member);
    case 'allowance':
      return address(column === 'key0' ? row.token : column === 'key1' ? row.owner : row.spender);
  }
}

/** The cell of a value; empty for a row that is not in the block. */
export function readValueCell(
  row: StateRow | undefined,
  units: TokenUnits | undefined,
  knowledge: StateKnowledge,
): StateCell {
  const value = row && getValue(row);
  if (row === undefined || value === undefined) return { text: '', exact: '', sortKey: NO_VALUE };
  if (typeof value === 'string') return readAddressCell(value, knowledge);
  const ofToken = row.kind === 'allowance' ? (knowledge.unitsOf(row.token) ?? units) : units;
  if (row.kind === 'allowance' && value === NO_LIMIT) {
    const text = knowledge.l10n.t('Unlimited');
    return { text, exact: value.toString(), hint: value.toString(), sortKey: value };
  }
  if (!ofToken || row.kind === 'tokenBalance') return readNumberCell(value);
  const symbol = ofToken.symbol === undefined ? undefined : sanitizeText(ofToken.symbol, 20);
  const text = formatAmount(value, { ...ofToken, symbol });
  return { text, exact: value.toString(), hint: value.toString(), sortKey: value };
}

/** The value of the newer block less that of the older one. A row that a block does not have counts as 0. */
export function readDifferenceCell(
  { row, older, newer }: Pick<ComparedRow, 'row' | 'older' | 'newer'>,
  units: TokenUnits | undefined,
  knowledge: StateKnowledge,
): StateCell {
  const difference = getDifference({ older, newer });
  if (difference === undefined) return { text: '', exact: '', sortKey: NO_VALUE };
  const exact = difference.toString();
  // From or to no limit, the number means nothing to a reader.
  const isUnlimited = [older, newer].some((one) => one?.kind === 'allowance' && one.value === NO_LIMIT);
  if (isUnlimited && difference !== 0n) return { text: '', exact, hint: exact, sortKey: difference };
  const absolute = difference < 0n ? -difference : difference;
  const shown = readValueCell(withValue(row, absolute), units, knowledge);
  const sign = difference > 0n ? '+' : difference < 0n ? '-' : '';
  return { text: `${sign}${shown.text}`, exact, hint: exact, sortKey: difference };
}

function getDifference({ older, newer }: Pick<ComparedRow, 'older' | 'newer'>): bigint | undefined {
  const [before, after] = [older, newer].map((row) => row && getValue(row));
  if (typeof (before ?? after) !== 'bigint') return undefined;
  return BigInt(after ?? 0n) - BigInt(before ?? 0n);
}

function withValue(row: StateRow, value: bigint): StateRow {
  return row.kind === 'allowance' ? { ...row, value } : ({ ...row, balance: value } as StateRow);
}

/** Below every value. */
const NO_VALUE = -(2n ** 256n);

/** An allowance that is never used up. */
const NO_LIMIT = 2n ** 256n - 1n;

function readNumberCell(value: bigint): StateCell {
  return { text: groupDigits(value.toString()), exact: value.toString(), sortKey: value };
}

function readAddressCell(address: Address, { nameOf }: StateKnowledge): StateCell {
  const name = nameOf(address);
  const exact = toChecksumAddress(address);
  return name === undefined
    ? { text: exact, exact, hint: exact, address, sortKey: address }
    : { text: name, exact, hint: `${name}\n${exact}`, address, sortKey: name.toLowerCase() };
}

function readRoleCell({ role, roleName }: Extract<StateRow, { kind: 'role' }>, l10n: Localizer): StateCell {
  if (isNamedRole(role)) {
    const text = {
      proxyAdmin: l10n.t('proxy admin'),
      proxyAdminOwner: l10n.t('owner of the proxy admin'),
      beaconOwner: l10n.t('owner of the beacon'),
      owner: l10n.t('owner'),
      pendingOwner: l10n.t('pending owner'),
      pendingDefaultAdmin: l10n.t('pending default admin'),
    }[role];
    return { text, exact: role, sortKey: role };
  }
  if (roleName === undefined) return { text: role, exact: role, hint: role, sortKey: role };
  const name = sanitizeText(roleName);
  return { text: name, exact: role, hint: `${name}\n${role}`, sortKey: name.toLowerCase() };
}

/**
 * A row in the form of the command line; if two blocks are compared, with the change, the older value and the
 * difference.
 */
export function comparedRowToJson({ row, older, newer, change }: ComparedRow): unknown {
  const before = older && getValue(older);
  const difference = getDifference({ older, newer });
  return {
    ...stateRowToJson(newer ?? row),
    ...((older || newer) && { change: change ?? 'same' }),
    ...(before !== undefined && { before: before.toString() }),
    ...(difference !== undefined && { difference: difference.toString() }),
  };
}
