import { type Address, type Hex, parseAddress, parseHexData } from '../../core/index.ts';
import { findAllHex } from '../../host/places/hexInText.ts';
import type { HoveredPlace } from './hexHover.ts';

/** A hex that is to be decoded. */
export interface HexItem {
  readonly hex: string;
  /** The line it is first on; undefined where the text has one line alone, or its lines have no numbers. */
  readonly line: number | undefined;
  /** How often it stands in the text. */
  readonly count: number;
  /** Whether the text leaves out what follows. */
  readonly isCut: boolean;
}

export interface HexItems {
  readonly items: readonly HexItem[];
  /** How many more there are. */
  readonly left: number;
}

/** What a person looks through; the test output of a large project has thousands. */
const MAX_ITEMS = 200;
/** Different ones that are counted. */
const MAX_COUNTED = 10_000;
const MIN_DIGITS = 8;

/**
 * Each hex of a text once, in order. A text that is nothing but hex is taken as such, also without `0x`, of any length:
 * then there is something to say of it.
 *
 * @param firstLine the number of its first line; undefined where its lines do not follow one another.
 */
export function findHexItems(text: string, firstLine?: number): HexItems {
  const whole = wholeHex(text);
  if (whole !== undefined)
    return { items: [{ hex: whole, line: undefined, count: 1, isCut: false }], left: 0 };
  const found = new Map<Hex, { line: number; count: number; isCut: boolean }>();
  let line = firstLine ?? 0;
  let lineEnd = text.indexOf('\n');
  const isLong = lineEnd >= 0;
  for (const { hex, offset, isCut } of findAllHex(text)) {
    for (; lineEnd >= 0 && lineEnd < offset; lineEnd = text.indexOf('\n', lineEnd + 1)) line++;
    const known = found.get(hex);
    if (known) known.count++;
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

/** The hex that a text is, apart from spaces around it; undefined where it is not hex alone. */
function wholeHex(text: string): string | undefined {
  const word = text.trim();
  if (/^0x[0-9a-f]*$/i.test(word)) return `0x${word.slice(2).toLowerCase()}`;
  const isBare = word.length >= MIN_DIGITS && /^[0-9a-f]+$/i.test(word) && !/^\d+$/.test(word);
  return isBare ? parseHexData(`0x${word}`) : undefined;
}

/** A log as a grid's *Copy as JSON*, a receipt or a test output has it. */
export interface LogItem {
  /** Undefined where it does not say who emitted it. */
  readonly address: Address | undefined;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

const MAX_LOGS = 200;
/** A receipt in an answer in a list is four deep. */
const MAX_DEPTH = 8;
/** Values that are looked at: some ten for each log, and much else. */
const MAX_VALUES = 100_000;
const MAX_TOPICS = 4;

/** The logs in a text that is JSON, in order; undefined where it is none or has none. */
export function findLogItems(text: string): readonly LogItem[] | undefined {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) return undefined;
  const logs: LogItem[] = [];
  const left = { values: MAX_VALUES };
  collect(parsed(trimmed), { logs, left, depth: 0 });
  return logs.length > 0 ? logs : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function collect(
  value: unknown,
  {
    logs,
    left,
    depth,
  }: { readonly logs: LogItem[]; readonly left: { values: number }; readonly depth: number },
): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
  const log = readLog(value);
  if (log) {
    logs.push(log);
    return;
  }
  for (const inner of Object.values(value)) {
    if (left.values-- <= 0 || logs.length >= MAX_LOGS) return;
    collect(inner, { logs, left, depth: depth + 1 });
  }
}

function readLog(value: object): LogItem | undefined {
  if (!('topics' in value && 'data' in value) || !Array.isArray(value.topics)) return undefined;
  const topics = value.topics.slice(0, MAX_TOPICS + 1).map((topic) => parseHexData(topic, 32));
  const data = parseHexData(value.data);
  if (data === undefined || topics.length > MAX_TOPICS || !topics.every((topic) => topic !== undefined)) {
    return undefined;
  }
  const address = 'address' in value && typeof value.address === 'string' ? value.address : '';
  return { address: parseAddress(address), topics, data };
}

/**
 * What may be done with 32 bytes in a text: `ask` the network what they are, where the text calls them a hash; `offer` to,
 * where it says nothing; or neither, as they may be a `secret`: a private key has as many bytes as a hash.
 */
type HashContext = 'ask' | 'offer' | 'secret';

/** Characters of the line that are looked at, in front of the hex and behind it. */
const MAX_CHARS_BEFORE = 120;
const MAX_CHARS_AFTER = 40;
/** `0x` and 64 digits, or `hex"…"` of as many. */
const MAX_HASH_CHARS = 70;
const SECRET =
  /key|secret|priv|seed|mnemonic|passw|passphrase|signer|wallet|account|entropy|salt|\bpk\b|\bsk\b|sign\(|addr\(|startbroadcast/i;
const HASH = /hash|tx|transaction|receipt|block/i;
const SECRET_FILE = /^\.env|\.(?:env|key|pem|keystore|secret)$/i;

/** By the words around it on its line, and by the name of its file. */
export function getHashContext({ document, position }: HoveredPlace): HashContext {
  const { path } = document.uri;
  if (SECRET_FILE.test(path.slice(path.lastIndexOf('/') + 1))) return 'secret';
  const { text } = document.lineAt(position.line);
  const { character } = position;
  const before = text.slice(Math.max(0, character - MAX_CHARS_BEFORE), character);
  const behind = text
    .slice(character, character + MAX_HASH_CHARS + MAX_CHARS_AFTER)
    .replace(/0x[0-9a-fA-F]{64}/, '');
  const around = `${before} ${behind}`;
  if (SECRET.test(around)) return 'secret';
  const isBroadcast = path.includes('/broadcast/') && path.endsWith('.json');
  return isBroadcast || HASH.test(around) ? 'ask' : 'offer';
}
