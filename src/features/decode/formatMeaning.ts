import {
  type AbiItem,
  type AbiParameter,
  type AbiType,
  type AbiValue,
  type Address,
  type Attribution,
  type BareMeaning,
  explainHex,
  formatAbiItem,
  formatAbiValue,
  formatAmount,
  formatExactNumber,
  formatNestedPath,
  getDeclaredUnit,
  groupDigits,
  type Hex,
  type HexMeaning,
  mergeLookups,
  type NestedMeaning,
  noTokens,
  type Origin,
  resolveUnit,
  type TokenUnits,
  toChecksumAddress,
  type UnitsOf,
} from '../../core/index.ts';
import { formatOriginLabel } from '../../host/formatting.ts';
import { type Localizer, localize } from '../../host/l10n.ts';
import type { MarkdownLines, MarkdownPiece } from '../../host/ui/markdown.ts';
import type { TextLine } from '../../host/ui/readOnlyDocuments.ts';

/** Collects lines; `level` is the indentation. */
export interface LineWriter {
  readonly lines: TextLine[];
  readonly format: MeaningFormat;
  readonly level: number;
  /** The token whose amounts a call has. */
  readonly units?: TokenUnits | undefined;
}

/** 16 KiB as hex. */
const MAX_DOCUMENT_VALUE_CHARS = 32_800;
/** Elements of an array or a tuple; the raw hex has the rest. */
const MAX_PARTS = 500;

/** Writes a meaning with its values as a tree, and nested meanings below. */
export function writeMeaning(meaning: HexMeaning, to: LineWriter): void {
  if (!('item' in meaning) && meaning.inputs.length === 1) writeAlone(meaning, to);
  else writeTree(meaning, to);
}

function writeTree(meaning: HexMeaning, to: LineWriter): void {
  const { format, lines, level } = to;
  const { label, declaration } = getHeading(meaning, format.l10n);
  const heading = declaration === undefined ? label : `${label} ${declaration}`;
  const style = meaning.kind === 'revert' ? 'failure' : 'heading';
  lines.push({ level, text: heading, label, style });
  const inner = { ...to, level: level + 1 };
  if ('origin' in meaning) {
    const place = format.placeOf(meaning.origin);
    lines.push({
      level: level + 1,
      text: formatOriginLine(meaning.origin, format.l10n),
      place,
      style: 'muted',
    });
  }
  if ('reason' in meaning) {
    const text = format.l10n.t('Arguments do not match: {0}', localize(meaning.reason, format.l10n));
    lines.push({ level: level + 1, text });
  }
  if ('note' in meaning && meaning.note !== undefined) {
    lines.push({
      level: level + 1,
      text: format.l10n.t('Meaning: {0}', localize(meaning.note, format.l10n)),
    });
  }
  if (!('values' in meaning)) return;
  const inputs = 'item' in meaning ? meaning.item.inputs : meaning.inputs;
  for (const [index, input] of inputs.entries()) {
    const units =
      index === inputs.length - 1 && 'item' in meaning && hasCallAmount(meaning.item) ? to.units : undefined;
    const name = getParameterName(input, index);
    writeValue({ name, type: input.type, value: meaning.values[index] ?? '', units }, inner);
    writeNested({ ...meaning, inputs }, index, { ...inner, level: level + 2 });
  }
  if (!('suffix' in meaning) || !meaning.suffix) return;
  const { data, attribution } = meaning.suffix;
  const text = format.l10n.t('{0}: {1}', formatSuffixLabel(data, format.l10n), data);
  lines.push({ level: level + 1, text: text.slice(0, MAX_DOCUMENT_VALUE_CHARS) });
  if (attribution) lines.push({ level: level + 2, text: formatAttribution(attribution, format.l10n) });
}

function formatSuffixLabel(data: Hex, l10n: Localizer): string {
  const bytes = (data.length - 2) / 2;
  return bytes === 1
    ? l10n.t('1 byte behind the arguments')
    : l10n.t('{0} bytes behind the arguments', groupDigits(bytes));
}

/** Codes are text of the sender. */
export function formatAttribution({ schema, codes, registry }: Attribution, l10n: Localizer): string {
  const text =
    codes.length > 0
      ? l10n.t('Attribution (ERC-8021): {0}', codes.join(', '))
      : l10n.t('Attribution (ERC-8021) of schema {0}, without known codes', schema);
  if (!registry) return text;
  return l10n.t(
    '{0}, registry {1} on chain {2}',
    text,
    toChecksumAddress(registry.address),
    registry.chainId,
  );
}

