import type { AbiItem } from '../abiItem.ts';
import { type Candidate, trusts } from '../candidates.ts';

/**
 * Candidates in order of trust, those of equal trust as they come. Of items that differ in nothing but names of
 * parameters the most trusted is left, as nothing that is decoded tells them apart; unless they have the same names in
 * another order.
 *
 * @example mostTrusted([]) // []
 */
export function mostTrusted<Item extends AbiItem>(
  candidates: readonly Candidate<Item>[],
): readonly Candidate<Item>[] {
  if (candidates.length < 2) return candidates;
  const first = new Map<string, Candidate<Item>[]>();
  for (const candidate of candidates.toSorted(byTrust)) {
    const layout = layoutOf(candidate.item);
    const same = first.get(layout);
    if (!same) first.set(layout, [candidate]);
    else if (same.every(({ item }) => namesOtherwise(item, candidate.item))) same.push(candidate);
  }
  return [...first.values()].flat();
}

/** Whether two have a name for different parameters, so that one of them tells a value under the name of another. */
function namesOtherwise({ inputs: one }: AbiItem, { inputs: other }: AbiItem): boolean {
  return one.some(({ name }, index) => {
    const there = name === '' ? -1 : other.findIndex((input) => input.name === name);
    return there >= 0 && there !== index && other[index]?.name !== name;
  });
}

function byTrust(a: Candidate, b: Candidate): number {
  return trusts.indexOf(a.origin.trust) - trusts.indexOf(b.origin.trust);
}

/** What decides how an item is decoded: `Transfer(address,address,uint256) ii-`. */
function layoutOf(item: AbiItem): string {
  if (item.kind !== 'event') return item.signature;
  const indexed = item.inputs.map((input) => (input.indexed ? 'i' : '-')).join('');
  return `${item.signature} ${indexed}${item.anonymous ? ' anonymous' : ''}`;
}
