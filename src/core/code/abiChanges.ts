import { type AbiItem, type AbiItemText, formatAbiItem, parseAbiItem } from '../abi/item.ts';
import type { AbiParameter } from '../abi/type.ts';
import { compareValues } from '../base/values.ts';

/** A function, event or error that only one of two ABIs has, or that both declare differently. */
export interface AbiChange {
  readonly kind: 'added' | 'removed' | 'changed';
  /** Undefined if it was added. */
  readonly before: AbiItemText | undefined;
  /** Undefined if it was removed. */
  readonly after: AbiItemText | undefined;
}

/**
 * Compares two ABIs: items by kind, name and input types. Changed ones have other outputs, another mutability, or other
 * indexed parameters; other names of parameters are no change. Removed ones come first, then by text.
 *
 * @example
 * compareAbis(['function get() view returns (uint8)'], ['function get() view returns (uint256)'])[0]?.kind // 'changed'
 */
export function compareAbis(
  before: readonly AbiItemText[],
  after: readonly AbiItemText[],
): readonly AbiChange[] {
  const old = indexItems(before);
  const next = indexItems(after);
  const changes: AbiChange[] = [];
  for (const [key, one] of old) {
    const other = next.get(key);
    if (!other) changes.push({ kind: 'removed', before: one.text, after: undefined });
    else if (one.bare !== other.bare) changes.push({ kind: 'changed', before: one.text, after: other.text });
  }
  for (const [key, { text }] of next) {
    if (!old.has(key)) changes.push({ kind: 'added', before: undefined, after: text });
  }
  const rank = { removed: 0, changed: 1, added: 2 };
  const textOf = ({ before: one, after: other }: AbiChange) => one ?? other ?? '';
  return changes.sort((a, b) => rank[a.kind] - rank[b.kind] || compareValues(textOf(a), textOf(b)));
}

interface ComparedItem {
  readonly text: AbiItemText;
  /** Without the names of parameters. */
  readonly bare: string;
}

function indexItems(texts: readonly AbiItemText[]): ReadonlyMap<string, ComparedItem> {
  const items = new Map<string, ComparedItem>();
  for (const text of texts) {
    const item = parseAbiItem(text);
    if (item) items.set(`${item.kind} ${item.signature}`, { text, bare: formatAbiItem(withoutNames(item)) });
  }
  return items;
}

function withoutNames(item: AbiItem): AbiItem {
  const strip = <T extends AbiParameter>(parameters: readonly T[]) =>
    parameters.map((parameter) => ({ ...parameter, name: '' }));
  if (item.kind === 'event') return { ...item, inputs: strip(item.inputs) };
  if (item.kind === 'error') return { ...item, inputs: strip(item.inputs) };
  return { ...item, inputs: strip(item.inputs), outputs: strip(item.outputs) };
}