export function formatOriginLine(origin: Origin, l10n: Localizer): string {
  const label = formatOriginLabel(origin, l10n);
  return origin.trust === 'workspace' ? l10n.t('Defined in {0}', label) : l10n.t('Source: {0}', label);
}

/** Writes a single unnamed value on the line of the heading. */
function writeAlone(meaning: BareMeaning, to: LineWriter): void {
  const [input] = meaning.inputs;
  if (!input) return;
  const { label } = getHeading(meaning, to.format.l10n);
  writeValue({ ...input, name: label, value: meaning.values[0] ?? '' }, to);
  writeNested(meaning, 0, { ...to, level: to.level + 1 });
}

/** `[0]` if it has no name. */
export function getParameterName({ name }: AbiParameter, index: number): string {
  return name === '' ? `[${index}]` : name;
}

interface Named extends AbiParameter {
  readonly value: AbiValue;
  /** If it is an amount of a token. */
  readonly units?: TokenUnits | undefined;
}

export function writeValue({ name, type, value, units }: Named, to: LineWriter): void {
  const { lines, format, level } = to;
  const head = `${name} ${type.text}`;
  if (!Array.isArray(value) || value.length === 0) {
    const text = formatExactValue({ type, value, units }, format, MAX_DOCUMENT_VALUE_CHARS);
    lines.push({ level, text: `${head} = ${text}`, label: `${head} =` });
    if (type.kind === 'bytes' && typeof value === 'string' && value.length > MAX_DOCUMENT_VALUE_CHARS) {
      const bytes = (value.length - 2) / 2;
      lines.push({ level: level + 1, text: format.l10n.t('{0} bytes in total', groupDigits(bytes)) });
    }
    return;
  }
  lines.push({ level, text: head, label: head });
  const members = type.kind === 'tuple' ? type.members : [];
  for (const [index, part] of value.slice(0, MAX_PARTS).entries()) {
    const member = type.kind === 'array' ? { name: '', type: type.item } : members[index];
    if (!member) break;
    writeValue(
      { ...member, name: getParameterName(member, index), value: part },
      { ...to, level: level + 1 },
    );
  }
  if (value.length > MAX_PARTS) {
    lines.push({ level: level + 1, text: format.l10n.t('and {0} more', value.length - MAX_PARTS) });
  }
}

function writeNested(
  { inputs, nested }: { readonly inputs: readonly AbiParameter[]; readonly nested: readonly NestedMeaning[] },
  index: number,
  to: LineWriter,
): void {
  for (const { path, meanings } of nested) {
    if (path[0] !== index) continue;
    to.lines.push({ level: to.level, text: to.format.l10n.t('in {0}:', formatNestedPath(inputs, path)) });
    for (const meaning of meanings) writeMeaning(meaning, { ...to, level: to.level + 1 });
  }
}

/** Functions of ERC-20 whose last argument is an amount. */
const CALLS_WITH_AMOUNT: ReadonlySet<string> = new Set([
  'transfer(address,uint256)',
  'transferFrom(address,address,uint256)',
  'approve(address,uint256)',
]);

export function hasCallAmount(item: AbiItem): boolean {
  return item.kind === 'function' && CALLS_WITH_AMOUNT.has(item.signature);
}

/** A hover of ordinary height has room for this; *Decode…* shows the rest. */
const MAX_HOVER_ROWS = 20;
const MAX_HOVER_MEANINGS = 4;
const MAX_HOVER_VALUE_CHARS = 160;
/** Of bytes whose meaning follows below. */
const MAX_EXPLAINED_CHARS = 40;

/**
 * The possible meanings of hex: the best one with its arguments, others by their headings. Meanings that do not fit the
 * data are shown only if none fits.
 */
export function createMeaningLines(meanings: readonly HexMeaning[], wording: MeaningFormat): MarkdownLines {
  const fitting = meanings.filter((meaning) => !('reason' in meaning));
  const shown = fitting.length > 0 ? fitting : meanings;
  const rows: (readonly MarkdownPiece[])[] = [];
  const [first, ...others] = shown.slice(0, MAX_HOVER_MEANINGS);
  if (first) addMeaning(rows, first, { wording, level: 0 });
  const cut = rows.length > MAX_HOVER_ROWS;
  return [
    ...rows.slice(0, MAX_HOVER_ROWS),
    ...(cut ? [[{ level: 1 }, '…'] as const] : []),
    ...others.map((other) => headingLine(other, wording)),
    ...(shown.length > MAX_HOVER_MEANINGS
      ? [[wording.l10n.t('and {0} more', shown.length - MAX_HOVER_MEANINGS)]]
      : []),
  ];
}

