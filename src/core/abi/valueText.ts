import type { Address } from '../values/address.ts';
import { plainText } from '../values/plainText.ts';
import { groupDigits } from '../values/units.ts';
import type { AbiType, AbiValue } from './abiType.ts';

interface ValueTextOptions {
  /** How an address is called. */
  readonly address?: (address: Address) => string;
  /** Characters after which it is cut; what is behind them is not even made. Default 500. */
  readonly most?: number;
}

/**
 * A value as a person reads it, on one line: integers grouped, `[1, 2]` for arrays, `{token: 0x…, amount: 5}` for tuples,
 * in parentheses where a member has no name. Strings inside of arrays and tuples stand in quotes.
 *
 * @example abiValueText({ kind: 'uint', bits: 256, text: 'uint256' }, 1250n) // '1,250'
 */
export function abiValueText(type: AbiType, value: AbiValue, options: ValueTextOptions = {}): string {
  const { most = 500 } = options;
  const text = textOf({ type, value }, { ...options, most }, false);
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

interface Typed {
  readonly type: AbiType;
  readonly value: AbiValue;
}

function textOf(
  { type, value }: Typed,
  options: ValueTextOptions & { readonly most: number },
  inside: boolean,
): string {
  switch (type.kind) {
    case 'array':
      return typeof value === 'object'
        ? list(
            value.map((item) => ({ name: '', type: type.item, value: item })),
            options,
            '[]',
          )
        : String(value);
    case 'tuple': {
      if (typeof value !== 'object') return String(value);
      const items = type.members.map((member, index) => ({ ...member, value: value[index] ?? '' }));
      return list(items, options, items.every(({ name }) => name !== '') ? '{}' : '()');
    }
    case 'address':
      return options.address?.(value as Address) ?? String(value);
    case 'string': {
      const text = plainText(String(value), options.most);
      return inside ? `"${text}"` : text;
    }
    default:
      return typeof value === 'bigint' ? groupDigits(value) : String(value);
  }
}

function list(
  items: readonly (Typed & { readonly name: string })[],
  options: ValueTextOptions & { readonly most: number },
  [open, close]: string,
): string {
  let text = open ?? '';
  for (const [index, { name, ...item }] of items.entries()) {
    if (index > 0) text += ', ';
    if (text.length > options.most) return text;
    if (open === '{') text += `${name}: `;
    text += textOf(item, { ...options, most: options.most - text.length }, true);
  }
  return text + (close ?? '');
}
