import type { AbiItem } from './item.ts';
import type { AbiParameter, AbiType, AmountUnit } from './type.ts';

/** The decimals of units of wei. */
export const ETHER_UNITS: ReadonlyMap<string, number> = new Map([
  ['ether', 18],
  ['gwei', 9],
  ['wei', 0],
]);
/** The largest number of decimals of ERC-20. */
const MAX_DECIMALS = 255;
/** Of an address, and of the names of addresses. */
const MAX_UNIT_CHARS = 64;

/**
 * Parses a unit: `ether`, `gwei` or `wei`; `6 decimals`; `percent of 10000`, where the number is 100 % and a power of ten; or
 * the address, the name or the symbol of a token.
 *
 * @returns undefined for any other text.
 *
 * @example parseAmountUnit('percent of 10000') // { kind: 'fixed', symbol: '%', decimals: 2 }
 */
export function parseAmountUnit(text: string): AmountUnit | undefined {
  const typed = text.trim();
  const ofWei = ETHER_UNITS.get(typed);
  if (ofWei !== undefined) return { kind: 'fixed', symbol: typed, decimals: ofWei };
  const [, decimals] = /^(\d{1,3}) decimals?$/.exec(typed) ?? [];
  if (decimals !== undefined) {
    const count = Number(decimals);
    return count > MAX_DECIMALS ? undefined : { kind: 'fixed', symbol: undefined, decimals: count };
  }
  if (/^percent\b/.test(typed)) {
    const [, zeros, exponent] = /^percent of (?:1(0{2,77})|1e(\d{1,2}))$/.exec(typed) ?? [];
    const power = zeros?.length ?? Number(exponent ?? 0);
    return power < 2 ? undefined : { kind: 'fixed', symbol: '%', decimals: power - 2 };
  }
  const isName = typed !== '' && typed.length <= MAX_UNIT_CHARS && !/^\d[\d\s]*$|[\p{Cc}\p{Cf}]/u.test(typed);
  return isName ? { kind: 'token', token: typed } : undefined;
}

/**
 * Finds an integer, or a list of integers, among the parameters and results of an item. The result is an
 * `EnumPlace.path`. In `name`, members of structs follow after a dot, and a parameter without a name is its position, from 0.
 * An empty name means the only result of a function.
 *
 * @example findInteger(parseAbiItem('event Paid(address to, uint256 amount)'), 'amount') // '1'
 */
export function findInteger(item: AbiItem, name: string): string | undefined {
  const results = item.kind === 'function' ? item.outputs : [];
  const [only, ...others] = results;
  if (name === '') return only && others.length === 0 && isInteger(only.type) ? 'returns.0' : undefined;
  const found = findIn(item.inputs, name, '') ?? findIn(results, name, 'returns.');
  if (found !== undefined || results.length !== 1 || only?.type.kind !== 'tuple') return found;
  // The members of the one struct that a function returns.
  return findIn(only.type.members, name, 'returns.0.');
}

/** Fields of one item that can be offered. */
const MAX_FIELDS = 100;

/**
 * The integers among parameters, as {@link findInteger} reads them, without members of enums.
 *
 * @example listIntegers(parseAbiItem('event Paid(address to, uint256 amount)').inputs) // ['amount']
 */
export function listIntegers(parameters: readonly AbiParameter[]): readonly string[] {
  return parameters
    .flatMap(({ name, type }, index): readonly string[] => {
      const own = name || String(index);
      const item = getItemType(type);
      if (item.kind === 'tuple') return listIntegers(item.members).map((member) => `${own}.${member}`);
      const isEnum = item.kind === 'uint' && item.enumeration !== undefined;
      return isInteger(item) && !isEnum ? [own] : [];
    })
    .slice(0, MAX_FIELDS);
}

function findIn(parameters: readonly AbiParameter[], name: string, prefix: string): string | undefined {
  const [first = '', ...rest] = name.split('.');
  const index = parameters.findIndex((one, position) => (one.name || String(position)) === first);
  const parameter = parameters[index];
  if (!parameter) return undefined;
  const path = `${prefix}${index}`;
  if (rest.length === 0) return isInteger(parameter.type) ? path : undefined;
  const members = getItemType(parameter.type);
  return members.kind === 'tuple' ? findIn(members.members, rest.join('.'), `${path}.`) : undefined;
}

function getItemType(type: AbiType): AbiType {
  return type.kind === 'array' ? getItemType(type.item) : type;
}

function isInteger(type: AbiType): boolean {
  const { kind } = getItemType(type);
  return kind === 'uint' || kind === 'int';
}
