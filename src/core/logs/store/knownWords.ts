import type { Address } from '../../values/address.ts';
import type { Hex } from '../../values/hex.ts';
import { type LogColumns, remembered, topicIsOneOf } from './packed/logColumns.ts';
import { equalWords, newWord, type StoredWord, wordOf } from './packed/storedWord.ts';
import type { RowKnowledge } from './rowKnowledge.ts';
import type { RowFilter } from './storeFilter.ts';
import { fittingWord, inUnits, readNumber } from './typedAmount.ts';

/** Rows that have one of these words as an argument: a topic behind the first, or a whole word of the data. */
function holdsWord({ topics, bodies }: LogColumns, words: readonly StoredWord[]): (row: number) => boolean {
  const topic = newWord();
  const inTopic = remembered(topics, (number) => {
    topics.wordAt(number, topic);
    return words.some((word) => equalWords(word, topic));
  });
  return (row) => {
    const count = bodies.topicCountAt(row);
    for (let slot = 1; slot < count; slot++) if (inTopic(bodies.topicAt(row, slot))) return true;
    return bodies.hasWord(row, words);
  };
}

/**
 * Rows with `text` in the name of their event, of their contract or of an address among their arguments; undefined where
 * nothing is known by such a name.
 */
export function nameFilter(text: string, knowledge: RowKnowledge | undefined): RowFilter | undefined {
  const named = knowledge?.addressesNamed(text, 'part') ?? [];
  const events = knowledge?.eventsNamed(text, 'part') ?? [];
  if (named.length === 0 && events.length === 0) return undefined;
  return ({ columns }) => {
    const isEvent = topicIsOneOf(columns, events);
    const holds = named.length === 0 ? () => false : holdsAddress(columns, named);
    const { bodies } = columns;
    return (row) => (bodies.topicCountAt(row) > 0 && isEvent(bodies.topicAt(row, 0))) || holds(row);
  };
}

function holdsAddress(columns: LogColumns, named: readonly Address[]): (row: number) => boolean {
  const { addresses, bodies } = columns;
  const wanted = new Set<Hex>(named);
  const isEmitter = remembered(addresses, (number) => wanted.has(addresses.at(number)));
  const holds = holdsWord(
    columns,
    named.map((address) => wordOf(BigInt(address))),
  );
  return (row) => isEmitter(bodies.addressAt(row)) || holds(row);
}

/**
 * Rows with a number among their arguments: as it is, or in the units in which amounts of their contract are shown.
 * Undefined where `text` is no number.
 */
export function numberFilter(text: string, knowledge: RowKnowledge | undefined): RowFilter | undefined {
  const number = readNumber(text);
  if (!number) return undefined;
  const wordIn = (decimals: number) => {
    const { floor, isExact } = inUnits(number, decimals);
    return isExact ? fittingWord(floor, floor < 0n) : undefined;
  };
  const raw = wordIn(0);
  return ({ columns }) => {
    const { addresses, bodies } = columns;
    const holdsRaw = raw ? holdsWord(columns, [raw]) : () => false;
    const byContract = new Map<number, (row: number) => boolean>();
    const testFor = (contract: number) => {
      const known = byContract.get(contract);
      if (known) return known;
      const decimals = knowledge?.decimalsOf(addresses.at(contract));
      const word = decimals === undefined ? undefined : wordIn(decimals);
      const test = word ? holdsWord(columns, raw ? [raw, word] : [word]) : holdsRaw;
      byContract.set(contract, test);
      return test;
    };
    return (row) => testFor(bodies.addressAt(row))(row);
  };
}
