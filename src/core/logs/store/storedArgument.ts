import type { AbiEvent } from '../../abi/abiItem.ts';
import type { AbiType } from '../../abi/abiType.ts';
import type { ChainPlace } from '../../abi/codeVersions.ts';
import type { Address } from '../../values/address.ts';
import type { Hex } from '../../values/hex.ts';
import type { Log } from '../query/log.ts';
import { WORD_BYTES } from './packed/storedWord.ts';

/** Where an argument is in a log: its topic, or its first word in the data, by the byte at which that begins. */
export type ArgumentPlace =
  | { readonly slot: number; readonly offset?: undefined }
  | { readonly slot?: undefined; readonly offset: number };

/** An argument of an event as it is found in stored rows, without decoding them. */
export interface StoredArgument {
  /** Of the rows that have it. */
  readonly topic0: Hex;
  readonly type: AbiType;
  /**
   * By the number of topics that a log has, 1 to 4: events of one signature may differ in what is indexed. Undefined
   * where none is known.
   */
  readonly places: readonly (ArgumentPlace | undefined)[];
  /** Where it is in rows of a contract that has several versions; undefined for one that has one. */
  readonly versionsOf?: ((address: Address) => VersionedPlaces | undefined) | undefined;
}

/** Where an argument is, by the version of a contract that was in force. */
export interface VersionedPlaces {
  /** @param topics how many the row has. @param log makes the whole of it, which few need. */
  placeAt(at: ChainPlace, topics: number, log: () => Log): ArgumentPlace | undefined | 'plain';
}

/**
 * Where the argument `index` of an event is, of which the layouts that may be meant are given, the most trusted first.
 * Undefined where none of them has it, or they are anonymous.
 *
 * @example storedArgument([], 0) // undefined
 */
export function storedArgument(layouts: readonly AbiEvent[], index: number): StoredArgument | undefined {
  const named = layouts.filter(({ anonymous }) => !anonymous);
  const first = named.find(({ inputs }) => inputs[index] !== undefined);
  const type = first?.inputs[index]?.type;
  if (!first || !type) return undefined;
  const places: (ArgumentPlace | undefined)[] = [];
  for (const layout of named) {
    if (layout.signature !== first.signature) continue;
    const topics = 1 + layout.inputs.filter(({ indexed }) => indexed).length;
    places[topics] ??= argumentPlace(layout, index);
  }
  return { topic0: first.topic0, type, places };
}

/** Where the parameter `index` of an event is in its logs. */
export function argumentPlace({ inputs }: AbiEvent, index: number): ArgumentPlace {
  const before = inputs.slice(0, index);
  if (inputs[index]?.indexed) return { slot: 1 + before.filter(({ indexed }) => indexed).length };
  const words = before
    .filter(({ indexed }) => !indexed)
    .reduce((sum, { type }) => sum + (staticWords(type) ?? 1), 0);
  return { offset: words * WORD_BYTES };
}

/**
 * How many words a value of the type takes; undefined where that depends on the value, of which there is the offset then:
 * https://docs.soliditylang.org/en/latest/abi-spec.html#formal-specification-of-the-encoding
 */
export function staticWords(type: AbiType): number | undefined {
  switch (type.kind) {
    case 'string':
    case 'bytes':
      return undefined;
    case 'array': {
      const words = type.length === undefined ? undefined : staticWords(type.item);
      return words === undefined ? undefined : words * (type.length ?? 0);
    }
    case 'tuple': {
      let sum = 0;
      for (const { type: member } of type.members) {
        const words = staticWords(member);
        if (words === undefined) return undefined;
        sum += words;
      }
      return sum;
    }
    default:
      return 1;
  }
}
