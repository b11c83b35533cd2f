import type { Hex } from 'ox';
import * as z from 'zod/mini';
import type { ExplorerIndex, IndexedLog } from '../index/explorerIndex.ts';
import { type NodeProfile, type NodeRefusal, type Overrun, RefusedByNode } from './nodeProfile.ts';

const bytes = (size: number) => z.string().check(z.regex(new RegExp(`^0x[0-9a-fA-F]{${size * 2}}$`)));
const blockSchema = z.union([
  z.enum(['earliest', 'latest']),
  z.string().check(z.regex(/^0x(0|[1-9a-f][0-9a-f]*)$/i)),
]);
const filterSchema = z.looseObject({
  address: z.nullish(z.union([bytes(20), z.array(bytes(20))])),
  topics: z.nullish(
    z.array(z.nullable(z.union([bytes(32), z.array(z.nullable(bytes(32)))]))).check(z.maxLength(4)),
  ),
  fromBlock: z.optional(blockSchema),
  toBlock: z.optional(blockSchema),
});
const knownFields = ['address', 'topics', 'fromBlock', 'toBlock', 'blockHash'];

type NodeFilter = {
  readonly addresses: readonly string[];
  /** By position; undefined stands for any topic. */
  readonly topics: readonly (readonly string[] | undefined)[];
  readonly from: number;
  readonly to: number;
};

/** `eth_getLogs` of a node: every matching log of the main chain, or a refusal. */
export function readNodeLogs(param: unknown, index: ExplorerIndex, profile: NodeProfile): readonly unknown[] {
  const { from, to, ...filter } = readFilter(param, index.head() ?? 0, profile);
  if (from > to) {
    if (profile.reversedRange !== 'empty') throw new RefusedByNode(profile.reversedRange);
    return [];
  }
  const { maxDistance = Number.POSITIVE_INFINITY, maxLogs = Number.POSITIVE_INFINITY } = profile.limits;
  if (profile.tooWide && to - from > maxDistance) {
    throw new RefusedByNode(profile.tooWide({ limit: maxDistance, from, to, fitsTo: from + maxDistance }));
  }
  const found: IndexedLog[] = [];
  for (const log of candidates(index, { ...filter, from, to })) {
    if (isOfMainChain(index, log) && matches(filter, log, profile)) found.push(log);
  }
  const unlimited = profile.oneBlockUnlimited && from === to;
  if (profile.tooMany && found.length > maxLogs && !unlimited) {
    throw new RefusedByNode(profile.tooMany(overrunOf(found, maxLogs, from, to)));
  }
  return found.map((log) => renderLog(log, index, profile));
}

function readFilter(param: unknown, head: number, profile: NodeProfile): NodeFilter {
  const parsed = filterSchema.safeParse(param);
  if (!parsed.success) throw new RefusedByNode({ code: -32602, message: 'invalid argument 0' });
  const { unknownField, beyondHead } = profile;
  const isKnown = (field: string) => knownFields.includes(field);
  if (unknownField !== 'ignored' && !Object.keys(parsed.data).every(isKnown)) refuse(unknownField);
  const { address, topics, fromBlock = 'latest', toBlock = 'latest' } = parsed.data;
  const height = (block: string) => (block === 'earliest' ? 0 : block === 'latest' ? head : Number(block));
  const to = height(toBlock);
  if (to > head && beyondHead !== 'cutOff') refuse(beyondHead);
  return {
    addresses: address ? lowerAll(address) : [],
    topics: (topics ?? []).map(anyOf),
    from: height(fromBlock),
    to: Math.min(to, head),
  };
}

function refuse(refusal: NodeRefusal): never {
  throw new RefusedByNode(refusal);
}

/** An empty list, or one with a null, is any topic. */
function anyOf(topic: string | readonly (string | null)[] | null): readonly string[] | undefined {
  const values = topic === null ? [] : [topic].flat();
  const given = values.filter((value) => value !== null);
  return given.length === 0 || given.length < values.length ? undefined : lowerAll(given);
}

function lowerAll(values: string | readonly string[]): readonly string[] {
  return [values].flat().map((value) => value.toLowerCase());
}

function candidates(index: ExplorerIndex, { addresses: [only, ...others], from, to }: NodeFilter) {
  return index.logs({ from, to }, others.length === 0 ? (only as Hex.Hex | undefined) : undefined);
}

function isOfMainChain(index: ExplorerIndex, log: IndexedLog): boolean {
  const block = index.transaction(log.transactionHash)?.block;
  return block?.consensus === true && block.hash === log.blockHash;
}

function matches(
  { addresses, topics }: Pick<NodeFilter, 'addresses' | 'topics'>,
  log: IndexedLog,
  { trailingNull }: NodeProfile,
): boolean {
  if (addresses.length > 0 && !addresses.includes(log.address)) return false;
  if (trailingNull === 'anyTopic' && topics.length > log.topics.length) return false;
  return topics.every((values, place) => values === undefined || values.includes(log.topics[place] ?? ''));
}

function overrunOf(found: readonly IndexedLog[], limit: number, from: number, to: number): Overrun {
  const firstThatIsTooMuch = found[limit]?.blockNumber ?? to;
  return { limit, from, to, fitsTo: firstThatIsTooMuch - 1 };
}

function renderLog(log: IndexedLog, index: ExplorerIndex, { blockTimestamp }: NodeProfile) {
  return {
    address: log.address,
    topics: log.topics,
    data: log.data,
    blockNumber: quantity(log.blockNumber),
    transactionHash: log.transactionHash,
    transactionIndex: quantity(index.transaction(log.transactionHash)?.index ?? 0),
    blockHash: log.blockHash,
    ...(blockTimestamp ? { blockTimestamp: quantity(index.block(log.blockHash)?.timestamp ?? 0) } : {}),
    logIndex: quantity(log.logIndex),
    removed: false,
  };
}

function quantity(value: number): string {
  return `0x${value.toString(16)}`;
}
