import type { Abortable } from '../../base/concurrency.ts';
import { throwIfAborted } from '../../base/errors.ts';
import { createTimeSlices, forEachInSlices } from '../../base/timeSlices.ts';
import { bigintMax, bigintMin } from '../../base/values.ts';
import type { Address, Hex } from '../../eth/hex.ts';
import { type BloomTest, createBloomTest, type RequestedContract } from '../proof/bloom.ts';
import type { LogFilter } from '../query/filter.ts';
import type { VerdictReason } from '../query/verdict.ts';
import {
  type Blocks,
  type BloomOutcome,
  type CheckOptions,
  type ComparedBlock,
  compareWithBloom,
  isChanceMatch,
  isFull,
  MAX_ATTEMPTS,
  type SampledBlock,
  type TestedBlock,
} from './blockComparison.ts';
import {
  type BloomSample,
  byBlock,
  hasBits,
  lacksHeaders,
  NO_BLOOM,
  NO_SAMPLE,
  readBlooms,
  remember,
  sampleBlooms,
} from './bloomSample.ts';
import { mayLackLogs } from './dialect.ts';
import type { QueryContext } from './getLogs.ts';

/**
 * Why a node may lack logs of these blocks without an error: it has pruned old receipts, or all but those of some
 * contracts. The bloom in the header of a block has bits for each of its logs (Yellow Paper, section 4.4.3), so the
 * headers of sampled blocks say where the node must have some. The logs of one such block, and of one that may have
 * requested logs of each contract, must have all bits of its bloom. A requested log among these must be a row of the
 * result. A header with transactions and an empty bloom must have the hash of its fields.
 *
 * Remembers the blooms, and from which block on the node has shown logs of any contract, and of each: a block with logs
 * of one contract does not show that the node has another contract's logs. Known blooms are compared with the rows of each
 * query.
 *
 * @param options.lowestRow the lowest block with a row. The logs of one contract before it are checked; those of
 *   several, or of any, are also checked above it.
 * @param options.hasRow whether a block has a row; also true if that is not known.
 * @returns undefined if the node has the logs of these blocks, if the sampled blocks have none, if the headers of the
 *   chain have no blooms, or if the server has no headers at all. A check that the server refuses is a reason.
 * @throws AppError `aborted` only.
 */
export async function findMissingLogs(
  query: QueryContext,
  range: Blocks,
  { lowestRow, hasRow, signal }: FoundRows & Abortable,
): Promise<VerdictReason | undefined> {
  const { filter, memory } = query;
  const { fromBlock } = range;
  const isOfOne = filter.addresses.length === 1;
  const lastBlock = lowestRow !== undefined && isOfOne ? lowestRow - 1n : range.toBlock;
  const { prunedAt } = memory.current();
  if (prunedAt !== undefined && prunedAt >= fromBlock && prunedAt <= lastBlock) {
    return { code: 'prunedLogs', block: prunedAt };
  }
  const shownFrom = findShownFrom(query);
  const toBlock = shownFrom === undefined ? lastBlock : bigintMin(lastBlock, shownFrom - 1n);
  if (!mayLackLogs(memory.current())) return undefined;
  const options = { query, range, slices: createTimeSlices(query.clock), signal };
  try {
    const sample =
      toBlock < fromBlock ? NO_SAMPLE : await sampleBlooms({ fromBlock, toBlock }, lowestRow, options);
    const { alteredAt } = sample;
    if (alteredAt !== undefined) return { code: 'alteredBlock', block: alteredAt };
    if (sample.hasNoBlooms) return undefined;
    const test = await createBloomTest(filter, options);
    const { tested, isProvenEmpty } = await chooseBlocks(sample, test, options);
    const known = await findGaps(hasRow, test, options);
    const gaps = known.filter((one) => tested.every(({ block }) => block !== one.block));
    const outcomes = await Promise.all(
      [...tested, ...gaps].map((each) => checkBlock({ ...each, hasNoRow: !hasRow(each.block) }, options)),
    );
    const reasons = outcomes.flatMap(({ code, block }) => (code ? [{ code, block }] : []));
    const missing = reasons.find(({ code }) => code !== 'historyUnchecked');
    const empty = outcomes.find(({ isEmpty }) => isEmpty);
    if (empty) memory.learn({ prunedAt: empty.block });
    if (reasons.length === 0)
      for (const { block, shown } of outcomes) if (shown) learnShown(query, block, shown);
    return missing ?? (isProvenEmpty ? undefined : reasons[0]);
  } catch (error) {
    throwIfAborted(signal);
    if (await lacksHeaders(error, options)) return undefined;
    return { code: 'historyUnchecked', block: fromBlock };
  }
}

