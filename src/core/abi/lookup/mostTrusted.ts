import type { AbiItem } from '../abiItem.ts';
import { type Candidate, trusts } from '../candidates.ts';

/**
 * Candidates in order of trust, those of equal trust as they come. Of items that differ in nothing but names of
 * parameters the most trusted is left, as nothing that is decoded tells them apart.
 *
 * @example mostTrusted([]) // []
 */
export function mostTrusted<Item extends AbiItem>(
  candidates: readonly Candidate<Item>[],
): readonly Candidate<Item>[] {
  if (candidates.length < 2) return candidates;
  const first = new Map<string, Candidate<Item>>();
  for (const candidate of candidates.toSorted(byTrust)) {
    const layout = layoutOf(candidate.item);
    if (!first.has(layout)) first.set(layout, candidate);
  }
  return [...first.values()];
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
