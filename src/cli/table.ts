import { isRecord, pushAll, sanitizeText } from '../core/index.ts';
import { formatMessageLine } from './output.ts';

type Row = Readonly<Record<string, unknown>>;
/** Makes text for people of values that would be lines of JSON. */
type Format = (values: Iterable<unknown>) => string;
type GetWidth = () => number | undefined;

/** Commands that print rows, and the columns that come first. Those that a terminal has no room for are cut. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  tokens: ['symbol', 'amount', 'decimals', 'value', 'contract'],
  transfers: ['time', 'symbol', 'amount', 'tokenId', 'from', 'to', 'transactionHash'],
  balances: ['blockNumber', 'time', 'wei', 'delta'],
  logs: ['blockNumber', 'logIndex', 'time', 'address', 'decoded', 'topics', 'data', 'transactionHash'],
  state: [],
  contracts: ['name', 'address', 'state', 'source'],
};

/** Commands that print what they found of one thing, or of a few. */
const RECORDS: readonly string[] = ['block', 'balance', 'identify', 'decode', 'read', 'code', 'transaction'];

/** Objects with one of these alone are for programs: messages on standard error say the same. */
const SUMMARIES: readonly string[] = ['balances', 'error', 'holdings', 'transfers', 'verdict'];
/** JSON-RPC quantities, which are shown as numbers. Other short hex is data. */
const QUANTITIES: readonly string[] = ['blockNumber', 'logIndex', 'transactionIndex'];
/** Of an address, with space for a sign of the cut. */
const MAX_CELL_CHARS = 43;
/** Of the last cell of a row, which the width cuts. */
const MAX_LAST_CELL_CHARS = 300;
const MAX_NAME_CHARS = 40;
const MAX_VALUE_LINES = 6;
const MAX_INDENT_CHARS = 40;
const DEFAULT_WIDTH = 100;
const MIN_WIDTH = 20;

/** What a command prints for people; undefined for lines of JSON. */
export function createTerminalFormat(command: string, getWidth: GetWidth): Format | undefined {
  if (Object.hasOwn(TABLES, command)) return createTableFormat(command, getWidth);
  return RECORDS.includes(command) ? createRecordFormat(getWidth) : undefined;
}

/**
 * Creates the format of the rows of a command: aligned columns as wide as the rows so far, in lines that fit the terminal.
 * A head is printed where columns begin or change.
 */
export function createTableFormat(command: string, getWidth: GetWidth): Format {
  let columns: readonly string[] = [];
  let widths: readonly number[] = [];

  return (values) => {
    const rows = spreadChanges([...values].filter(isRecord).flatMap(toRow));
    const lines: string[] = [];
    const width = getWidth();
    for (const row of rows) {
      const own = orderColumns(Object.keys(row), TABLES[command] ?? []);
      if (own.join() !== columns.join()) {
        columns = own;
        widths = measureColumns(
          own,
          rows.filter((other) => Object.keys(other).length === own.length),
        );
        lines.push(formatCells(own.map(formatName), widths, width));
      }
      lines.push(
        formatCells(
          own.map((name) => formatCell(name, row[name])),
          widths,
          width,
        ),
      );
    }
    return lines.map((line) => `${line}\n`).join('');
  };
}

/**
 * Creates the format of things one by one: aligned lines of name and value, with a table for a list below its name, or a
 * dash before each of its members that have lists of their own. Long values are wrapped, and cut after some lines.
 */
export function createRecordFormat(getWidth: GetWidth): Format {
  let isFirst = true;
  return (values) => {
    const texts: string[] = [];
    for (const record of [...values].filter(isRecord).flatMap(toRow)) {
      if (!isFirst) texts.push('');
      isFirst = false;
      pushAll(texts, formatRecord(record, '', Math.max(MIN_WIDTH, getWidth() ?? DEFAULT_WIDTH)));
    }
    return texts.map((line) => `${line}\n`).join('');
  };
}

/** A row of its cells; none of a summary. `{"contract":{…}}` is the row in it. */
function toRow(value: Row): readonly Row[] {
  const [[key = '', inner] = [], ...others] = Object.entries(value);
  if (others.length > 0 && !('verdict' in value)) return [value];
  if (SUMMARIES.includes(key) || 'verdict' in value) return [];
  return [isRecord(inner) ? inner : value];
}

/**
 * Rows of what changed, `{"before":{…},"after":{…}}`: with the kind of change, and two columns for what differs in any of
 * them.
 */