interface IndentedPlace {
  readonly wording: MeaningFormat;
  readonly level: number;
}

function addMeaning(rows: (readonly MarkdownPiece[])[], meaning: HexMeaning, place: IndentedPlace): void {
  const { wording, level } = place;
  if (rows.length > MAX_HOVER_ROWS) return;
  const line = headingLine(meaning, wording);
  rows.push(level === 0 ? line : [{ level }, ...line]);
  if ('reason' in meaning) {
    rows.push([
      { level: level + 1 },
      wording.l10n.t('arguments do not match: {0}', localize(meaning.reason, wording.l10n)),
    ]);
  }
  if (!('values' in meaning)) return;
  const inputs = 'item' in meaning ? meaning.item.inputs : meaning.inputs;
  addValues(rows, { ...meaning, inputs }, { wording, level: level + 1 });
  if ('note' in meaning && meaning.note !== undefined) {
    rows.push([{ level: level + 1 }, { strong: localize(meaning.note, wording.l10n) }]);
  }
  if ('suffix' in meaning && meaning.suffix) {
    const { data, attribution } = meaning.suffix;
    const cut = data.length > MAX_EXPLAINED_CHARS ? `${data.slice(0, MAX_EXPLAINED_CHARS)}…` : data;
    const shown = attribution ? formatAttribution(attribution, wording.l10n) : cut;
    rows.push([{ level: level + 1 }, formatSuffixLabel(data, wording.l10n), '·', shown]);
  }
}

function addValues(
  rows: (readonly MarkdownPiece[])[],
  of: {
    readonly inputs: readonly AbiParameter[];
    readonly values: readonly AbiValue[];
    readonly nested: readonly NestedMeaning[];
  },
  { wording, level }: IndentedPlace,
): void {
  for (const [index, { name, type }] of of.inputs.entries()) {
    if (rows.length > MAX_HOVER_ROWS) return;
    const value = of.values[index] ?? '';
    const label = name === '' ? [] : [{ strong: name }];
    const nested = of.nested.filter(({ path }) => path[0] === index);
    const most = nested.length > 0 ? MAX_EXPLAINED_CHARS : MAX_HOVER_VALUE_CHARS;
    rows.push([{ level }, ...label, type.text, '=', formatReadableValue({ type, value }, wording, most)]);
    for (const { path, meanings } of nested) {
      const [inner] = meanings;
      if (!inner) continue;
      if (path.length > 1) rows.push([{ level: level + 1 }, formatNestedPath(of.inputs, path)]);
      addMeaning(rows, inner, { wording, level: level + (path.length > 1 ? 2 : 1) });
    }
  }
}

function headingLine(meaning: HexMeaning, wording: MeaningFormat): readonly MarkdownPiece[] {
  const { icon, label, declaration } = getHeading(meaning, wording.l10n);
  return [
    { icon },
    label,
    ...(declaration === undefined ? [] : [{ strong: declaration }]),
    ...('origin' in meaning ? ['·', originPiece(meaning.origin, wording)] : []),
  ];
}

function originPiece(origin: Origin, { l10n, placeOf }: MeaningFormat): MarkdownPiece {
  const title = formatOriginLabel(origin, l10n);
  const place = placeOf(origin);
  return place ? { title, command: 'chainside.goToPlace', args: [place] } : title;
}

interface Heading {
  /** The ID of a codicon. */
  readonly icon: string;
  /** Precedes the declaration. */
  readonly label: string;
  /** Undefined for values without a declaration. */
  readonly declaration: string | undefined;
}

const MAX_DECLARATION_CHARS = 400;

function getHeading(meaning: HexMeaning, l10n: Localizer): Heading {
  if (!('item' in meaning)) {
    return { icon: 'symbol-field', label: getBareHeading(meaning, l10n), declaration: undefined };
  }
  const { kind, item } = meaning;
  return { icon: icons[item.kind], label: formatHeading(kind, 'reason' in meaning, l10n), ...declared(item) };
}

