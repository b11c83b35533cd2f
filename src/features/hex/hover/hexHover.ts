import * as vscode from 'vscode';
import {
  type AbiLookup,
  type BareMeaning,
  explainHex,
  findWordPreimage,
  type Hex,
  type HexMeaning,
} from '../../../core/index.ts';
import type { FoundHex } from '../../../host/places/findHex.ts';
import { isContractSource } from '../../../host/sources/contractSource.ts';
import { commandLink, type MarkdownLines, type Piece } from '../../../host/surface/markdown.ts';
import type { TextLine } from '../../../host/surface/readOnlyText.ts';
import { writeMeaning } from '../decode/meaningText.ts';
import type { Knowledge } from '../knowledge/knowledge.ts';
import { areWords, withLikelyWords } from '../words/likelyWords.ts';
import type { Wording } from '../words/wording.ts';
import { meaningLines } from './hoverLines.ts';

/** Where the hex stands. */
export interface HoveredPlace {
  readonly document: vscode.TextDocument;
  readonly position: vscode.Position;
}

interface HoverDeps {
  readonly knowledge: Knowledge;
  readonly place: HoveredPlace;
}

/** After this long a hover is shown with what is there. */
const BUDGET_MS = 300;
/** Decoded in some milliseconds. Of what is longer, the hover shows what its selector says. */
const LONGEST_DECODED = 2 + 2 * 128 * 1024;
/** What fits into a link; of more, the document has all. */
const LONGEST_COPIED = 4000;
const SELECTOR = 10;
const TOPIC = 66;
/** -2^96 and 2^160, as words: between them lie numbers, flags and addresses. */
const LEAST_NEGATIVE = (1n << 256n) - (1n << 96n);
const ABOVE_ADDRESSES = 1n << 160n;

/** What is known of hex; undefined where nothing is, as a number may be anything. */
export async function hexHover(
  { hex: written, isCut }: FoundHex,
  { knowledge, place }: HoverDeps,
): Promise<MarkdownLines | undefined> {
  // A digit whose other half is left out.
  const hex = isCut && written.length % 2 !== 0 ? (written.slice(0, -1) as Hex) : written;
  const isLong = hex.length > LONGEST_DECODED;
  const read = isLong ? (hex.slice(0, SELECTOR) as Hex) : hex;
  const isSource = isContractSource(place.document);
  const meaningsBy = (lookup: AbiLookup) =>
    explainHex(read, { lookup })
      .filter((meaning) => isKnown(meaning, isSource))
      .map(withLikelyWords);
  const known = await knowledge.within(BUDGET_MS, (lookup) => meaningsBy(lookup).length > 0);
  const constant = hex.length === TOPIC ? findWordPreimage(hex) : undefined;
  const meanings = meaningsBy(known.lookup);
  if (meanings.length === 0 && constant === undefined) return undefined;

  const { l10n } = vscode;
  return [
    ...(constant === undefined ? [] : [[{ icon: 'symbol-constant' }, { strong: constant }]]),
    ...meaningLines(meanings, known.wording),
    ...(isLong
      ? [[{ icon: 'info' }, l10n.t('{0} bytes: too long to decode in a hover.', (hex.length - 2) / 2)]]
      : []),
    ...(isCut ? [[{ icon: 'info' }, l10n.t('Truncated in the text.')]] : []),
    ...(known.isWhole ? [] : [[{ icon: 'sync' }, l10n.t('The workspace is still loading.')]]),
    linksOf(place, constant ?? copied(meanings[0], known.wording)),
  ];
}

function linksOf({ document, position }: HoveredPlace, copied: string): readonly Piece[] {
  // The place, not the hex: a link of a mebibyte is none.
  const { line, character } = position;
  const place = { file: document.uri.toString(), line, character };
  const open = commandLink(vscode.l10n.t('Open Decoded'), 'chainside.decode', place);
  if (copied.length > LONGEST_COPIED) return [open];
  return [open, '|', commandLink(vscode.l10n.t('Copy'), 'chainside.copyValue', copied)];
}

function copied(meaning: HexMeaning | undefined, wording: Wording): string {
  const lines: TextLine[] = [];
  if (meaning) writeMeaning(meaning, { lines, wording, level: 0 });
  return lines.map(({ level, text }) => `${'  '.repeat(level)}${text}`).join('\n');
}

/**
 * Whether a meaning says more than that bytes are there. Values of `abi.encode` count where their structure fits, and
 * outside of contracts also words that numbers and addresses fill.
 */
function isKnown(meaning: HexMeaning, isSource: boolean): boolean {
  if ('item' in meaning) return true;
  return meaning.kind === 'blob' && (!areWords(meaning) || (!isSource && looksEncoded(meaning)));
}

function looksEncoded({ values }: BareMeaning): boolean {
  const isPlain = (value: bigint) => value < ABOVE_ADDRESSES || value >= LEAST_NEGATIVE;
  return values.every((value) => typeof value === 'string' && isPlain(BigInt(value)));
}
