import fc from 'fast-check';
import type { Hex } from 'viem';
import type { MadeLog } from './arbitraryLog.ts';

const WORD = 64;
const words = fc.oneof(
  fc.constantFrom(
    0n,
    1n,
    31n,
    32n,
    33n,
    64n,
    2n ** 31n,
    2n ** 32n,
    2n ** 48n,
    2n ** 53n,
    2n ** 64n,
    2n ** 255n,
  ),
  fc.bigInt({ min: 0n, max: 512n }),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
);

/** What is done to the data: at a place of it, given as a share. */
const damage = fc.tuple(fc.constantFrom('cut', 'insert', 'digit', 'word', 'double', 'swap'), fc.nat(), words);

/** The same log with faults of every kind: cut off, longer, with other offsets, lengths and padding, other topics. */
export function mutated(log: fc.Arbitrary<MadeLog>): fc.Arbitrary<MadeLog> {
  const topics = fc.tuple(fc.constantFrom('same', 'same', 'same', 'less', 'more', 'word'), fc.nat(), words);
  return fc
    .tuple(log, fc.array(damage, { minLength: 1, maxLength: 3 }), topics)
    .map(([made, damages, [how, place, word]]) => ({
      ...made,
      data: damages.reduce((data, each) => damaged(data, each), made.data),
      topics: otherTopics(made.topics, how, { place, word }),
    }));
}

function damaged(data: Hex, [how, place, word]: [string, number, bigint]): Hex {
  const digits = data.slice(2);
  const at = digits.length === 0 ? 0 : place % digits.length;
  const start = at - (at % WORD);
  const written = wordOf(word);
  switch (how) {
    case 'cut':
      return `0x${digits.slice(0, at - (at % 2))}`;
    case 'insert':
      return `0x${digits.slice(0, start)}${written}${digits.slice(start)}`;
    case 'digit':
      return `0x${digits.slice(0, at)}${(word % 16n).toString(16)}${digits.slice(at + 1)}`;
    case 'word':
      return `0x${digits.slice(0, start)}${written}${digits.slice(start + WORD)}`;
    case 'double':
      return `0x${digits}${digits.slice(start)}`;
    default:
      return `0x${digits.slice(start)}${digits.slice(0, start)}`;
  }
}

function otherTopics(
  topics: readonly Hex[],
  how: string,
  { place, word }: { readonly place: number; readonly word: bigint },
): readonly Hex[] {
  const at = topics.length === 0 ? 0 : place % topics.length;
  switch (how) {
    case 'less':
      return topics.slice(0, at);
    case 'more':
      return [...topics, `0x${wordOf(word)}`];
    case 'word':
      return topics.map((topic, index): Hex => (index === at ? `0x${wordOf(word)}` : topic));
    default:
      return topics;
  }
}

function wordOf(word: bigint): string {
  return word.toString(16).padStart(WORD, '0');
}
