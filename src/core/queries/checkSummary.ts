import { decimal } from '../base/ownText.ts';
import { createMessage, type Foreign, foreign, type Message, sanitizeText } from '../base/text.ts';
import type { CodeComparison, DifferingFunction, SelectorName } from '../code/codeComparison.ts';
import type { Address } from '../eth/hex.ts';
import { toChecksumAddress } from '../eth/keccak.ts';
import type { ContractState, StateRow } from '../state/contractState.ts';
import { stateVerdictToJson } from '../state/stateJson.ts';
import { formatAmount } from '../tokens/amounts.ts';
import { type FileContext, formatNamedAddress } from './filedNames.ts';

type AddressFormat = Pick<FileContext, 'nameOf'>;

/**
 * A comparison of code in one line.
 *
 * @example summarizeCode(comparison); // 'Vault at 0x5FbDB2315678afecb367f032d93F642f64180aa3: immutables'
 */
export function summarizeCode({ contract, address, match }: CodeComparison): Message {
  return createMessage('{0} at {1}: {2}', foreign(contract.name), toChecksumAddress(address), foreign(match));
}

/**
 * State in one line.
 *
 * @example summarizeState(state); // '12 rows, confirmed in block 7'
 */
export function summarizeState({ rows, verdict }: ContractState): Message {
  const count = rows.length === 1 ? createMessage('1 row') : createMessage('{0} rows', rows.length);
  const template = !verdict.confirmed
    ? '{0} in block {1}, not confirmed'
    : verdict.proof?.level === 'proven'
      ? '{0}, confirmed in block {1}, logs proven'
      : '{0}, confirmed in block {1}';
  return createMessage(template, count, decimal(verdict.block));
}

/**
 * State as JSON, without its rows: their count and what they are worth.
 *
 * @example contractStateToJson(state).count; // 12
 */
export function contractStateToJson(state: ContractState): Readonly<Record<string, unknown>> {
  const { query, rows, verdict } = state;
  const { kind, address, owner } = query;
  return {
    kind,
    address,
    ...(owner && { owner }),
    count: rows.length,
    verdict: stateVerdictToJson(verdict),
  };
}

/** Why code is not the same: the reasons of the comparison, settings, functions and selectors. */
export function explainMismatch({ reasons, settings, difference }: CodeComparison): readonly Message[] {
  const { functions = [], onlyLocal = [], onlyDeployed = [] } = difference ?? {};
  const [first] = functions;
  const nameSelectors = (selectors: readonly SelectorName[]) =>
    sanitizeText(
      selectors.map(({ selector, signature }) => signature ?? selector).join(', '),
      MAX_LIST_CHARS,
    );
  return [
    ...(first
      ? [createMessage('The first function that differs is {0}.', foreign(formatFunction(first)))]
      : []),
    ...settings.map(({ name, local, deployed }) =>
      createMessage(
        '{0} of the build is {1}, deployed is {2}.',
        foreign(name),
        formatSetting(local),
        formatSetting(deployed),
      ),
    ),
    ...(onlyLocal.length > 0
      ? [createMessage('Only the build has {0}.', foreign(nameSelectors(onlyLocal)))]
      : []),
    ...(onlyDeployed.length > 0
      ? [createMessage('Only the deployed code has {0}.', foreign(nameSelectors(onlyDeployed)))]
      : []),
    ...reasons,
  ];
}

const MAX_LIST_CHARS = 500;

function formatFunction({ name, path, line }: DifferingFunction): string {
  const place = path === undefined ? '' : ` (${path}${line === undefined ? '' : `:${line}`})`;
  return sanitizeText(`${name}${place}`, 300);
}

function formatSetting(value: string | undefined): Message | Foreign {
  return value === undefined ? createMessage('the default') : foreign(value, 80);
}

/** What a deployment filled into the code, and by which address: a line each. */
export function describeFilled(comparison: CodeComparison, format: AddressFormat): readonly Message[] {
  const { implementation, immutables, libraries } = comparison;
  return [
    ...(implementation
      ? [createMessage('The code is that of {0}.', foreign(formatNamedAddress(implementation, format)))]
      : []),
    ...immutables.map(({ name, offset, value }) =>
      createMessage('Immutable {0}: {1}', foreign(name ?? String(offset), 80), foreign(value.slice(0, 200))),
    ),
    ...libraries.map(({ name, address }) =>
      createMessage('Library {0}: {1}', foreign(name, 80), foreign(formatNamedAddress(address, format))),
    ),
  ];
}

/** Rows of state as a table. */
export interface StateTable {
  readonly columns: readonly Message[];
  readonly rows: readonly (readonly string[])[];
  /** Rows that are left out. */
  readonly more: number;
}

/**
 * The first rows of state for people: names of addresses, amounts in units.
 *
 * @example listStateRows(state, { nameOf: () => undefined }, 100).rows; // [['0x…', '1,250.00 HUSD']]
 */
export function listStateRows(state: ContractState, format: AddressFormat, most: number): StateTable {
  const { rows } = state;
  const [first] = rows;
  return {
    columns: first ? COLUMNS[first.kind] : [],
    rows: rows.slice(0, most).map((row) => formatRow(row, state, format)),
    more: Math.max(0, rows.length - most),
  };
}

const [HOLDER, OWNER, BALANCE, TOKEN] = [
  createMessage('Holder'),
  createMessage('Owner'),
  createMessage('Balance'),
  createMessage('Token'),
] as const;
const COLUMNS: Readonly<Record<StateRow['kind'], readonly Message[]>> = {
  balance: [HOLDER, BALANCE],
  token: [createMessage('Token ID'), OWNER],
  tokenBalance: [createMessage('Token ID'), HOLDER, BALANCE],
  role: [createMessage('Role'), createMessage('Member')],
  allowance: [TOKEN, OWNER, createMessage('Spender'), createMessage('Value')],
};

function formatRow(row: StateRow, { units }: ContractState, format: AddressFormat): readonly string[] {
  const address = (one: Address) => formatNamedAddress(one, format);
  const amount = (value: bigint) =>
    sanitizeText(formatAmount(value, units ?? { symbol: undefined, decimals: 0 }), 120);
  switch (row.kind) {
    case 'balance':
      return [address(row.holder), amount(row.balance)];
    case 'token':
      return [String(row.tokenId), address(row.owner)];
    case 'tokenBalance':
      return [String(row.id), address(row.holder), amount(row.balance)];
    case 'role':
      return [sanitizeText(row.roleName ?? row.role, 80), address(row.member)];
    case 'allowance':
      return [address(row.token), address(row.owner), address(row.spender), amount(row.value)];
  }
}
