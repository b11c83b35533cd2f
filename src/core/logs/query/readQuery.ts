import { toAbiWord } from '../../abi/abiWord.ts';
import { parseEventOrTopic0, requireTopic } from '../../abi/eventSignature.ts';
import { type AppError, badInput, isAppError } from '../../base/errors.ts';
import { parseAddress, requireAddress } from '../../values/address.ts';
import type { Hex } from '../../values/hex.ts';
import {
  declaredEvent,
  type EventArgument,
  eventArguments,
  topicsOfArgument,
  type WrittenArguments,
} from './eventArguments.ts';
import { type BlockTag, createLogFilter, type LogFilter } from './logFilter.ts';

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
}

/**
 * How topics are written. `exact`: 32 bytes of hex, as in `eth_getLogs`; errors name the field `topics`. `typed`: as
 * people type them; position 0 (field `event`) also takes an event as Solidity writes it, the others (fields `topic1`
 * to `topic3`) an address.
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
    texts && !(hasEvent && position === 0) ? read(() => readTopics(texts, position, style)) : null,
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

function readTopics(texts: readonly string[], position: number, style: TopicStyle): readonly Hex[] {
  if (style === 'exact') return texts.map((text) => requireTopic(text, 'topics'));
  if (position > 0) return texts.map((text) => topicOf(text, `topic${position}`));
  const [first = ''] = texts;
  return texts.length === 1 ? [parseEventOrTopic0(first)] : texts.map((text) => requireTopic(text, 'event'));
}

/** An address stands for its topic, as an indexed address is logged. */
function topicOf(text: string, field: string): Hex {
  const address = parseAddress(text);
  if (address) return toAbiWord(address);
  try {
    return requireTopic(text, field);
  } catch {
    throw badInput(field, 'Not a topic: it takes 0x and 64 hex digits (32 bytes), or an address.', {
      code: 'notTopicOrAddress',
    });
  }
}

/**
 * A block as people and JSON-RPC write it: `earliest`, `latest`, decimal digits (commas and underscores allowed
 * between them), or `0x` hex.
 *
 * @throws AppError `badInput` for `field`.
 * @example parseBlockTag('21,345,678', 'fromBlock') // 21345678n
 */
export function parseBlockTag(value: string | number | bigint, field: string): BlockTag {
  const text = String(value).trim().toLowerCase();
  if (text === 'earliest' || text === 'latest') return text;
  if (/^0x[0-9a-f]{1,16}$/.test(text)) return BigInt(text);
  if (/^\d{1,3}([,_]\d{3}){1,6}$|^\d{1,19}$/.test(text)) return BigInt(text.replace(/[,_]/g, ''));
  throw badInput(field, 'Not a block: write earliest, latest, a number, or 0x and hex digits.', {
    code: 'notBlock',
  });
}