function getBareHeading({ kind, inputs }: BareMeaning, l10n: Localizer): string {
  if (kind === 'word') return l10n.t('May be');
  return inputs.length === 1 ? l10n.t('ABI-encoded') : l10n.t('Words with their likely types');
}

const icons: Readonly<Record<AbiItem['kind'], string>> = {
  function: 'symbol-method',
  error: 'error',
  event: 'symbol-event',
};

function formatHeading(
  kind: Exclude<HexMeaning['kind'], 'word' | 'blob'>,
  isUnfit: boolean,
  l10n: Localizer,
): string {
  if (isUnfit) return l10n.t('Begins with the selector of');
  switch (kind) {
    case 'event':
      return l10n.t('topic0 of');
    case 'function':
    case 'error':
      return l10n.t('Selector of');
    case 'calldata':
      return l10n.t('Call to');
    case 'revert':
      return l10n.t('Reverted with');
  }
}

function declared(item: AbiItem): Pick<Heading, 'declaration'> {
  const text = formatAbiItem(item);
  const cut = text.length > MAX_DECLARATION_CHARS ? `${text.slice(0, MAX_DECLARATION_CHARS)}…` : text;
  return { declaration: cut };
}

const nothing = mergeLookups();

/** Replaces each untyped word by its most likely meaning; returns other meanings unchanged. */
export function resolveLikelyWords(meaning: HexMeaning): HexMeaning {
  if (meaning.kind !== 'blob' || !isBareWords(meaning)) return meaning;
  const bare = meaning.values.flatMap((word): readonly BareMeaning[] => {
    const [likely] = explainHex(word as Hex, { lookup: nothing });
    return likely === undefined || 'item' in likely ? [] : [likely];
  });
  return {
    ...meaning,
    inputs: bare.flatMap(({ inputs }) => inputs),
    values: bare.flatMap(({ values }) => values),
  };
}

/** Whether a meaning consists of untyped words only. */
export function isBareWords({ inputs }: BareMeaning): boolean {
  return inputs.every(({ type }) => type.kind === 'fixedBytes');
}

/** A value on one line: integers grouped, addresses with their names, strings quoted. */
function formatReadableValue(
  { type, value }: { readonly type: AbiType; readonly value: AbiValue },
  { nameOf, unitsOf = noTokens }: Pick<MeaningFormat, 'nameOf' | 'unitsOf'>,
  most: number,
): string {
  const address = (known: Address) => formatAddressValue(known, nameOf);
  const text = formatAbiValue(type, value, { address, most, unitsOf });
  return type.kind === 'string' ? `"${text}"` : text;
}

/** {@link formatReadableValue}, with an amount in whole units first and exact behind. */
function formatExactValue(
  typed: { readonly type: AbiType; readonly value: AbiValue; readonly units?: TokenUnits | undefined },
  wording: Pick<MeaningFormat, 'l10n' | 'nameOf' | 'unitsOf'>,
  most: number,
): string {
  const { type, value } = typed;
  const declared = resolveUnit(getDeclaredUnit(type), wording.unitsOf ?? noTokens);
  const units = declared ?? typed.units;
  const readable = formatReadableValue(typed, wording, most);
  const isMember = type.kind === 'uint' && type.enumeration !== undefined;
  if (typeof value !== 'bigint' || isMember) return readable;
  if (units) return `${formatAmount(value, units)} (${value})`;
  const decimals = type.kind === 'int' || type.kind === 'uint' ? type.decimals : undefined;
  if (decimals !== undefined) {
    return wording.l10n.t(
      '{0} ({1} of {2} decimals)',
      formatExactNumber(type, value),
      value.toString(),
      decimals,
    );
  }
  return readable;
}

function formatAddressValue(address: Address, nameOf: MeaningFormat['nameOf']): string {
  const name = nameOf(address);
  const checksummed = toChecksumAddress(address);
  return name === undefined ? checksummed : `${name} (${checksummed})`;
}

export interface MeaningFormat {
  readonly l10n: Localizer;
  /** The name of an address on the active network. */
  nameOf(address: Address): string | undefined;
  readonly unitsOf?: UnitsOf | undefined;
  /** Where an item is declared, or read from; undefined for a bundled list. */
  placeOf(origin: Origin): OriginLocation | undefined;
}

/** A line of a file of the workspace, from 0; the file as a URI. */
export interface OriginLocation {
  readonly file: string;
  readonly line: number;
}
