import { type Hex, parseHexData } from '../../../core/index.ts';
import { findHexes } from '../../../host/places/findHex.ts';

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
const MOST_ITEMS = 200;
/** Different ones that are counted. */
const MOST_COUNTED = 10_000;
const LEAST_DIGITS = 8;

/**
 * Each hex of a text once, in order. A text that is nothing but hex is taken as such, also without `0x`, of any length:
 * then there is something to say of it.
 *
 * @param firstLine the number of its first line; undefined where its lines do not follow one another.
 */
export function hexItems(text: string, firstLine?: number): HexItems {
  const whole = wholeHex(text);
  if (whole !== undefined)
    return { items: [{ hex: whole, line: undefined, count: 1, isCut: false }], left: 0 };
  const found = new Map<Hex, { line: number; count: number; isCut: boolean }>();
  let line = firstLine ?? 0;
  let lineEnd = text.indexOf('\n');
  const isLong = lineEnd >= 0;
  for (const { hex, offset, isCut } of findHexes(text)) {
    for (; lineEnd >= 0 && lineEnd < offset; lineEnd = text.indexOf('\n', lineEnd + 1)) line++;
    const known = found.get(hex);
    if (known) known.count++;
    else if (found.size < MOST_COUNTED) found.set(hex, { line, count: 1, isCut });
  }
  const items = [...found].slice(0, MOST_ITEMS).map(([hex, place]) => ({
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
  const isBare = word.length >= LEAST_DIGITS && /^[0-9a-f]+$/i.test(word) && !/^\d+$/.test(word);
  return isBare ? parseHexData(`0x${word}`) : undefined;
}
