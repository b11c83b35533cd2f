import * as z from 'zod/mini';
import type { Abortable } from '../../base/concurrency.ts';
import { AppError, isAppError, throwIfAborted } from '../../base/errors.ts';
import { bigintMin } from '../../base/values.ts';
import { type Hex, parseQuantity, toQuantity } from '../../eth/hex.ts';
import { createCallBatching } from '../../rpc/batching.ts';
import { isMissingMethod } from '../../rpc/ethCall.ts';
import type { Log } from '../log.ts';
import { createBloomBuilder, createBloomTest, isBloomWithin, parseBloom } from '../proof/bloom.ts';
import { type LogFilter, matchesFilter } from '../query/filter.ts';
import type { VerdictReason } from '../query/verdict.ts';
import { getBatchSupport, mayBeTruncated, mayLackLogs } from './dialect.ts';
import { createBatchKnowledge } from './dialectMemory.ts';
import type { QueryContext, RetryPolicy } from './getLogs.ts';
import { parseLogs } from './parseLogs.ts';
import { isBeyondHead } from './refusals.ts';
import { toServerFilters } from './serverFilters.ts';

/** Blocks in ascending order, both inclusive. */
interface Blocks {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/**
 * Why a node may lack logs of these blocks without an error: it has pruned old receipts, or all but those of some
 * contracts. The bloom in the header of a block has bits for each of its logs (Yellow Paper, section 4.4.3), so the
 * headers of sampled blocks say where the node must have some. The logs of one such block, and of one that may have
 * requested logs, must have all bits of its bloom. A requested log among these must be a row of the result.
 *
 * Remembers from which block on the node has shown its logs, and the blooms, so that it is checked once. The blooms that
 * are known are compared with the rows of each query.
 *
 * @param options.lowestRow the lowest block with a row. The logs of one contract before it are checked; those of
 *   several, or of any, are also checked above it.
 * @param options.hasRow whether a block has a row; also true if that is not known.
 * @returns undefined if the node has the logs of these blocks, if the sampled blocks have none, or if the headers of the
 *   chain have no blooms. A check that the server refuses is a reason.
 * @throws AppError `aborted` only.
 */
export async function findMissingLogs(
  query: QueryContext,
  range: Blocks,
  { lowestRow, hasRow, signal }: FoundRows & Abortable,
): Promise<VerdictReason | undefined> {
  const { filter, memory } = query;
  const options = { query, range, signal };
  const { fromBlock } = range;
  const isOfOne = filter.addresses.length === 1;
  const lastBlock = lowestRow !== undefined && isOfOne ? lowestRow - 1n : range.toBlock;
  const { logsFrom, prunedAt } = memory.current();
  if (prunedAt !== undefined && prunedAt >= fromBlock && prunedAt <= lastBlock) {
    return { code: 'prunedLogs', block: prunedAt };
  }
  const toBlock = logsFrom === undefined ? lastBlock : bigintMin(lastBlock, logsFrom - 1n);
  if (!mayLackLogs(memory.current())) return undefined;
  try {
    const sample =
      toBlock < fromBlock ? NO_SAMPLE : await sampleBlooms({ fromBlock, toBlock }, lowestRow, options);
    if (sample.hasNoBlooms) {
      memory.learn({ hasNoBlooms: true });
      return undefined;
    }
    const { tested, isProvenEmpty } = chooseBlocks(filter, sample);
    const gaps = findGaps(options, hasRow).filter((one) => tested.every(({ block }) => block !== one.block));
    const outcomes = await Promise.all(
      [...tested, ...gaps].map((each) => checkBlock({ ...each, hasNoRow: !hasRow(each.block) }, options)),
    );
    const reasons = outcomes.flatMap(({ code, block }) => (code ? [{ code, block }] : []));
    const missing = reasons.find(({ code }) => code !== 'historyUnchecked');
    if (missing?.code === 'prunedLogs') memory.learn({ prunedAt: missing.block });
    const shown = outcomes.find(({ showsLogs }) => showsLogs);
    if (shown && reasons.length === 0) memory.learn({ logsFrom: shown.block });
    return missing ?? (isProvenEmpty ? undefined : reasons[0]);
  } catch (error) {
    throwIfAborted(signal);
    if (isMissing(error)) return undefined;
    return { code: 'historyUnchecked', block: fromBlock };
  }
}

interface FoundRows {
  readonly lowestRow: bigint | undefined;
  readonly hasRow: (block: bigint) => boolean;
}

interface CheckOptions extends Abortable {
  readonly query: QueryContext;
  /** Of the query. */
  readonly range: Blocks;
}

/** Headers that are sampled first: the first blocks, and as many spread over the others. */
const SAMPLED_FIRST = 8;
const SAMPLED_SPREAD = 8;
/** Without batches. */
const SAMPLED_ALONE = 4;
/** Further headers where the first ones leave open which is the lowest block with logs. */
const MAX_FURTHER = 100;
/** Where few blocks have logs, a range of so many blocks is read whole. */
const MAX_SPARSE = 1000;
const MAX_SPARSE_ALONE = 100;
/** Transactions in a small block, whose header is small as well. */
const MAX_SMALL_BLOCK = 16;

interface SampledBlock {
  readonly block: bigint;
  readonly bloom: Hex;
}

interface BloomSample {
  /** Those whose bloom has a bit, in ascending order. */
  readonly withLogs: readonly SampledBlock[];
  /** Every block of the range is among them. */
  readonly isWhole: boolean;
  /** A block with a row has an empty bloom, and so have all others: system logs may not be in the bloom of their block. */
  readonly hasNoBlooms: boolean;
}

const NO_SAMPLE: BloomSample = { withLogs: [], isWhole: false, hasNoBlooms: false };

/** @throws AppError of any kind if a header is missing. */
async function sampleBlooms(
  { fromBlock, toBlock }: Blocks,
  lowestRow: bigint | undefined,
  options: CheckOptions,
): Promise<BloomSample> {
  const { memory } = options.query;
  const blooms = new Map<bigint, Hex>();
  const isAlone = () => getBatchSupport(memory.current()) === 'refused';
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
  const hasNoBlooms = isRowRead && [...blooms.values()].every((bloom) => bloom === '0x');
  const isSampled = ({ block }: { block: bigint }) => block >= fromBlock && block <= toBlock;
  const list = () =>
    [...blooms]
      .map(([block, bloom]) => ({ block, bloom }))
      .filter(isSampled)
      .sort(byBlock);
  const lowest = list().find(({ bloom }) => bloom !== '0x')?.block;
  const isSparse = list().filter(({ bloom }) => bloom !== '0x').length * 2 < list().length;
  const maxWhole = isSparse
    ? isAlone()
      ? MAX_SPARSE_ALONE
      : MAX_SPARSE
    : areSmall && !isAlone()
      ? MAX_FURTHER
      : 0;
  if (!hasNoBlooms && blocksOf(range) <= maxWhole) {
    await readBlooms(listFirst(range, maxWhole), blooms, options);
  } else if (!hasNoBlooms && lowest !== fromBlock) {
    const below = { fromBlock, toBlock: lowest === undefined ? toBlock : lowest - 1n };
    const further = isAlone()
      ? [...listFirst(below, SAMPLED_FIRST), ...spread(below, SAMPLED_SPREAD)]
      : spread(below, MAX_FURTHER);
    await readBlooms(further, blooms, options);
  }
  const sampled = list();
  return {
    withLogs: sampled.filter(({ bloom }) => bloom !== '0x'),
    isWhole: sampled.length === blocksOf(range),
    hasNoBlooms,
  };
}

const blocksOf = ({ fromBlock, toBlock }: Blocks) => Number(toBlock - fromBlock + 1n);
const byBlock = (a: { block: bigint }, b: { block: bigint }) => Number(a.block - b.block);

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

/** Requests for a header, or for logs, that a lagging replica may not have. */
const MAX_ATTEMPTS = 4;
/** Blooms that are remembered of one server. */
const MAX_BLOOMS = 4000;

/**
 * Adds the blooms of these blocks.
 *
 * @returns whether the blocks have few transactions.
 * @throws AppError of any kind; `badResponse` if a replica has no header of a block.
 */
async function readBlooms(
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
  for (let attempt = 0; ; attempt++) {
    const missing = [...new Set(blocks)].filter((block) => !blooms.has(block));
    if (missing.length === 0) break;
    if (attempt === MAX_ATTEMPTS) {
      // A lagging replica has no header of a new block.
      if (blooms.size > 0 && missing.every((block) => block >= unsettledFrom)) break;
      throw new AppError('badResponse', `The server has no header of block ${missing[0]}.`);
    }
    const calls = begin({ ...toRetry(query), signal });
    const responses = missing.map((block) => calls.call('eth_getBlockByNumber', [toQuantity(block), false]));
    const settled = Promise.allSettled(responses);
    await calls.send();
    await settled;
    for (const [place, block] of missing.entries()) {
      const { data } = Header.safeParse(await responses[place]?.catch(ignoreRefusal));
      if (!data || parseQuantity(data.number) !== block) continue;
      const bloom = toBloom(data.logsBloom);
      headers++;
      transactions += data.transactions?.length ?? 0;
      blooms.set(block, bloom);
      if (block < unsettledFrom) remember(memory.blooms, block, bloom);
    }
  }
  return { areSmall: transactions <= headers * MAX_SMALL_BLOCK };
}

/** A replica may not have seen the block. */
function ignoreRefusal(error: unknown): undefined {
  if (!isAppError(error, 'rpc') || isMissing(error)) throw error;
}

/** Whether the server has no headers at all, not only none in this plan. */
function isMissing(error: unknown): boolean {
  return isAppError(error, 'rpc') && isMissingMethod(error) && !/plan|tier|upgrade/i.test(error.message);
}

/** The page waits for it, so it does not wait as long as the logs themselves do. */
function toRetry({ retry }: QueryContext): RetryPolicy {
  return { ...retry, retries: Math.min(retry.retries, 4) };
}

function remember(blooms: Map<bigint, Hex>, block: bigint, bloom: Hex): void {
  blooms.set(block, bloom);
  const [oldest] = blooms.keys();
  if (blooms.size > MAX_BLOOMS && oldest !== undefined) blooms.delete(oldest);
}

/** `0x` for a bloom without a bit, and for a header without a bloom. */
function toBloom(text: string | null | undefined): Hex {
  const bloom = text?.toLowerCase() ?? '0x';
  return /^0x(?=0*[1-9a-f])[0-9a-f]{512}$/.test(bloom) ? (bloom as Hex) : '0x';
}

const isFull = (bloom: Hex) => !/[^f]/.test(bloom.slice(2));

/** Blocks that are checked of those that may have requested logs of several contracts. */
const MAX_TESTED = 3;

/**
 * The lowest block with logs, and the lowest ones that may have requested logs. None if all have the same full bloom,
 * which says nothing (Filecoin).
 */
function chooseBlocks(
  filter: LogFilter,
  { withLogs, isWhole }: BloomSample,
): { readonly tested: readonly TestedBlock[]; readonly isProvenEmpty: boolean } {
  const [lowest] = withLogs;
  if (!lowest || (withLogs.length > 1 && withLogs.every(({ bloom }) => isFull(bloom)))) {
    return { tested: [], isProvenEmpty: false };
  }
  const mayMatch = createBloomTest(filter);
  const matching = withLogs.filter(({ bloom }) => mayMatch(bloom));
  const most = filter.addresses.length === 1 ? 1 : MAX_TESTED;
  const chosen = [...new Set([lowest, ...matching.slice(0, most)])];
  return {
    tested: chosen.map((sampled) => ({ ...sampled, mayMatch: matching.includes(sampled) })),
    isProvenEmpty: isWhole && matching.length === 0,
  };
}

/** Blocks whose bloom is known, and has the bits of the filter hardly by chance, and that have no row. */
function findGaps({ query, range }: CheckOptions, hasRow: FoundRows['hasRow']): readonly TestedBlock[] {
  const { filter, memory } = query;
  const mayMatch = createBloomTest(filter);
  const gaps: TestedBlock[] = [];
  for (const [block, bloom] of memory.blooms) {
    if (gaps.length >= MAX_TESTED) break;
    const isInside = block >= range.fromBlock && block <= range.toBlock && block < query.unsettledFrom;
    if (!isInside || bloom === '0x' || !mayMatch(bloom) || hasRow(block)) continue;
    if (!isChanceMatch(filter, bloom)) gaps.push({ block, bloom, mayMatch: true });
  }
  return gaps;
}

interface TestedBlock extends SampledBlock {
  /** By its bloom, it may have requested logs. */
  readonly mayMatch: boolean;
}

interface ComparedBlock extends TestedBlock {
  /** The result has no row of it. */
  readonly hasNoRow: boolean;
}

/** Whether the node lacks logs of a block whose bloom has bits. */
async function checkBlock(
  tested: ComparedBlock,
  options: CheckOptions,
): Promise<BloomOutcome & { readonly block: bigint }> {
  const { block } = tested;
  let outcome = await compareWithBloom(tested, options);
  // A lagging replica has no logs of a new block, and a reorg changes it.
  const isUnsettled = block >= options.query.unsettledFrom;
  for (let attempt = 1; outcome.code && isUnsettled && attempt < MAX_ATTEMPTS; attempt++) {
    const blooms = new Map<bigint, Hex>();
    await readBlooms([block], blooms, options);
    const bloom = blooms.get(block) ?? '0x';
    outcome = bloom === '0x' ? {} : await compareWithBloom({ ...tested, bloom }, options);
  }
  return { ...outcome, block };
}

interface BloomOutcome {
  readonly code?: 'prunedLogs' | 'partialLogs' | 'omittedLogs' | 'historyUnchecked' | undefined;
  /** The node has all logs of the block, whatever their contract. */
  readonly showsLogs?: boolean;
}

async function compareWithBloom(
  { block, bloom, mayMatch, hasNoRow }: ComparedBlock,
  options: CheckOptions,
): Promise<BloomOutcome> {
  const { filter } = options.query;
  const response = await fetchAllLogs(block, options);
  if (response) {
    const { logs: all, count } = response;
    if (all.length === 0) return { code: 'prunedLogs' };
    // Another replica may have returned the logs of the range, or from another store.
    if (hasNoRow && all.some((log) => matchesFilter(filter, log))) return { code: 'omittedLogs' };
    const [given, stated] = [createBloomBuilder()(all), parseBloom(bloom)];
    const isPartial = isBloomWithin(given, stated) && !isBloomWithin(stated, given) && !isFull(bloom);
    if (!isPartial) return { showsLogs: true };
    // The server may have cut them off.
    return mayBeTruncated(count) ? {} : { code: 'partialLogs' };
  }
  if (!mayMatch) return { code: 'historyUnchecked' };
  const requested = await fetchRequestedLogs(block, options);
  if (requested.length > 0)
    return hasNoRow && requested.some((log) => matchesFilter(filter, log)) ? { code: 'omittedLogs' } : {};
  return { code: isChanceMatch(filter, bloom) ? 'historyUnchecked' : 'prunedLogs' };
}

/**
 * All logs of a block: of a range with it, as some endpoints send requests for one block to another node; else of the
 * block alone, or by its receipts where the server demands an address.
 *
 * @returns undefined if the server refuses all of these; `count` has those of the other block of the range, too.
 * @throws AppError of every kind but `rpc` and `badLogs`.
 */
async function fetchAllLogs(
  block: bigint,
  { query, range, signal }: CheckOptions,
): Promise<{ readonly logs: readonly Log[]; readonly count: number } | undefined> {
  const options = { ...toRetry(query), signal };
  const fromBlock = block > range.fromBlock ? block - 1n : block;
  const toBlock = block > range.fromBlock ? block : bigintMin(block + 1n, range.toBlock);
  const tag = toQuantity(block);
  const two = { fromBlock: toQuantity(fromBlock), toBlock: toQuantity(toBlock) };
  let refused: typeof two | undefined;
  for (const request of [...Array<typeof two>(MAX_ATTEMPTS).fill(two), { fromBlock: tag, toBlock: tag }]) {
    if (request === refused) continue;
    try {
      const result = await query.rpc.call('eth_getLogs', [request], options);
      if (!Array.isArray(result)) return undefined;
      const { logs } = parseLogs(result);
      return { logs: logs.filter(({ blockNumber }) => blockNumber === block), count: logs.length };
    } catch (error) {
      if (!isAppError(error, 'rpc', 'badLogs')) throw error;
      // A replica that is far behind refuses the other block only.
      if (!isAppError(error, 'rpc') || !isBeyondHead(error)) refused = request;
    }
  }
  try {
    const receipts = await query.rpc.call('eth_getBlockReceipts', [tag], options);
    const { logs } = parseLogs(Receipts.parse(receipts).flatMap((receipt) => receipt.logs));
    return { logs, count: logs.length };
  } catch (error) {
    if (isAppError(error) && !isAppError(error, 'rpc', 'badLogs')) throw error;
    return undefined;
  }
}

const Receipts = z.array(z.object({ logs: z.array(z.unknown()) })).check(z.minLength(1));

/** The logs of a block that the query requests. */
async function fetchRequestedLogs(block: bigint, { query, signal }: CheckOptions): Promise<readonly Log[]> {
  const tag = toQuantity(block);
  const lists = await Promise.all(
    toServerFilters(query.filter, query.memory.current()).map(async (part) => {
      const params = [{ ...part, fromBlock: tag, toBlock: tag }];
      return parseLogs(await query.rpc.call('eth_getLogs', params, { ...toRetry(query), signal })).logs;
    }),
  );
  return lists.flat();
}

/** Whether other logs of the block may well have set the bits of the requested ones. */
function isChanceMatch({ addresses, topics }: LogFilter, bloom: Hex): boolean {
  const bits = parseBloom(bloom).reduce((sum, byte) => sum + countBits(byte), 0);
  const oneValue = (bits / 2048) ** 3;
  const chance = [addresses, ...topics]
    .filter((values) => values !== null && values.length > 0)
    .reduce((product, values) => product * Math.min(1, oneValue * (values?.length ?? 0)), 1);
  return chance > MAX_CHANCE;
}

const MAX_CHANCE = 0.001;

function countBits(byte: number): number {
  let bits = 0;
  for (let rest = byte; rest > 0; rest &= rest - 1) bits++;
  return bits;
}
