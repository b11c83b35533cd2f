/**
 * How many letters are to be put in, left out, changed or swapped with the next one to make one word of the other; undefined
 * where they are more than `most`. Takes a time that grows with the lengths and `most` alone.
 *
 * @example editDistance('Tansfer', 'Transfer', 2) // 1
 */
export function editDistance(one: string, other: string, most: number): number | undefined {
  if (Math.abs(one.length - other.length) > most) return undefined;
  const far = most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    const from = Math.max(1, row - most);
    const to = Math.min(other.length, row + most);
    for (let at = 1; at <= other.length; at++) {
      if (at < from || at > to) {
        next.push(far);
        continue;
      }
      const isSame = one[row - 1] === other[at - 1];
      const changed = (last[at - 1] ?? far) + (isSame ? 0 : 1);
      const isSwapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      const swapped = isSwapped ? (beforeLast[at - 2] ?? far) + 1 : far;
      next.push(Math.min(changed, swapped, (last[at] ?? far) + 1, (next[at - 1] ?? far) + 1));
    }
    if (Math.min(...next) > most) return undefined;
    beforeLast = last;
    last = next;
  }
  const distance = last[other.length] ?? far;
  return distance > most ? undefined : distance;
}
