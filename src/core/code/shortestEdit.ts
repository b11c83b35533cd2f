import type { SliceOptions } from '../base/timeSlices.ts';

/** Edits of one part to another. */
const MAX_EDITS = 1_500;

/** Equal neighbours of both sides. */
export interface Run {
  readonly i: number;
  readonly j: number;
  readonly length: number;
}

/**
 * The runs of equal instructions in the shortest edit of one part to another. Undefined if there are too many edits.
 *
 * E. Myers, An O(ND) Difference Algorithm and Its Variations, 1986.
 */
export async function findRuns(
  isEqual: (i: number, j: number) => boolean,
  {
    from,
    to,
    start,
    end,
  }: { readonly from: number; readonly to: number; readonly start: number; readonly end: number },
  { maxSteps, slices, signal }: SliceOptions & { readonly maxSteps: number },
): Promise<{ readonly found: readonly Run[]; readonly steps: number } | undefined> {
  const [n, m] = [to - from, end - start];
  // Of equal edits, the one that leaves both ends.
  let same = 0;
  while (same < Math.min(n, m) && isEqual(to - 1 - same, end - 1 - same)) same++;
  if (same > 0) {
    const part = { from, to: to - same, start, end: end - same };
    const rest = await findRuns(isEqual, part, { maxSteps, slices, signal });
    return rest && { ...rest, found: [...rest.found, { i: to - same, j: end - same, length: same }] };
  }
  const most = Math.min(n + m, MAX_EDITS);
  const rows: Int32Array[] = [];
  let steps = 0;
  let row = new Int32Array(2 * most + 3);
  const center = most + 1;
  for (let edits = 0; edits <= most; edits++) {
    rows.push(row.slice(center - edits - 1, center + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      const isDown =
        k === -edits || (k !== edits && (row[center + k - 1] as number) < (row[center + k + 1] as number));
      let x = isDown ? (row[center + k + 1] as number) : (row[center + k - 1] as number) + 1;
      while (x < n && x - k < m && isEqual(from + x, start + x - k)) x++;
      steps += 1;
      row[center + k] = x;
      if (x >= n && x - k >= m) return { found: toRuns(rows, { from, start, n, m }), steps };
    }
    if (steps > maxSteps) return undefined;
    if (slices.isOver()) await slices.rest({ signal });
    row = row.slice();
  }
  return undefined;
}

function toRuns(
  rows: readonly Int32Array[],
  {
    from,
    start,
    n,
    m,
  }: { readonly from: number; readonly start: number; readonly n: number; readonly m: number },
): readonly Run[] {
  const found: Run[] = [];
  let [x, y] = [n, m];
  for (let edits = rows.length - 1; edits >= 0; edits--) {
    const row = rows[edits] as Int32Array;
    const at = (k: number) => row[k + edits + 1] as number;
    const k = x - y;
    const isDown = k === -edits || (k !== edits && at(k - 1) < at(k + 1));
    const previous = isDown ? k + 1 : k - 1;
    const [fromX, fromY] = edits === 0 ? [0, 0] : [at(previous), at(previous) - previous];
    const [startX, startY] = edits === 0 ? [0, 0] : isDown ? [fromX, fromY + 1] : [fromX + 1, fromY];
    const length = Math.min(x - startX, y - startY);
    if (length > 0) found.push({ i: from + x - length, j: start + y - length, length });
    [x, y] = [fromX, fromY];
  }
  return found.reverse();
}
