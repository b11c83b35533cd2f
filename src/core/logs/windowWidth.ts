/** Rows that a window aims at: under the 1000 of a server page, so that most answers are whole at once. */
const TARGET_ROWS = 700;
const MOST_GROWTH = 8;

/** Blocks asked for at first: all. A short answer then is the whole one. */
export function firstWindowWidth(range: { readonly fromBlock: bigint; readonly toBlock: bigint }): bigint {
  const blocks = range.toBlock - range.fromBlock + 1n;
  return blocks > 0n ? blocks : 1n;
}

/**
 * Blocks to ask for next, so that they hold about as many rows as a page takes if they are as dense as the last.
 *
 * @param blocks width of the window just read, which had `rows` rows.
 * @param asked width that was asked for: more than `blocks` if the server did not answer for all of it.
 */
export function nextWindowWidth(blocks: bigint, rows: number, asked: bigint): bigint {
  if (blocks === asked && rows < TARGET_ROWS / MOST_GROWTH) return asked * BigInt(MOST_GROWTH);
  const ideal = Number(blocks) * (TARGET_ROWS / Math.max(rows, 1));
  const bounded = Math.min(Math.max(1, Math.round(ideal)), Number(blocks) * MOST_GROWTH);
  return BigInt(bounded);
}
