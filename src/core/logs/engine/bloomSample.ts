import * as z from 'zod/mini';
import { AppError, isAppError, throwIfAborted } from '../../base/errors.ts';
import { bigintMin } from '../../base/values.ts';
import { type Hex, parseQuantity, toQuantity } from '../../eth/hex.ts';
import { createCallBatching } from '../../rpc/batching.ts';
import { isMissingMethod } from '../../rpc/ethCall.ts';
import { readHeader } from '../proof/blockHeader.ts';
import {
  type Blocks,
  type CheckOptions,
  isFull,
  MAX_ATTEMPTS,
  type SampledBlock,
  toRetry,
} from './blockComparison.ts';
import { createBatchKnowledge } from './dialectMemory.ts';
import { waitForReplica } from './fetchLogs.ts';
import type { QueryContext } from './getLogs.ts';

/** Headers that are sampled first: the first blocks, and as many spread over the others. */
const SAMPLED_FIRST = 8;
const SAMPLED_SPREAD = 8;
/** Without batches. */
const SAMPLED_ALONE = 4;
/** Further headers where the first ones leave open which is the lowest block with logs. */
const MAX_FURTHER = 100;
/** Where few blocks have logs, a range of so many blocks is read whole. */
const MAX_SPARSE = 1000;
/** The same of a server that takes few calls in one request: in so many requests, or in more for a short range. */
const MAX_REQUESTS = 20;
const MIN_SPARSE = 100;
/** Transactions in a small block, whose header is small as well. */
const MAX_SMALL_BLOCK = 16;

export interface BloomSample {
  /** Those whose bloom has a bit, in ascending order. */
  readonly withLogs: readonly SampledBlock[];
  /** Every block of the range is among them. */
  readonly isWhole: boolean;
  /**
   * No header has a bloom; or a block with a row has an empty one, and so have all others. It may be a chain without
   * blooms, or a row of a system contract, whose logs are not in the bloom of their block (Polygon).
   */
  readonly hasNoBlooms: boolean;
  /** The lowest block whose bloom has been emptied, by the hash of its header. */
  readonly alteredAt?: bigint | undefined;
}

export const NO_SAMPLE: BloomSample = { withLogs: [], isWhole: false, hasNoBlooms: false };

/**
 * The blooms of some blocks of a range.
 *
 * @param lowestRow the lowest block with a row, whose bloom is also read.
 * @throws AppError of any kind if a header is missing.
 */
export async function sampleBlooms(
  { fromBlock, toBlock }: Blocks,
  lowestRow: bigint | undefined,
  options: CheckOptions,
): Promise<BloomSample> {
  const blooms = new Map<bigint, Hex>();
  const isAlone = () => getMaxCalls(options.query) === 1;
  const range = { fromBlock, toBlock };
  const rowBlock = lowestRow !== undefined && lowestRow < options.query.unsettledFrom ? [lowestRow] : [];
  const above = {
    fromBlock: toBlock + 1n,
    toBlock: bigintMin(options.range.toBlock, options.query.unsettledFrom - 1n),
  };
  // In the same batch as the others, so that they cost no request.
  const between = isAlone() || above.toBlock < above.fromBlock ? [] : spread(above, SAMPLED_SPREAD);
  const first = isAlone()
    ? [fromBlock, ...spread(range, SAMPLED_ALONE - 1)]
    : [...listFirst(range, SAMPLED_FIRST), ...spread(range, SAMPLED_SPREAD), ...between];
  const { areSmall } = await readBlooms([...first, ...rowBlock], blooms, options);
  const isRowRead = lowestRow !== undefined && blooms.has(lowestRow);
  const isWithout = [...blooms.values()].every((bloom) => bloom === NO_BLOOM);
  if (isWithout && !blooms.has(options.query.head) && !(await lacksBlooms(options))) throw mixedBloomsError();
  const hasNoBlooms = isWithout || (isRowRead && ![...blooms.values()].some(hasBits));
  const isSampled = ({ block }: { block: bigint }) => block >= fromBlock && block <= toBlock;
  const list = () =>
    [...blooms]
      .map(([block, bloom]) => ({ block, bloom }))
      .filter(isSampled)
      .sort(byBlock);
  const lowest = list().find(({ bloom }) => hasBits(bloom))?.block;
  const isSparse = list().filter(({ bloom }) => hasBits(bloom)).length * 2 < list().length;
  const maxHeaders = MAX_REQUESTS * getMaxCalls(options.query);
  const maxWhole = isSparse
    ? Math.min(MAX_SPARSE, Math.max(maxHeaders, MIN_SPARSE))
    : Math.min(maxHeaders, areSmall ? MAX_FURTHER : 0);
  if (!hasNoBlooms && blocksOf(range) <= maxWhole) {
    await readBlooms(listFirst(range, maxWhole), blooms, options);
  } else if (!hasNoBlooms && lowest !== fromBlock) {
    const below = { fromBlock, toBlock: lowest === undefined ? toBlock : lowest - 1n };
    const further = isAlone()
      ? [...listFirst(below, SAMPLED_FIRST), ...spread(below, SAMPLED_SPREAD)]
      : spread(below, Math.min(MAX_FURTHER, maxHeaders - first.length));
    await readBlooms(further, blooms, options);
  }
  const sampled = list();
  const isShown = [...blooms.values()].some(hasBits);
  const altered = sampled.find(({ bloom }) => bloom === ALTERED_BLOOM)?.block;
  return {
    alteredAt: altered !== undefined && (await hasUsualHashes(options, isShown)) ? altered : undefined,
    withLogs: sampled.filter(({ bloom }) => hasBits(bloom)),
    isWhole: sampled.length === blocksOf(range),
    hasNoBlooms,
  };
}

