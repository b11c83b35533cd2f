import * as z from 'zod/mini';
import { requireTopic } from '../../abi/eventSignature.ts';
import { AppError, badInput } from '../../base/errors.ts';
import { type Address, requireAddress } from '../../values/address.ts';
import type { Hex } from '../../values/hex.ts';
import type { Log } from './log.ts';

/** A block height, or a tag that is resolved when a query begins. */
export type BlockTag = bigint | 'earliest' | 'latest';

/** Which logs are asked for. The same on every server. */
export interface LogFilter {
  /** Any of these; empty: any address. */
  readonly addresses: readonly Address[];
  /** By position: null is any topic or none, a list is any of its values. No trailing nulls, no empty list. */
  readonly topics: readonly (readonly Hex[] | null)[];
  /** Inclusive. */
  readonly fromBlock: BlockTag;
  /** Inclusive. */
  readonly toBlock: BlockTag;
}

const BlockField = z.optional(z.nullable(z.union([z.string(), z.number(), z.bigint()])));
const QueryFile = z.strictObject({
  address: z.optional(z.nullable(z.union([z.string(), z.array(z.string())]))),
  topics: z.optional(z.nullable(z.array(z.nullable(z.union([z.string(), z.array(z.string())]))))),
  fromBlock: BlockField,
  toBlock: BlockField,
});

/**
 * A filter out of the JSON form that `eth_getLogs` takes: `address` one or several, `topics` by position (null is
 * any), `fromBlock` and `toBlock` as a tag, decimal or `0x` hex. An absent bound means `earliest` and `latest`: all.
 *
 * @throws AppError `badInput` naming the field; also for a key that is not known, so that a slip is not lost.
 */
export function parseLogFilter(query: unknown): LogFilter {
  const parsed = QueryFile.safeParse(query);
  if (!parsed.success) throw describeShape(parsed.error);
  const { address, topics, fromBlock, toBlock } = parsed.data;
  return createLogFilter({
    addresses: listOf(address).map((text) => requireAddress(text)),
    topics: (topics ?? []).map((position) =>
      position === null ? null : listOf(position).map((text) => requireTopic(text)),
    ),
    fromBlock: parseBlockTag(fromBlock ?? 'earliest', 'fromBlock'),
    toBlock: parseBlockTag(toBlock ?? 'latest', 'toBlock'),
  });
}

/**
 * The filter in its one normal form: no address or topic twice, no trailing null.
 *
 * @throws AppError `badInput`: more than four topics, an empty list of topics, or from above to.
 */
export function createLogFilter(filter: LogFilter): LogFilter {
  if (filter.topics.length > 4)
    throw badInput('topics', 'A log has at most four topics.', { code: 'tooManyTopics' });
  if (filter.topics.some((position) => position?.length === 0)) {
    throw badInput('topics', 'An empty list of topics matches nothing. Use null for any topic.', {
      code: 'emptyTopics',
    });
  }
  const { fromBlock, toBlock } = filter;
  if (isReversed(fromBlock, toBlock)) {
    throw badInput('fromBlock', `The first block (${fromBlock}) is above the last block (${toBlock}).`, {
      code: 'blocksReversed',
      values: [String(fromBlock), String(toBlock)],
    });
  }
  const last = filter.topics.findLastIndex((position) => position !== null);
  return {
    addresses: [...new Set(filter.addresses)],
    topics: filter.topics.slice(0, last + 1).map((position) => position && [...new Set(position)]),
    fromBlock,
    toBlock,
  };
}

/** Compares what can be compared before the chain is asked: `latest` to a number cannot. */
function isReversed(from: BlockTag, to: BlockTag): boolean {
  const first = from === 'earliest' ? 0n : from;
  const last = to === 'earliest' ? 0n : to;
  if (first === 'latest') return to === 'earliest';
  return last !== 'latest' && first > last;
}

/**
 * A block as people and JSON-RPC write it: `earliest`, `latest`, decimal digits (commas and underscores allowed
 * between them), or `0x` hex.
 *
 * @throws AppError `badInput` for `field`.
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

/** Whether `log` is what `filter` asks for, its block range aside. */
export function matchesFilter(filter: LogFilter, log: Log): boolean {
  if (filter.addresses.length > 0 && !filter.addresses.includes(log.address)) return false;
  return filter.topics.every((position, index) => {
    if (position === null) return true;
    const topic = log.topics[index];
    return topic !== undefined && position.includes(topic);
  });
}

function listOf(value: string | readonly string[] | null | undefined): readonly string[] {
  if (value === null || value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

function describeShape(error: z.core.$ZodError): AppError {
  const issue = error.issues[0];
  const unknownKey = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const field = unknownKey ?? String(issue?.path[0] ?? 'query');
  const message = unknownKey
    ? `${unknownKey} is not a part of a log query. It takes address, topics, fromBlock and toBlock.`
    : `${field} is not of the form that a log query takes.`;
  return new AppError('badInput', message, { field, cause: error });
}