function spreadChanges(rows: readonly Row[]): readonly Row[] {
  const isChange = (row: Row) => Object.keys(row).join() === 'before,after';
  if (!rows.every(isChange)) return rows;
  const sides = rows.map(({ before, after }) => ({ before: toFields(before), after: toFields(after) }));
  const names = [...new Set(sides.flatMap(({ before, after }) => Object.keys({ ...before, ...after })))];
  const differs = (name: string) =>
    sides.some(({ before, after }) => before && after && before[name] !== after[name]);
  const doubled = names.filter(differs);
  return sides.map(({ before, after }) => ({
    change: before ? (after ? 'changed' : 'removed') : 'added',
    ...Object.fromEntries(
      names.flatMap((name) =>
        doubled.includes(name)
          ? [
              [`${name} before`, before?.[name]],
              [`${name} after`, after?.[name]],
            ]
          : [[name, (after ?? before)?.[name]]],
      ),
    ),
  }));
}

const toFields = (side: unknown): Row | undefined => (isRecord(side) ? side : undefined);

function orderColumns(names: readonly string[], first: readonly string[]): readonly string[] {
  const known = first.filter((name) => names.includes(name));
  return [...known, ...names.filter((name) => !known.includes(name))];
}

function measureColumns(columns: readonly string[], rows: readonly Row[]): readonly number[] {
  const measured = rows.slice(0, 1000);
  return columns.map((name) =>
    Math.max(formatName(name).length, ...measured.map((row) => formatCell(name, row[name]).length)),
  );
}

function formatCells(
  cells: readonly string[],
  widths: readonly number[],
  width = DEFAULT_WIDTH,
  indent = '',
): string {
  const text = `${indent}${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ')}`.trimEnd();
  const max = Math.max(MIN_WIDTH, width);
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}

function formatRecord(record: Row, indent: string, width: number): readonly string[] {
  const entries = Object.entries(record);
  const nameWidth = entries.reduce(
    (most, [name, value]) => (isInline(value) ? Math.max(most, formatName(name).length) : most),
    0,
  );
  const inner = `${indent}  `.slice(0, MAX_INDENT_CHARS);
  return entries.flatMap(([key, value]) => {
    const name = formatName(key);
    if (isInline(value)) {
      const start = `${indent}${name.padEnd(nameWidth)}  `;
      const [first = '', ...others] = wrapValue(formatValue(value), width - start.length);
      return [`${start}${first}`, ...others.map((line) => `${' '.repeat(start.length)}${line}`)];
    }
    const nested = isRecord(value) ? formatRecord(value, inner, width) : formatList(value, inner, width);
    return [`${indent}${name}`, ...nested];
  });
}

function formatList(list: unknown, indent: string, width: number): readonly string[] {
  const members: readonly unknown[] = Array.isArray(list) ? list : [];
  const rows = members.filter(isRecord);
  if (rows.length === members.length && rows.every((row) => Object.values(row).every(isInline))) {
    const columns = [...new Set(rows.flatMap(Object.keys))];
    const widths = measureColumns(columns, rows);
    const last = columns.at(-1);
    const toCells = (row: Row) =>
      columns.map((name) => formatCell(name, row[name], name === last ? MAX_LAST_CELL_CHARS : undefined));
    const cells = [columns.map(formatName), ...rows.map(toCells)];
    return cells.map((line) => formatCells(line, widths, width, indent));
  }
  const inner = `${indent}  `.slice(0, MAX_INDENT_CHARS);
  return members.flatMap((member) => {
    if (!isRecord(member))
      return wrapValue(formatValue(member), width - indent.length).map((line) => `${indent}${line}`);
    const [first = '', ...others] = formatRecord(member, inner, width);
    return [`${indent}- ${first.slice(inner.length)}`, ...others];
  });
}

/** Whether a value fits beside its name: no list of things with names, unless it is empty. */
function isInline(value: unknown): boolean {
  if (Array.isArray(value)) return !value.some((member) => isRecord(member));
  return !isRecord(value) || Object.keys(value).length === 0;
}

const formatName = (name: string): string => sanitizeText(name, MAX_NAME_CHARS);

/** Untrusted text in one line, not cut yet. Null is unknown, which an empty list is not. */
function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'string') return value === '' ? '""' : value;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(formatValue).join(', ');
  if (isRecord(value) && Object.keys(value).length === 0) return 'none';
  return JSON.stringify(value);
}

/** Untrusted text, plain and cut. */
function formatCell(name: string, value: unknown, maxChars = MAX_CELL_CHARS): string {
  if (QUANTITIES.includes(name) && typeof value === 'string' && /^0x[0-9a-f]{1,13}$/.test(value))
    return String(Number(value));
  const text = Array.isArray(value) && !isInline(value) ? JSON.stringify(value) : formatValue(value);
  return formatMessageLine(sanitizeText(text, maxChars));
}

/** Lines of whole words, where they fit. Each is plain text. */
function wrapValue(value: string, room: number): readonly string[] {
  const width = Math.max(MIN_WIDTH, room);
  let rest = sanitizeText(value, width * MAX_VALUE_LINES);
  const lines: string[] = [];
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > width / 2 ? space : width;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest].slice(0, MAX_VALUE_LINES + 1).map((line) => formatMessageLine(line));
}
