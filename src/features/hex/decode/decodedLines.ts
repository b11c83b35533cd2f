import {
  type AbiLookup,
  explainHex,
  findWordPreimage,
  formatNoMeaning,
  type Hex,
  type LogDecoder,
  MAX_HEX_DIGITS,
  type TimeSlices,
  ZERO_ADDRESS,
} from '../../../core/index.ts';
import type { TextLine } from '../../../host/surface/readOnlyText.ts';
import { withLikelyWords } from '../words/likelyWords.ts';
import type { Wording } from '../words/wording.ts';
import type { HexItem, HexItems } from './hexItems.ts';
import type { LogItem } from './logItems.ts';
import { writeLog } from './logText.ts';
import { writeMeaning } from './meaningText.ts';

/** What is known, and the words for it. */
export interface DecodingWith {
  readonly lookup: AbiLookup;
  /** Of the active network. */
  readonly decoder: LogDecoder;
  readonly wording: Wording;
  /** What was asked: its first lines. */
  readonly intro: readonly string[];
  /** What would help where nothing is known; undefined for nothing. */
  readonly help: string | undefined;
  readonly slices: TimeSlices;
}

/** Characters of the hex itself that stand above what it means. */
const LONGEST_SHOWN = 140;
const WORD_DIGITS = 66;

/** The document that answers for the hexes of a text. */
export async function decodedHexes(
  { items, left }: HexItems,
  decoding: DecodingWith,
): Promise<readonly TextLine[]> {
  const { wording, slices } = decoding;
  const lines = begin(decoding);
  for (const item of items) {
    lines.push({ level: 0, text: itemWords(item, wording) });
    writeHex(item.hex as Hex, lines, decoding);
    lines.push({ level: 0, text: '' });
    if (slices.isOver()) await slices.rest();
  }
  if (left > 0) lines.push({ level: 0, text: wording.l10n.t('{0} more not decoded', left) });
  return lines;
}

/** The document that answers for the logs of a text. */
export async function decodedLogs(
  logs: readonly LogItem[],
  decoding: DecodingWith,
): Promise<readonly TextLine[]> {
  const { wording, slices, decoder, help } = decoding;
  const lines = begin(decoding);
  for (const log of logs) {
    const decoded = decoder.decode({ ...log, address: log.address ?? ZERO_ADDRESS });
    writeLog(log, decoded, { lines, wording, level: 0 });
    if ('reason' in decoded && help !== undefined) lines.push({ level: 1, text: help });
    lines.push({ level: 0, text: '' });
    if (slices.isOver()) await slices.rest();
  }
  return lines;
}

function begin({ intro }: DecodingWith): TextLine[] {
  return [...intro, ''].map((text) => ({ level: 0, text }));
}

function itemWords({ hex, line, count, isCut }: HexItem, { l10n }: Wording): string {
  const digits = hex.length - 2;
  const cut = hex.length > LONGEST_SHOWN;
  const shown = cut ? `${hex.slice(0, LONGEST_SHOWN / 2)}…${hex.slice(-LONGEST_SHOWN / 4)}` : hex;
  const about = [
    line === undefined ? undefined : l10n.t('line {0}', line),
    count > 1 ? l10n.t('{0} times', count) : undefined,
    digits % 2 === 0 ? l10n.t('{0} bytes', digits / 2) : l10n.t('{0} digits', digits),
    isCut ? l10n.t('truncated in the text') : undefined,
    shown,
  ];
  return about.filter((words) => words !== undefined).join(' · ');
}

function writeHex(hex: Hex, lines: TextLine[], { lookup, wording, help }: DecodingWith): void {
  const constant = hex.length === WORD_DIGITS ? findWordPreimage(hex) : undefined;
  if (constant !== undefined) lines.push({ level: 1, text: constant });
  const all = explainHex(hex, { lookup }).map(withLikelyWords);
  const isNamed = constant !== undefined || all.some((meaning) => 'item' in meaning);
  // Of a hash that is known nobody wants to read which number it would be.
  const meanings = isNamed ? all.filter(({ kind }) => kind !== 'word') : all;
  for (const meaning of meanings) writeMeaning(meaning, { lines, wording, level: 1 });
  if (isNamed || meanings.length > 0) return;
  lines.push({ level: 1, text: formatNoMeaning(hex) });
  if (help !== undefined && beginsWithSelector(hex)) lines.push({ level: 1, text: help });
}

/** Of what is broken, an address, or words alone, no contract would tell more. */
function beginsWithSelector(hex: string): boolean {
  const digits = hex.length - 2;
  const isWhole = digits >= 8 && digits % 2 === 0 && digits <= MAX_HEX_DIGITS;
  return isWhole && digits !== 40 && digits % 64 !== 0;
}