/** Calls that fit in one request, as far as the server has shown. */
function getMaxCalls({ rpc, memory }: QueryContext): number {
  return createCallBatching(rpc, createBatchKnowledge(memory)).maxCalls();
}

const blocksOf = ({ fromBlock, toBlock }: Blocks) => Number(toBlock - fromBlock + 1n);
export const byBlock = (a: { block: bigint }, b: { block: bigint }) => Number(a.block - b.block);

function listFirst({ fromBlock, toBlock }: Blocks, most: number): readonly bigint[] {
  const count = Math.min(most, blocksOf({ fromBlock, toBlock }));
  return Array.from({ length: count }, (_, place) => fromBlock + BigInt(place));
}

/** At most so many blocks, at equal distances; the last block is one of them. */
function spread({ fromBlock, toBlock }: Blocks, most: number): readonly bigint[] {
  return Array.from(
    { length: most },
    (_, place) => fromBlock + ((toBlock - fromBlock) * BigInt(place + 1)) / BigInt(most),
  );
}

const Header = z.object({
  number: z.string(),
  logsBloom: z.optional(z.nullable(z.string().check(z.maxLength(1024)))),
  transactions: z.optional(z.array(z.unknown())),
});

/** Blooms, and contracts, that are remembered of one server. */
const MAX_REMEMBERED = 4000;
/** Headers of new blocks that lagging replicas may lack, however few were requested. */
const MAX_LACKING = 2;

/**
 * Adds the blooms of these blocks.
 *
 * @returns whether the blocks have few transactions.
 * @throws AppError of any kind; `badResponse` if there is no header of an old block or of most new ones, or if only some
 *   headers have a bloom; `rpc` with {@link isMissing} if the server refused all.
 */
export async function readBlooms(
  blocks: readonly bigint[],
  blooms: Map<bigint, Hex>,
  { query, signal }: CheckOptions,
): Promise<{ readonly areSmall: boolean }> {
  const { memory, rpc, unsettledFrom } = query;
  const begin = createCallBatching(rpc, createBatchKnowledge(memory));
  let [headers, transactions] = [0, 0];
  for (const block of blocks) {
    const known = memory.blooms.get(block);
    if (known !== undefined) blooms.set(block, known);
  }
  const wanted = [...new Set(blocks)];
  const isNew = (block: bigint) => block >= unsettledFrom;
  const mayBeUnseen = (block: bigint) => isNew(block) && [...blooms.keys()].some((read) => read < block);
  for (let attempt = 0; ; attempt++) {
    const missing = wanted.filter((block) => !blooms.has(block));
    if (missing.length === 0) break;
    // Full blooms show nothing, so a missing one is no loss: Filecoin has no header of an epoch without blocks.
    const isBlind = [...blooms.values()].every((bloom) => hasBits(bloom) && isFull(bloom));
    // A lagging replica has no header of a new block. A pruned node has none of the lowest blocks.
    const mayLack = Math.min(wanted.length / 2, Math.max(MAX_LACKING, wanted.filter(isNew).length / 2));
    const mayEnd = isBlind
      ? missing.length <= wanted.length / 2
      : missing.every(mayBeUnseen) && missing.length <= mayLack;
    // Without any header, the server may have none at all.
    const mayAppear = !isBlind && !mayEnd && missing.every(isNew);
    const isRetried = mayAppear
      ? attempt === 0 || (await waitForReplica(query.wait, attempt - 1, { signal }))
      : attempt < MAX_ATTEMPTS;
    if (!isRetried) {
      if (mayEnd) break;
      throw new AppError('badResponse', `The server has no header of block ${missing[0]}.`);
    }
    const calls = begin({ ...toRetry(query), signal });
    const responses = missing.map((block) => calls.call('eth_getBlockByNumber', [toQuantity(block), false]));
    const settled = Promise.allSettled(responses);
    await calls.send();
    const refused = (await settled).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    if (blooms.size === 0 && refused.length === missing.length && refused.every(isMissing)) throw refused[0];
    for (const [place, block] of missing.entries()) {
      const wire = await responses[place]?.catch(ignoreRefusal);
      const { data } = Header.safeParse(wire);
      if (!data || parseQuantity(data.number) !== block) continue;
      const stated = toBloom(data.logsBloom);
      const isSuspect = stated === EMPTY_BLOOM && (data.transactions?.length ?? 0) > 0;
      const isAltered = isSuspect && readHeader(wire, String(block)).isAltered;
      const bloom = isAltered ? ALTERED_BLOOM : stated;
      headers++;
      transactions += data.transactions?.length ?? 0;
      blooms.set(block, bloom);
      if (!isNew(block) && !isAltered) remember(memory.blooms, block, bloom);
    }
  }
  const lacking = [...blooms.values()].filter((bloom) => bloom === NO_BLOOM).length;
  if (lacking > 0 && lacking < blooms.size) throw mixedBloomsError();
  return { areSmall: transactions <= headers * MAX_SMALL_BLOCK };
}

