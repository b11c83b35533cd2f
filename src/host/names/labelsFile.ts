import * as z from 'zod/mini';
import { type Address, requireAddress, toChecksumAddress } from '../../core/index.ts';

/** A member of an object or an item of a list, as it stands in the text. */
interface JsonPart {
  /** Of a member of an object. */
  readonly key: string | undefined;
  /** Of the value. */
  readonly start: number;
  readonly end: number;
}

const SPACE = /[\s]/;

/**
 * Where the parts of the object or list stand whose bracket is at `open`, in a text that is known to be JSON. Each
 * character is looked at once.
 */
function findJsonParts(text: string, open: number): readonly JsonPart[] {
  const parts: JsonPart[] = [];
  const isObject = text[open] === '{';
  let at = skipSpace(text, open + 1);
  while (at < text.length && text[at] !== '}' && text[at] !== ']') {
    let key: string | undefined;
    if (isObject) {
      const end = endOfValue(text, at);
      key = JSON.parse(text.slice(at, end));
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    const end = endOfValue(text, at);
    parts.push({ key, start: at, end });
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return parts;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && SPACE.test(text[at] ?? '')) at++;
  return at;
}

function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start);
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const sign = text[at] ?? '';
    if (sign === '"') {
      at = endOfString(text, at);
      continue;
    }
    if (sign === '{' || sign === '[') depth++;
    const closes = sign === '}' || sign === ']';
    if (depth === 0 && (closes || sign === ',' || SPACE.test(sign))) return at;
    at++;
    if (closes && --depth === 0) return at;
  }
  return at;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** Names that one file may give; as many fit into the largest file that is read. */
const MAX_TEAM_LABELS = 10_000;

/** A label of the team's file. */
export interface TeamLabel {
  readonly address: Address;
  readonly name: string;
  /** Undefined: on every chain. */
  readonly chainId: number | undefined;
  /** From 1. */
  readonly line: number;
}

const ADDRESS = /^0[xX][0-9a-fA-F]{40}$/;
const LabelsFile = z.object({ labels: z.array(z.unknown()) });
const Label = z.object({
  address: z.string().check(z.regex(ADDRESS)),
  name: z.string().check(z.minLength(1)),
  chainId: z.optional(z.int().check(z.minimum(1))),
});

/** The labels of the file, and how many of its entries are none; undefined for what is no such file. */
export function parseLabelsFile(
  text: string,
): { readonly labels: readonly TeamLabel[]; readonly skipped: number } | undefined {
  const entries = entriesOf(text);
  if (!entries) return undefined;
  const labels: TeamLabel[] = [];
  let line = 1;
  let counted = 0;
  for (const { start, end } of entries.slice(0, MAX_TEAM_LABELS)) {
    for (; counted < start; counted++) if (text.charCodeAt(counted) === 10) line++;
    const label = readLabel(text.slice(start, end));
    if (label) labels.push({ ...label, line });
  }
  return { labels, skipped: entries.length - labels.length };
}

/** What is to be said of an address; without a name its entry is taken away. */
export type LabelChange = Pick<TeamLabel, 'address' | 'chainId'> & { readonly name: string | undefined };

/**
 * The text of the file with the change in it, all else as it stands: order, spaces, fields of others. An empty text is
 * taken for a file that is still to be made; undefined for what is no such file.
 */
export function editLabelsFile(text: string, change: LabelChange): string | undefined {
  if (text.trim() === '') {
    return change.name === undefined ? '' : `{\n  "labels": [\n    ${written(change)}\n  ]\n}\n`;
  }
  const entries = entriesOf(text);
  if (!entries) return undefined;
  const at = entries.findIndex(({ start, end }) => isOf(readLabel(text.slice(start, end)), change));
  if (change.name !== undefined)
    return at < 0 ? added(text, entries, change) : renamed(text, entries[at], change.name);
  return at < 0 ? text : removed(text, entries, at);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The entries of the list, with where the list itself begins: at its bracket. */
type Entries = readonly Span[] & { readonly list?: number };

function entriesOf(text: string): Entries | undefined {
  try {
    if (!LabelsFile.safeParse(JSON.parse(text)).success) return undefined;
  } catch {
    return undefined;
  }
  // As of two members of one name the later one counts.
  const list = findJsonParts(text, text.indexOf('{')).findLast(({ key }) => key === 'labels');
  return list && Object.assign([...findJsonParts(text, list.start)], { list: list.start });
}

function readLabel(text: string): Omit<TeamLabel, 'line'> | undefined {
  const label = Label.safeParse(JSON.parse(text)).data;
  return label && { address: requireAddress(label.address), name: label.name, chainId: label.chainId };
}

function isOf(label: Omit<TeamLabel, 'line'> | undefined, { address, chainId }: LabelChange): boolean {
  return label?.address === address && label.chainId === chainId;
}

function written({ address, name, chainId }: LabelChange): string {
  const fields = [
    `"address": ${JSON.stringify(toChecksumAddress(address))}`,
    `"name": ${JSON.stringify(name)}`,
    ...(chainId === undefined ? [] : [`"chainId": ${chainId}`]),
  ];
  return `{ ${fields.join(', ')} }`;
}

/** At the end of the list, set apart from the last entry as that one is from what is before it. */
function added(text: string, entries: Entries, change: LabelChange): string {
  const last = entries.at(-1);
  if (!last) {
    const list = entries.list ?? 0;
    return `${text.slice(0, list + 1)}\n    ${written(change)}\n  ${text.slice(text.indexOf(']', list))}`;
  }
  const before = text.slice(0, last.start);
  const space = before.slice(before.trimEnd().length);
  return `${text.slice(0, last.end)},${space || ' '}${written(change)}${text.slice(last.end)}`;
}

function renamed(text: string, entry: Span | undefined, name: string): string {
  const value = entry && findJsonParts(text, entry.start).findLast(({ key }) => key === 'name');
  return value ? text.slice(0, value.start) + JSON.stringify(name) + text.slice(value.end) : text;
}

function removed(text: string, entries: readonly Span[], at: number): string {
  const [entry, before, after] = [entries[at], entries[at - 1], entries[at + 1]];
  if (!entry) return text;
  if (before) return text.slice(0, before.end) + text.slice(entry.end);
  return text.slice(0, entry.start) + text.slice(after ? after.start : entry.end);
}