interface FoundRows {
  readonly lowestRow: bigint | undefined;
  readonly hasRow: (block: bigint) => boolean;
}

/** From which block on the node has shown the logs of all contracts of the filter. */
function findShownFrom({ filter, memory }: QueryContext): bigint | undefined {
  const blocks = filter.addresses.map((address) => memory.shownFrom.get(address));
  return blocks.length === 0 || blocks.includes(undefined)
    ? undefined
    : (blocks as bigint[]).reduce(bigintMax);
}

function learnShown({ filter, memory }: QueryContext, block: bigint, shown: readonly Address[]): void {
  memory.learn({ logsFrom: bigintMin(memory.current().logsFrom ?? block, block) });
  const requested = new Set(filter.addresses);
  for (const address of shown.filter((one) => requested.has(one)))
    remember(memory.shownFrom, address, bigintMin(memory.shownFrom.get(address) ?? block, block));
}

/** Blocks that are compared if the filter has no address. */
const MAX_OF_ANY = 3;
/** The same for several addresses. */
const MAX_OF_SEVERAL = 8;
/** Blocks between rows that are compared. */
const MAX_GAPS = 3;

/**
 * The lowest block with logs, unless the node has shown older ones, and the lowest block that may have requested logs of
 * each contract. A full bloom says nothing (Filecoin).
 */
async function chooseBlocks(
  { withLogs, isWhole }: BloomSample,
  { findContracts }: BloomTest,
  options: CheckOptions,
): Promise<{ readonly tested: readonly TestedBlock[]; readonly isProvenEmpty: boolean }> {
  const { filter, memory } = options.query;
  const partial = withLogs.filter(({ bloom }) => !isFull(bloom));
  const [lowest] = partial;
  if (!lowest) return { tested: [], isProvenEmpty: false };
  const isOfAny = filter.addresses.length === 0;
  const seen = new Set<RequestedContract>();
  const matching: TestedBlock[] = [];
  const visit = (sampled: SampledBlock) => {
    const mayHave = findContracts(sampled.bloom).filter((contract) => isOfAny || !seen.has(contract));
    if (mayHave.length > 0) matching.push({ ...sampled, mayHave });
    for (const contract of mayHave) seen.add(contract);
  };
  await forEachInSlices(partial, visit, options);
  const chosen = isOfAny ? matching.slice(0, MAX_OF_ANY) : leastByChance(filter, matching);
  const { logsFrom } = memory.current();
  const isUnshown = logsFrom === undefined || lowest.block < logsFrom;
  const isChosen = chosen.some(({ block }) => block === lowest.block);
  return {
    tested: isUnshown && !isChosen ? [{ ...lowest, mayHave: [] }, ...chosen] : chosen,
    isProvenEmpty: isWhole && matching.length === 0 && partial.length === withLogs.length,
  };
}

/** The best blocks to compare, in ascending order: other logs are unlikely to have set the bits of the filter there. */
function leastByChance(filter: LogFilter, blocks: readonly TestedBlock[]): readonly TestedBlock[] {
  return blocks
    .map((tested) => ({ tested, isByChance: isChanceMatch(filter, tested.bloom) }))
    .sort((one, other) => Number(one.isByChance) - Number(other.isByChance))
    .slice(0, MAX_OF_SEVERAL)
    .map(({ tested }) => tested)
    .sort(byBlock);
}

/** Blocks without a row whose bloom is known, and has the bits of the filter hardly by chance. */
async function findGaps(
  hasRow: FoundRows['hasRow'],
  { findContracts }: BloomTest,
  options: CheckOptions,
): Promise<readonly TestedBlock[]> {
  const { query, range } = options;
  const { filter, memory, unsettledFrom } = query;
  const gaps: TestedBlock[] = [];
  const visit = ([block, bloom]: readonly [bigint, Hex]) => {
    const isInside = block >= range.fromBlock && block <= range.toBlock && block < unsettledFrom;
    if (gaps.length >= MAX_GAPS || !isInside || !hasBits(bloom) || isFull(bloom) || hasRow(block)) return;
    const mayHave = isChanceMatch(filter, bloom) ? [] : findContracts(bloom);
    if (mayHave.length > 0) gaps.push({ block, bloom, mayHave });
  };
  await forEachInSlices(memory.blooms, visit, options);
  return gaps;
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
    const bloom = blooms.get(block) ?? NO_BLOOM;
    outcome = !hasBits(bloom) ? {} : await compareWithBloom({ ...tested, bloom }, options);
  }
  return { ...outcome, block };
}
