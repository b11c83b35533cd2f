import * as z from 'zod/mini';
import { type Address, isRecord, requireAddress, toChecksumAddress } from '../../core/index.ts';

export interface TeamLabel {
  readonly address: Address;
  readonly name: string;
  /** Undefined: on every chain. */
  readonly chainId: number | undefined;
  /** From 1. */
  readonly line: number;
}

/** A label to set; without a name it is removed. */
export interface LabelChange extends Pick<TeamLabel, 'address' | 'chainId'> {
  readonly name: string | undefined;
  /** `contract`: `name` is the contract that is deployed there. */
  readonly field?: 'contract' | 'name';
}

/** A unit of a field to set, such as `Vault.Deposited.amount`; without one it is removed. */
export interface UnitChange {
  readonly field: string;
  readonly unit: string | undefined;
}

/** Parses the labels, and counts the entries that are not labels; undefined where the text is not a label file. */
export function parseLabelsFile(
  text: string,
): { readonly labels: readonly TeamLabel[]; readonly skipped: number } | undefined {
  const entries = findEntries(text);
  if (!entries) return undefined;
  const labels: TeamLabel[] = [];
  let line = 1;
  let position = 0;
  let skipped = Math.max(0, entries.length - MAX_TEAM_LABELS);
  for (const { start, end } of entries.slice(0, MAX_TEAM_LABELS)) {
    for (; position < start; position++) if (text.charCodeAt(position) === 10) line++;
    const entry = text.slice(start, end);
    const label = parseLabel(entry);
    if (label) labels.push({ ...label, line });
    else if (!ContractEntry.safeParse(JSON.parse(entry)).success) skipped++;
  }
  return { labels, skipped };
}

/**
 * Applies a change and leaves all else as it is: order, whitespace, other fields. Empty text stands for a new file;
 * undefined where the text is not a label file.
 */
export function editLabelsFile(text: string, change: LabelChange): string | undefined {
  const { field = 'name', name } = change;
  if (text.trim() === '') {
    return name === undefined ? '' : `{\n  "labels": [\n    ${formatEntry(change)}\n  ]\n}\n`;
  }
  const entries = findEntries(text);
  if (!entries) return undefined;
  const read = entries.slice(0, MAX_TEAM_LABELS);
  const at = read.findIndex(({ start, end }) => isSameEntry(text.slice(start, end), change));
  const entry = entries[at];
  if (!entry) return name === undefined ? text : addEntry(text, entries, change);
  const members = findJsonParts(text, entry.start);
  const own = members.findLastIndex(({ key }) => key === field);
  const { start, end } = members[own] ?? entry;
  if (name !== undefined) return text.slice(0, start) + JSON.stringify(name) + text.slice(end);
  const hasOther = members.some(({ key }) => key === (field === 'name' ? 'contract' : 'name'));
  return hasOther ? removeEntry(text, members.map(toWholeMember), own) : removeEntry(text, entries, at);
}

/** As {@link editLabelsFile}, for the unit of a field. */
export function editUnits(text: string, { field, unit }: UnitChange): string | undefined {
  const entry = `${JSON.stringify(field)}: ${JSON.stringify(unit)}`;
  if (text.trim() === '') {
    return unit === undefined ? '' : `{\n  "labels": [],\n  "units": {\n    ${entry}\n  }\n}\n`;
  }
  if (!findEntries(text)) return undefined;
  const members = findJsonParts(text, text.indexOf('{'));
  const units = members.findLast(({ key }) => key === 'units');
  if (!units) {
    const { end = text.indexOf('{') + 1 } = members.at(-1) ?? {};
    const added = `${members.length > 0 ? ',' : ''}\n  "units": {\n    ${entry}\n  }`;
    return unit === undefined ? text : `${text.slice(0, end)}${added}${text.slice(end)}`;
  }
  if (text[units.start] !== '{') return undefined;
  const entries = findJsonParts(text, units.start);
  const at = entries.findLastIndex(({ key }) => key === field);
  const own = entries[at];
  if (!own) return unit === undefined ? text : addUnit(text, { units, last: entries.at(-1), entry });
  if (unit !== undefined) return text.slice(0, own.start) + JSON.stringify(unit) + text.slice(own.end);
  return removeEntry(text, entries.map(toWholeMember), at);
}

/** Appends a unit, with the whitespace that precedes the last one. */
function addUnit(
  text: string,
  {
    units,
    last,
    entry,
  }: { readonly units: Span; readonly last: JsonPart | undefined; readonly entry: string },
): string {
  if (!last) return `${text.slice(0, units.start + 1)}\n    ${entry}\n  ${text.slice(units.end - 1)}`;
  const before = text.slice(0, last.from);
  const space = before.slice(before.trimEnd().length);
  return `${text.slice(0, last.end)},${space || ' '}${entry}${text.slice(last.end)}`;
}

const toWholeMember = ({ from, end }: JsonPart): Span => ({ start: from, end });

/** The places of the units in a label file; empty if it has none. */
export function findUnits(text: string): readonly (UnitChange & Span)[] {
  if (!findEntries(text)) return [];
  const units = findJsonParts(text, text.indexOf('{')).findLast(({ key }) => key === 'units');
  if (!units || text[units.start] !== '{') return [];
  return findJsonParts(text, units.start).map(({ key = '', start, end }) => {
    const unit: unknown = JSON.parse(text.slice(start, end));
    return { field: key, unit: typeof unit === 'string' ? unit : '', start, end };
  });
}

