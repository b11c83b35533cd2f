import type { ChainPlace } from '../../../abi/codeVersions.ts';
import type { Hex } from '../../../values/hex.ts';
import { writeHex } from '../../../values/hexBytes.ts';
import type { Log } from '../../query/log.ts';
import type { HashList } from './hashList.ts';
import type { RowBodies } from './rowBodies.ts';
import { equalWords, newWord, takeWord, WORD_BYTES } from './storedWord.ts';

/** Where the values of a store's rows are. */
export interface LogColumns {
  readonly addresses: HashList;
  readonly topics: HashList;
  readonly transactions: HashList;
  readonly bodies: RowBodies;
  /** The number of a row's transaction. */
  transactionOf(row: number): number;
  /** Where on the chain a row stands. */
  placeAt(row: number): ChainPlace;
  /** The whole of a row, made anew at each call. */
  logAt(row: number): Log;
}

const NO = 1;
const YES = 2;

/** What is true of the numbers of a list: each is judged once, what comes to the list later each time. */
export function remembered(list: HashList, judge: (number: number) => boolean): (number: number) => boolean {
  const known = new Uint8Array(list.length);
  return (number) => {
    const before = known[number];
    if (before === YES || before === NO) return before === YES;
    const is = judge(number);
    if (before !== undefined) known[number] = is ? YES : NO;
    return is;
  };
}

/** Whether a topic is one of these, by its number. */
export function topicIsOneOf({ topics }: LogColumns, values: readonly Hex[]): (number: number) => boolean {
  const wanted = values.map((value) => {
    const bytes = new Uint8Array(WORD_BYTES);
    writeHex(value, bytes, 0);
    const word = newWord();
    takeWord(word, bytes, 0);
    return word;
  });
  const topic = newWord();
  return remembered(topics, (number) => {
    topics.wordAt(number, topic);
    return wanted.some((word) => equalWords(word, topic));
  });
}