/** A replica may not have seen the block. */
function ignoreRefusal(error: unknown): undefined {
  if (!isAppError(error, 'rpc')) throw error;
}

/** Whether the newest header has no bloom either, or is refused, too: what old headers lack, all lack. */
async function lacksBlooms({ query, signal }: CheckOptions): Promise<boolean> {
  try {
    const options = { ...toRetry(query), signal };
    for (let attempt = 0; ; attempt++) {
      const newest = await query.rpc.call('eth_getBlockByNumber', [toQuantity(query.head), false], options);
      const { data } = Header.safeParse(newest);
      if (data) return toBloom(data.logsBloom) === NO_BLOOM;
      if (!(await waitForReplica(query.wait, attempt, { signal }))) return false;
    }
  } catch (error) {
    throwIfAborted(signal);
    return isMissing(error);
  }
}

/**
 * Whether the fields of the first and the newest header have the hashes that the headers state. Other chains may hash
 * headers in their own way, or did so once, or have no blooms.
 *
 * @param isShown whether another header has a bloom.
 */
async function hasUsualHashes({ query, signal }: CheckOptions, isShown: boolean): Promise<boolean> {
  const options = { ...toRetry(query), signal };
  const headers = await Promise.all(
    [0n, query.head].map((block) =>
      query.rpc.call('eth_getBlockByNumber', [toQuantity(block), false], options).catch(ignoreRefusal),
    ),
  );
  const [first, newest] = headers.map((wire) => readHeader(wire, '').header);
  return first !== undefined && newest !== undefined && (isShown || hasBits(toBloom(newest.logsBloom)));
}

/** Whether the server has no headers at all, by the error of the first ones. */
export async function lacksHeaders(error: unknown, options: CheckOptions): Promise<boolean> {
  return isMissing(error) && options.query.memory.blooms.size === 0 && (await lacksBlooms(options));
}

/** Whether the server has no such method, not only none in this plan. It may only lack the block. */
function isMissing(error: unknown): boolean {
  return isAppError(error, 'rpc') && isMissingMethod(error) && !/plan|tier|upgrade/i.test(error.message);
}

export function remember<K, V>(entries: Map<K, V>, key: K, value: V): void {
  entries.set(key, value);
  const [oldest] = entries.keys();
  if (entries.size > MAX_REMEMBERED && oldest !== undefined) entries.delete(oldest);
}

/** In place of the bloom of a header without one. */
export const NO_BLOOM: Hex = '0x';
/** In place of a bloom without a bit. */
const EMPTY_BLOOM: Hex = '0x00';
/** In place of an empty bloom that the hash of the header does not commit to. */
const ALTERED_BLOOM: Hex = '0x01';
const mixedBloomsError = () => new AppError('badResponse', 'The server has blooms of some headers only.');

function toBloom(text: string | null | undefined): Hex {
  const bloom = text?.toLowerCase() ?? NO_BLOOM;
  if (!/^0x[0-9a-f]{512}$/.test(bloom)) return NO_BLOOM;
  return /[1-9a-f]/.test(bloom.slice(2)) ? (bloom as Hex) : EMPTY_BLOOM;
}

export const hasBits = (bloom: Hex) => ![NO_BLOOM, EMPTY_BLOOM, ALTERED_BLOOM].includes(bloom);
