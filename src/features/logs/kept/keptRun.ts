import * as z from 'zod/mini';
import type { ReasonCode, Verdict, VerdictReason } from '../../../core/index.ts';

const blockText = z.string().check(z.regex(/^\d{1,20}$/));
const reasonCodes = [
  ...['beyondHead', 'blockNotWhole', 'cancelled', 'endlessBlock', 'forkRows', 'headWentBack', 'otherRows'],
  ...['questionIgnored', 'reorg', 'serverChanged', 'serversDiffer', 'shortPages', 'startsLater'],
] as const satisfies readonly ReasonCode[];
/** More are not told of: the rest of what is said of an answer is in its panel. */
const MOST_REASONS = 8;

const keptVerdict = z.object({
  state: z.enum(['complete', 'more', 'uncertain']),
  order: z.enum(['newestFirst', 'oldestFirst']),
  fromBlock: blockText,
  toBlock: blockText,
  reasons: z
    .array(z.object({ code: z.enum(reasonCodes), block: z.optional(blockText) }))
    .check(z.maxLength(MOST_REASONS)),
});

/** One run of a query: when, how many logs, what they are worth, and whether the rows are on disk. Blocks as decimals. */
export const keptRunSchema = z.object({
  /** A name of a file too. */
  id: z.string().check(z.regex(/^[0-9a-f-]{36}$/)),
  /** When the last logs came, else when it began, in milliseconds since the Unix epoch. */
  at: z.number().check(z.nonnegative()),
  count: z.int().check(z.nonnegative()),
  /** Not there before the first page came. */
  verdict: z.optional(keptVerdict),
  /** How it ended before it was whole. */
  ended: z.optional(z.enum(['failed', 'cancelled'])),
  rows: z.optional(
    z.object({
      sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
      /** On disk. */
      bytes: z.int().check(z.nonnegative()),
      /** Of them: an answer may go on after they were kept. */
      count: z.int().check(z.nonnegative()),
      verdict: keptVerdict,
    }),
  ),
  /** It was run to be compared with the one before. */
  compared: z.optional(z.boolean()),
});

export type KeptRun = Readonly<z.infer<typeof keptRunSchema>>;
export type KeptVerdict = Readonly<z.infer<typeof keptVerdict>>;

/** What is kept of a verdict. */
export function toKeptVerdict({ state, order, fromBlock, toBlock, reasons }: Verdict): KeptVerdict {
  return {
    ...{ state, order, fromBlock: fromBlock.toString() },
    // Before the first block there is none: such a range is empty, and its last block below its first.
    toBlock: (toBlock < 0n ? 0n : toBlock).toString(),
    reasons: reasons.slice(0, MOST_REASONS).map(({ code, block }) => ({
      code,
      ...(block !== undefined && { block: block.toString() }),
    })),
  };
}

/** The part of a verdict that was kept. */
export function fromKeptVerdict({ state, order, fromBlock, toBlock, reasons }: KeptVerdict) {
  return {
    ...{ state, order, fromBlock: BigInt(fromBlock), toBlock: BigInt(toBlock) },
    reasons: reasons.map(
      ({ code, block }): VerdictReason => ({ code, ...(block !== undefined && { block: BigInt(block) }) }),
    ),
  };
}

/** Whether the run loaded all that it asked for. */
export function isWhole({ verdict }: KeptRun): boolean {
  return verdict?.state === 'complete';
}
