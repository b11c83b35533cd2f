import { type Address, type Hex, parseAddress, parseHexData } from '../../core/index.ts';
import { findAllHex } from '../../host/places/hexInText.ts';

export interface HexItem {
  readonly hex: string;
  /** The line of its first occurrence; undefined if the text has only one line, or its lines have no numbers. */
  readonly line: number | undefined;
  /** Occurrences in the text. */
  readonly count: number;
  /** Whether the text ends it with an ellipsis. */
  readonly isCut: boolean;
}

export interface HexItems {
  readonly items: readonly HexItem[];
  /** Number of items beyond the limit. */
  readonly left: number;
}

/** The test output of a large project has thousands. */
const MAX_ITEMS = 200;
/** Limit of different ones. */
const MAX_COUNTED = 10_000;
const MIN_DIGITS = 8;

/**
 * Each hex of a text once, in order. A text that is only hex is one item, even without `0x` and of any length, so that
 * the result can report what is wrong with it.
 *
 * @param firstLine the number of the first line; undefined if the lines are not consecutive.
 */
export function findHexItems(text: string, firstLine?: number): HexItems {
  const whole = parseWholeHex(text);
  if (whole !== undefined)
    return { items: [{ hex: whole, line: undefined, count: 1, isCut: false }], left: 0 };
  const found = new Map<Hex, { line: number; count: number; isCut: boolean }>();
  let line = firstLine ?? 0;
  let lineEnd = text.indexOf('\n');
  const isLong = lineEnd >= 0;
  for (const { hex, offset, isCut } of findAllHex(text)) {
    for (; lineEnd >= 0 && lineEnd < offset; lineEnd = text.indexOf('\n', lineEnd + 1)) line++;
    const existing = found.get(hex);
    if (existing) existing.count++;
    else if (found.size < MAX_COUNTED) found.set(hex, { line, count: 1, isCut });
  }
  const items = [...found].slice(0, MAX_ITEMS).map(([hex, place]) => ({
    hex,
    line: isLong && firstLine !== undefined ? place.line : undefined,
    count: place.count,
    isCut: place.isCut,
  }));
  return { items, left: found.size - items.length };
}

/** The hex that makes up the whole text, apart from spaces. */
function parseWholeHex(text: string): string | undefined {
  const word = text.trim();
  const hasPrefix = /^0x/i.test(word);
  const digits = hasPrefix ? word.slice(2) : word;
  if (/[^0-9a-f]/i.test(digits)) return undefined;
  if (hasPrefix) return `0x${digits.toLowerCase()}`;
  return digits.length >= MIN_DIGITS && /[a-f]/i.test(digits) ? parseHexData(`0x${digits}`) : undefined;
}

/** A log as *Copy as JSON* of the grid, a receipt or a test output contains it. */
export interface LogItem {
  /** Undefined if the text does not name the emitter. */
  readonly address: Address | undefined;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

const MAX_LOGS = 200;
/** A receipt in a response in a list is four levels deep. */
const MAX_DEPTH = 8;
/** Each log has about ten values; a text may contain much else. */
const MAX_VALUES = 100_000;
const MAX_TOPICS = 4;

/** The logs in a JSON text, in order; undefined if there are none. */
export function findLogItems(text: string): readonly LogItem[] | undefined {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) return undefined;
  const logs: LogItem[] = [];
  const left = { values: MAX_VALUES };
  collectLogs(parseJson(trimmed), { logs, left, depth: 0 });
  return logs.length > 0 ? logs : undefined;
}

/** Undefined if it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function collectLogs(
  value: unknown,
  {
    logs,
    left,
    depth,
  }: { readonly logs: LogItem[]; readonly left: { values: number }; readonly depth: number },
): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
  const log = parseLog(value);
  if (log) {
    logs.push(log);
    return;
  }
  for (const inner of Object.values(value)) {
    if (left.values-- <= 0 || logs.length >= MAX_LOGS) return;
    collectLogs(inner, { logs, left, depth: depth + 1 });
  }
}

function parseLog(value: object): LogItem | undefined {
  if (!('topics' in value && 'data' in value) || !Array.isArray(value.topics)) return undefined;
  const topics = value.topics.slice(0, MAX_TOPICS + 1).map((topic) => parseHexData(topic, 32));
  const data = parseHexData(value.data);
  if (data === undefined || topics.length > MAX_TOPICS || !topics.every((topic) => topic !== undefined)) {
    return undefined;
  }
  const address = 'address' in value && typeof value.address === 'string' ? value.address : '';
  return { address: parseAddress(address), topics, data };
}
