import * as vscode from 'vscode';
import {
  type AbiLookup,
  type BareMeaning,
  explainHex,
  findWordPreimage,
  groupDigits,
  type Hex,
  type HexMeaning,
  mergeLookups,
} from '../../core/index.ts';
import type { LogDecoding } from '../../host/logDecoding.ts';
import { isContractSource } from '../../host/places/documents.ts';
import { isPlainWord } from '../../host/places/hashContext.ts';
import type { FoundHex } from '../../host/places/hexInText.ts';
import type { Session } from '../../host/session/session.ts';
import { settleWithin } from '../../host/timing.ts';
import { createCommandLink, type MarkdownLines, type MarkdownPiece } from '../../host/ui/markdown.ts';
import type { TextLine } from '../../host/ui/readOnlyDocuments.ts';
import {
  createMeaningLines,
  isBareWords,
  type MeaningFormat,
  resolveLikelyWords,
  writeMeaning,
} from './formatMeaning.ts';
import type { KnowledgeReader } from './knowledge.ts';

export interface HoveredPlace {
  readonly document: vscode.TextDocument;
  readonly position: vscode.Position;
}

interface HoverDeps {
  readonly session: Pick<Session, 'network'>;
  readonly meaning: () => Promise<Pick<LogDecoding, 'prefetchSelectors' | 'signatures'>>;
  readonly knowledge: KnowledgeReader;
  readonly place: HoveredPlace;
}

/** The hover shows what is loaded by then. */
const HOVER_TIMEOUT_MS = 300;
const SIGNATURES_TIMEOUT_MS = 1_500;
/** This takes a few milliseconds to decode. For longer hex, the hover shows only its selector. */
const MAX_DECODED_CHARS = 2 + 2 * 128 * 1024;
/** A link has a limit; longer text can be copied from the document. */
const MAX_COPIED_CHARS = 4000;
const SELECTOR_CHARS = 10;
const TOPIC_CHARS = 66;

/** The hover on hex; undefined if nothing matches, because a bare number can mean anything. */
export async function createHexHover(
  { hex: written, isCut }: FoundHex,
  { knowledge, place, ...deps }: HoverDeps,
): Promise<MarkdownLines | undefined> {
  // The last digit lacks the other half of its byte.
  const hex = isCut && written.length % 2 !== 0 ? (written.slice(0, -1) as Hex) : written;
  const isLong = hex.length > MAX_DECODED_CHARS;
  const read = isLong ? (hex.slice(0, SELECTOR_CHARS) as Hex) : hex;
  const isSource = isContractSource(place.document);
  const listMeanings = (lookup: AbiLookup) =>
    explainHex(read, { lookup })
      .filter((meaning) => isWorthShowing(meaning, isSource))
      .map(resolveLikelyWords);
  const loaded = await knowledge.within(HOVER_TIMEOUT_MS, (lookup) => listMeanings(lookup).length > 0);
  const constant = hex.length === TOPIC_CHARS ? findWordPreimage(hex) : undefined;
  const known = listMeanings(loaded.lookup);
  const selector = known.length === 0 ? findCallSelector(read) : undefined;
  const signatures = selector && (await fetchSignatures(selector, deps));
  const meanings = signatures ? listMeanings(mergeLookups(loaded.lookup, signatures)) : known;
  if (meanings.length === 0 && constant === undefined) return undefined;

  const { l10n } = vscode;
  return [
    ...(constant === undefined ? [] : [[{ icon: 'symbol-constant' }, { strong: constant }]]),
    ...createMeaningLines(meanings, loaded.format),
    ...(isLong
      ? [
          [
            { icon: 'info' },
            l10n.t('{0} bytes: too long to decode in a hover.', groupDigits((hex.length - 2) / 2)),
          ],
        ]
      : []),
    ...(isCut ? [[{ icon: 'info' }, l10n.t('Truncated in the text.')]] : []),
    ...(loaded.isWhole ? [] : [[{ icon: 'sync' }, l10n.t('The workspace is still loading.')]]),
    createLinks(place, constant ?? createCopyText(meanings[0], loaded.format)),
  ];
}

const WORD_CHARS = 64;

/** The selector of hex that may be one, or a call or revert data; undefined for other hex. */
export function findCallSelector(hex: Hex): Hex | undefined {
  const isCall = hex.length >= SELECTOR_CHARS && (hex.length - SELECTOR_CHARS) % WORD_CHARS === 0;
  return isCall ? (hex.slice(0, SELECTOR_CHARS) as Hex) : undefined;
}

/** The names of a selector, from a database that the user has allowed: a hover does not ask for it. */
async function fetchSignatures(
  selector: Hex,
  { session, meaning }: Pick<HoverDeps, 'meaning' | 'session'>,
): Promise<AbiLookup> {
  const { prefetchSelectors, signatures } = await meaning();
  await settleWithin(
    SIGNATURES_TIMEOUT_MS,
    prefetchSelectors([selector], session.network, { mayAsk: false }),
  );
  return signatures;
}

function createLinks({ document, position }: HoveredPlace, createCopyText: string): readonly MarkdownPiece[] {
  // The place instead of the hex: a link with a mebibyte of text does not work.
  const { line, character } = position;
  const place = { file: document.uri.toString(), line, character };
  const open = createCommandLink(vscode.l10n.t('Open Decoded'), 'chainside.decode', place);
  if (createCopyText.length > MAX_COPIED_CHARS) return [open];
  return [open, '|', createCommandLink(vscode.l10n.t('Copy'), 'chainside.copyValue', createCopyText)];
}

function createCopyText(meaning: HexMeaning | undefined, wording: MeaningFormat): string {
  const lines: TextLine[] = [];
  if (meaning) writeMeaning(meaning, { lines, format: wording, level: 0 });
  return lines.map(({ level, text }) => `${'  '.repeat(level)}${text}`).join('\n');
}

/**
 * Whether a meaning says more than the bytes themselves. Values of `abi.encode` count if their structure fits; outside
 * of contract sources, words that contain numbers and addresses count as well.
 */
function isWorthShowing(meaning: HexMeaning, isSource: boolean): boolean {
  if ('item' in meaning) return true;
  return meaning.kind === 'blob' && (!isBareWords(meaning) || (!isSource && isProbablyEncoded(meaning)));
}

function isProbablyEncoded({ values }: BareMeaning): boolean {
  return values.every((value) => typeof value === 'string' && isPlainWord(BigInt(value)));
}
