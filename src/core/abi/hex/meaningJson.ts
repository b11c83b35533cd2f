import type { AbiParameter, AbiValue } from '../abiType.ts';
import type { Origin, Trust } from '../candidates.ts';
import { type AbiJson, abiValueToJson } from '../json/valueJson.ts';
import type { HexMeaning, NestedMeaning } from './hexMeaning.ts';
import { nestedPathText } from './nestedPathText.ts';

/** A meaning as JSON. What it does not have is not there. */
export interface MeaningJson {
  readonly kind: HexMeaning['kind'];
  readonly signature?: string;
  readonly name?: string;
  readonly args?: readonly ArgumentJson[];
  /** The calls and reverts in `bytes` among the arguments. */
  readonly nested?: readonly { readonly in: string; readonly meaning: MeaningJson }[];
  /** What a panic says. */
  readonly note?: string;
  /** Why the arguments are not there: the bytes behind the selector are not theirs. */
  readonly reason?: string;
  readonly source?: Trust;
  readonly from?: string;
}

interface ArgumentJson {
  readonly name: string;
  readonly type: string;
  readonly value: AbiJson;
}

/**
 * A meaning as JSON: integers as decimal strings, bytes as hex.
 *
 * @example
 * meaningToJson({ kind: 'word', inputs: [{ name: '', type: { kind: 'bool', text: 'bool' } }], values: [true], nested: [] })
 * // { kind: 'word', args: [{ name: '', type: 'bool', value: true }] }
 */
export function meaningToJson(meaning: HexMeaning): MeaningJson {
  const { kind } = meaning;
  if (!('item' in meaning)) return { kind, ...valuesToJson(meaning.inputs, meaning) };
  const { item, origin } = meaning;
  return {
    ...{ kind, signature: item.signature, name: item.name },
    ...('values' in meaning && valuesToJson(item.inputs, meaning)),
    ...('note' in meaning && meaning.note !== undefined && { note: meaning.note }),
    ...('reason' in meaning && { reason: meaning.reason }),
    ...originToJson(origin),
  };
}

function valuesToJson(
  inputs: readonly AbiParameter[],
  { values, nested }: { readonly values: readonly AbiValue[]; readonly nested: readonly NestedMeaning[] },
) {
  const args = inputs.map(({ name, type }, index): ArgumentJson => {
    return { name, type: type.text, value: abiValueToJson(type, values[index] as AbiValue) };
  });
  const inside = nested.flatMap(({ path, meanings }) =>
    meanings.map((meaning) => ({ in: nestedPathText(inputs, path), meaning: meaningToJson(meaning) })),
  );
  return { args, ...(inside.length > 0 && { nested: inside }) };
}

function originToJson({ trust, from }: Origin) {
  return { source: trust, from };
}
