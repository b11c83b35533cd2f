import type { DecodedLog, LogDecoder } from '../../abi/logDecoder.ts';
import { type AbiValue, type EventParameter, isHashed } from '../../abi/type.ts';
import type { Address, Hex } from '../../eth/hex.ts';
import type { LogStore } from '../store/logStore.ts';
import { toStoredWord } from '../store/word.ts';

/** Whether a log may be of an anonymous event, whose topics and data do not say so. */
export type AnonymousTest = (topic0: Hex | undefined, address: Address) => boolean;

/** Decodes a row if it is of an anonymous event; undefined for others. */
export type AnonymousReader = (row: number) => DecodedLog | undefined;

/** Topics of a store are fewer. */
const MAX_TOPICS = 2 ** 26;

/**
 * Creates a reader of the rows of anonymous events, which are found by decoding only.
 *
 * @example
 * const read = createAnonymousReader(store, { decoder, mayBeAnonymous });
 * read(0); // undefined for a log of a named event
 */
export function createAnonymousReader(
  store: Pick<LogStore, 'columns'>,
  {
    decoder,
    mayBeAnonymous,
  }: { readonly decoder: LogDecoder | undefined; readonly mayBeAnonymous: AnonymousTest | undefined },
): AnonymousReader {
  const { bodies, topics, addresses, logAt } = store.columns;
  if (!decoder || !mayBeAnonymous) return () => undefined;
  const cache = new Map<number, boolean>();
  let last: { readonly row: number; readonly decoded: DecodedLog | undefined } | undefined;

  function isCandidate(row: number): boolean {
    const address = bodies.addressAt(row);
    const topic = bodies.topicCountAt(row) === 0 ? undefined : bodies.topicAt(row, 0);
    const key = address * MAX_TOPICS + (topic ?? MAX_TOPICS - 1);
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const topic0 = topic === undefined ? undefined : (topics.at(topic) as Hex);
    const found = mayBeAnonymous?.(topic0, addresses.at(address) as Address) === true;
    cache.set(key, found);
    return found;
  }

  return (row) => {
    if (!isCandidate(row)) return undefined;
    if (last?.row !== row) {
      const decoded = decoder.decode(logAt(row));
      last = { row, decoded: 'event' in decoded && decoded.event.anonymous ? decoded : undefined };
    }
    return last.decoded;
  };
}

/**
 * A decoded value as the word that a row stores for it; undefined if it takes several.
 *
 * @example toValueWord({ name: 'by', type: { kind: 'bool', text: 'bool' }, indexed: true }, true)?.length // 1
 */
export function toValueWord(parameter: EventParameter, value: AbiValue) {
  if (typeof value === 'bigint') return toStoredWord(value);
  if (typeof value === 'boolean') return toStoredWord(value ? 1n : 0n);
  if (typeof value !== 'string') return undefined;
  const { kind } = parameter.type;
  if (isHashed(parameter) || kind === 'address') return toStoredWord(BigInt(value));
  return kind === 'fixedBytes' ? toStoredWord(BigInt(value.padEnd(66, '0'))) : undefined;
}
