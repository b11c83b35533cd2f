import { parseEventOrTopic0, requireTopic } from '../../abi/eventSignature.ts';
import { type AppError, badInput, isAppError } from '../../base/errors.ts';
import { requireAddress } from '../../values/address.ts';
import type { Hex } from '../../values/hex.ts';
import { parseBlockTag } from './blockTag.ts';
import {
  declaredEvent,
  type EventArgument,
  eventArguments,
  topicsOfArgument,
  type WrittenArguments,
} from './eventArguments.ts';
import { createLogFilter, type LogFilter } from './logFilter.ts';
import { readTopicText, topicTypes } from './topicTexts.ts';

/**
 * A log query field by field, as it was written and not yet read. Every outer shape (JSON, arguments of a command, texts
 * of a form) is turned into this one first. A {@link LogFilter} is one as it stands.
 */
export interface WrittenQuery {
  /** Empty: any address. */
  readonly addresses: readonly string[];
  /** By position: null is any topic. */
  readonly topics: readonly (readonly string[] | null)[];
  /** An event as Solidity writes it, or a topic0, in place of the first of `topics`. */
  readonly event?: string | undefined;
  /** Values of indexed parameters of `event`, which then says `indexed`. Those of other names are passed over. */
  readonly args?: WrittenArguments | undefined;
  /** Undefined: from the first block. */
  readonly fromBlock?: string | number | bigint | undefined;
  /** Undefined: to the latest block. */
  readonly toBlock?: string | number | bigint | undefined;
  /** Which end of the range is read first; undefined: the newest. */
  readonly order?: 'newestFirst' | 'oldestFirst' | undefined;
}

/**
 * How topics are written. `exact`: 32 bytes of hex, as in `eth_getLogs`; errors name the field `topics`. `typed`: as
 * people type them; position 0 (field `event`) also takes an event as Solidity writes it, the others (fields `topic1`
 * to `topic3`) a value, as {@link readTopicText} does.
 */
type TopicStyle = 'exact' | 'typed';

/** The filter, or an error for each field that cannot be read: `badInput`, with the name of the field. */
export type ReadQuery =
  | { readonly filter: LogFilter; readonly problems?: undefined }
  | { readonly filter?: undefined; readonly problems: readonly AppError[] };

/**
 * Reads every field of a query, so that all that is wrong is known at once, in the order of the fields.
 *
 * @example readQuery({ addresses: [], topics: [['0x12']] }, 'exact').problems?.[0]?.details.field // 'topics'
 */
export function readQuery(written: WrittenQuery, style: TopicStyle): ReadQuery {
  const problems: AppError[] = [];
  const read = <T>(parse: () => T): T | undefined => {
    try {
      return parse();
    } catch (error) {
      if (!isAppError(error, 'badInput')) throw error;
      problems.push(error);
      return undefined;
    }
  };
  const addresses = read(() => written.addresses.map((text) => requireAddress(text)));
  const { event = '', args = {} } = written;
  const hasEvent = event.trim() !== '';
  const topic0 = hasEvent ? read(() => [parseEventOrTopic0(event)]) : undefined;
  const topics: (readonly Hex[] | null | undefined)[] = written.topics.map((texts, position) =>
    texts && !(hasEvent && position === 0) ? read(() => readTopics(texts, { position, style, event })) : null,
  );
  if (hasEvent) topics[0] = topic0;
  for (const argument of argumentsOf(event)) {
    const values = Object.hasOwn(args, argument.key) ? (args[argument.key] ?? []) : [];
    if (values.length > 0) read(() => placeArgument(topics, { argument, values, style }));
  }
  const fromBlock = read(() => parseBlockTag(written.fromBlock ?? 'earliest', 'fromBlock'));
  const toBlock = read(() => parseBlockTag(written.toBlock ?? 'latest', 'toBlock'));
  if (!addresses || fromBlock === undefined || toBlock === undefined || problems.length > 0) {
    return { problems };
  }
  const filter = read(() =>
    createLogFilter({
      ...{ addresses, fromBlock, toBlock },
      topics: Array.from(topics, (values) => values ?? null),
    }),
  );
  return filter ? { filter } : { problems };
}

function argumentsOf(event: string): readonly EventArgument[] {
  const declared = declaredEvent(event);
  return declared ? eventArguments(declared) : [];
}

interface GivenArgument {
  readonly argument: EventArgument;
  readonly values: readonly string[];
  readonly style: TopicStyle;
}

function placeArgument(
  topics: (readonly Hex[] | null | undefined)[],
  { argument, values, style }: GivenArgument,
): void {
  const { key, position } = argument;
  const found = topicsOfArgument(argument, values);
  if (topics[position]) {
    const field = style === 'exact' ? 'topics' : `topic${position}`;
    const message = `This is the topic of ${key}, which has a value too. Clear one of them.`;
    throw badInput(field, message, { code: 'topicTwice', values: [key] });
  }
  topics[position] = found;
}

function readTopics(
  texts: readonly string[],
  at: { readonly position: number; readonly style: TopicStyle; readonly event: string },
): readonly Hex[] {
  const { position, style, event } = at;
  if (style === 'exact') return texts.map((text) => requireTopic(text, 'topics'));
  if (position > 0) {
    const types = topicTypes(event, position);
    return texts.map((text) => readTopicText(text, types, `topic${position}`).topic);
  }
  const [first = ''] = texts;
  return texts.length === 1 ? [parseEventOrTopic0(first)] : texts.map((text) => requireTopic(text, 'event'));
}
