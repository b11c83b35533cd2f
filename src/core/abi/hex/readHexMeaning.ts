import { type Hex, parseHexData } from '../../values/hex.ts';
import type { AbiLookup, OnChain } from '../candidates.ts';
import { explainBlob, explainWord } from './explainBare.ts';
import { explainData, itemsOf, SELECTOR_DIGITS, startExplaining } from './explainData.ts';
import type { HashMeaning, HexMeaning } from './hexMeaning.ts';

const WORD_DIGITS = 64;
/** 1 MiB: eight times what a node takes as a transaction. */
export const MOST_HEX_DIGITS = 2 * 1024 * 1024;
const MOST_EVENTS = 16;
const ADDRESS_DIGITS = 40;

/**
 * What hex may stand for, the best first: 4 bytes the selector of a function or an error; 32 bytes a topic0, or else an
 * address, a text or a number; 4 bytes and words a call or the data of a revert, with the calls that stand in its
 * `bytes`; words alone what `abi.encode` made. What is known is `lookup`'s, and Solidity's `Error(string)` and
 * `Panic(uint256)`. All that fits is given, as four bytes may mean several things. Nothing is thrown, and nothing comes
 * of what is no hex, over 1 MiB, or unknown (`noMeaningText` says which).
 *
 * @param options.at the contract that was called or that reverted.
 * @example explainHex('0x4e487b71', { lookup: joinLookups() }).map(({ kind }) => kind) // ['error']
 */
export function explainHex(
  hex: Hex,
  { lookup, at }: { readonly lookup: AbiLookup; readonly at?: OnChain | undefined },
): readonly HexMeaning[] {
  const data = hex.length > 2 + MOST_HEX_DIGITS ? undefined : parseHexData(hex);
  if (data === undefined) return [];
  const explaining = startExplaining({ lookup, at });
  if (data.length === SELECTOR_DIGITS) {
    return itemsOf(data, explaining).map(({ candidate: { item, origin } }) => ({
      kind: item.kind,
      item,
      origin,
    }));
  }
  if (data.length === 2 + WORD_DIGITS) return explainOneWord(data, lookup, at);
  const words = areWords(data) ? explainBlob(data, explaining) : [];
  return data.length > SELECTOR_DIGITS ? [...words, ...explainData(data, explaining)] : words;
}

function explainOneWord(word: Hex, lookup: AbiLookup, at: OnChain | undefined): readonly HexMeaning[] {
  return [...explainTopic(word, lookup, at), ...explainWord(word)];
}

function areWords(data: Hex): boolean {
  return data.length > 2 && (data.length - 2) % WORD_DIGITS === 0;
}

function explainTopic(topic0: Hex, lookup: AbiLookup, at: OnChain | undefined): readonly HashMeaning[] {
  const events = lookup.events(topic0, at).slice(0, MOST_EVENTS);
  return events.map(({ item, origin }) => ({ kind: 'event', item, origin }));
}

/**
 * Why {@link explainHex} has nothing to say, as a sentence.
 *
 * @example noMeaningText('0x12') // 'Fewer than 4 bytes, which is too short for a selector.'
 */
export function noMeaningText(hex: string): string {
  if (hex.length > 2 + MOST_HEX_DIGITS) return 'Longer than 1 MiB: not decoded.';
  const data = parseHexData(hex);
  if (data === undefined) return 'Not hex: expected 0x and an even number of hex digits.';
  if (data.length < SELECTOR_DIGITS) return 'Fewer than 4 bytes, which is too short for a selector.';
  if (data.length === 2 + ADDRESS_DIGITS) return '20 bytes, which is an address rather than an encoding.';
  if (areWords(data)) return 'Words that match no single value, too many to list.';
  return `No function and no error with the selector ${data.slice(0, SELECTOR_DIGITS)} is known.`;
}