/** The entries with contracts in a label file, and the places of these. */
export function findChosenContracts(text: string): readonly (z.infer<typeof ContractEntry> & Span)[] {
  return (findEntries(text) ?? []).slice(0, MAX_TEAM_LABELS).flatMap(({ start, end }) => {
    const entry = ContractEntry.safeParse(JSON.parse(text.slice(start, end))).data;
    const part = entry && findJsonParts(text, start).findLast(({ key }) => key === 'contract');
    return part ? [{ ...entry, address: requireAddress(entry.address), ...toSpan(part) }] : [];
  });
}

const toSpan = ({ start, end }: Span): Span => ({ start, end });

/** The largest file that is read cannot contain more. */
const MAX_TEAM_LABELS = 10_000;

const ADDRESS = /^0[xX][0-9a-fA-F]{40}$/;
const Label = z.object({
  address: z.string().check(z.regex(ADDRESS)),
  name: z.string().check(z.minLength(1)),
  chainId: z.optional(z.int().check(z.minimum(1))),
});

/** What is deployed at an address; it may have a name too. */
const ContractEntry = z.object({
  address: z.string().check(z.regex(ADDRESS)),
  contract: z.string().check(z.minLength(1)),
  chainId: z.int().check(z.minimum(1)),
});

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The entries of the list; `list` is the index of its opening bracket, undefined if the file has no list. */
type Entries = readonly Span[] & { readonly list?: number };

function findEntries(text: string): Entries | undefined {
  try {
    const file: unknown = JSON.parse(text);
    if (!isRecord(file) || !(file.labels === undefined || Array.isArray(file.labels))) return undefined;
  } catch {
    return undefined;
  }
  // Of two members with one name, JSON takes the last.
  const labels = findJsonParts(text, text.indexOf('{')).findLast(({ key }) => key === 'labels');
  if (!labels) return [];
  return Object.assign([...findJsonParts(text, labels.start)], { list: labels.start });
}

function parseLabel(text: string): Omit<TeamLabel, 'line'> | undefined {
  const label = Label.safeParse(JSON.parse(text)).data;
  return label && { address: requireAddress(label.address), name: label.name, chainId: label.chainId };
}

function isSameEntry(text: string, { address, chainId, field = 'name' }: LabelChange): boolean {
  const entry = (field === 'name' ? Label : ContractEntry).safeParse(JSON.parse(text)).data;
  return entry !== undefined && requireAddress(entry.address) === address && entry.chainId === chainId;
}

function formatEntry({ address, name, chainId, field = 'name' }: LabelChange): string {
  const fields = [
    `"address": ${JSON.stringify(toChecksumAddress(address))}`,
    `"${field}": ${JSON.stringify(name)}`,
    ...(chainId === undefined ? [] : [`"chainId": ${chainId}`]),
  ];
  return `{ ${fields.join(', ')} }`;
}

/** Appends an entry, with the whitespace that precedes the last one. */
function addEntry(text: string, entries: Entries, change: LabelChange): string {
  const last = entries.at(-1);
  if (entries.list === undefined) {
    const open = text.indexOf('{') + 1;
    const comma = /^\s*\}/.test(text.slice(open)) ? '' : ',';
    return `${text.slice(0, open)}\n  "labels": [\n    ${formatEntry(change)}\n  ]${comma}${text.slice(open)}`;
  }
  if (!last) {
    const listStart = entries.list;
    return `${text.slice(0, listStart + 1)}\n    ${formatEntry(change)}\n  ${text.slice(text.indexOf(']', listStart))}`;
  }
  const before = text.slice(0, last.start);
  const space = before.slice(before.trimEnd().length);
  return `${text.slice(0, last.end)},${space || ' '}${formatEntry(change)}${text.slice(last.end)}`;
}

function removeEntry(text: string, entries: readonly Span[], at: number): string {
  const [entry, before, after] = [entries[at], entries[at - 1], entries[at + 1]];
  if (!entry) return text;
  if (before) return text.slice(0, before.end) + text.slice(entry.end);
  return text.slice(0, entry.start) + text.slice(after ? after.start : entry.end);
}

/** A member of an object or an item of a list, by its position in the text. */
interface JsonPart {
  /** Set for members of objects. */
  readonly key: string | undefined;
  /** Of the key of a member, else of the value. */
  readonly from: number;
  /** Of the value. */
  readonly start: number;
  readonly end: number;
}

/** Locates the members or items in the object or list whose bracket is at `open`; `text` must be valid JSON. */
function findJsonParts(text: string, open: number): readonly JsonPart[] {
  const parts: JsonPart[] = [];
  const isObject = text[open] === '{';
  let at = skipSpace(text, open + 1);
  while (at < text.length && text[at] !== '}' && text[at] !== ']') {
    const from = at;
    let key: string | undefined;
    if (isObject) {
      const end = findValueEnd(text, at);
      key = JSON.parse(text.slice(at, end));
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    const end = findValueEnd(text, at);
    parts.push({ key, from, start: at, end });
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return parts;
}

const isSpace = (sign: string | undefined) => sign === ' ' || sign === '\n' || sign === '\r' || sign === '\t';

function skipSpace(text: string, start: number): number {
  let at = start;
  while (isSpace(text[at])) at++;
  return at;
}

function findValueEnd(text: string, start: number): number {
  if (text[start] === '"') return findStringEnd(text, start);
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const sign = text[at] ?? '';
    if (sign === '"') {
      at = findStringEnd(text, at);
      continue;
    }
    if (sign === '{' || sign === '[') depth++;
    const closes = sign === '}' || sign === ']';
    if (depth === 0 && (closes || sign === ',' || isSpace(sign))) return at;
    at++;
    if (closes && --depth === 0) return at;
  }
  return at;
}

function findStringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}
