import { type DocumentPiece, scanLines } from './document.ts';
import { parseVerdictLine } from './recordedVerdict.ts';

/**
 * The text of a document. Unedited pieces are written as they were read, byte for byte. Line ends do not count as an
 * edit, since editors normalize them. A new or moved piece has a blank line before and after it.
 *
 * @param eol the line end of new text.
 * @example formatDocument([{ kind: 'question', value: '{}' }], '\n') // '```chainlog\n{}\n```\n'
 */
export function formatDocument(edited: readonly EditedPiece[], eol: string): string {
  const hasByteOrderMark = edited.some(({ read }) => read?.before.startsWith(BYTE_ORDER_MARK));
  const pieces = hasByteOrderMark ? edited.map(removeByteOrderMark) : edited;
  let text = '';
  for (const [index, piece] of pieces.entries()) {
    const next = pieces[index + 1];
    const previous = pieces[index - 1];
    if (previous && !isNeighbour(previous, piece)) text += getMissingBlankLines(text, eol);
    const pieceText = piece.kind === 'question' ? formatQuery(piece, eol) : formatProse(piece, eol);
    const isClosed = !next || (isUnedited(piece) && isNeighbour(piece, next));
    text += isClosed ? pieceText : closeOpenBlock(pieceText, eol);
  }
  return hasByteOrderMark ? BYTE_ORDER_MARK + text : text;
}

export interface EditedPiece {
  readonly kind: DocumentPiece['kind'];
  readonly value: string;
  readonly read?: OriginalPiece | undefined;
  /** Replaces the verdict line of a query; undefined keeps it. */
  readonly verdict?: string | undefined;
}

export interface OriginalPiece
  extends Pick<DocumentPiece, 'value' | 'before' | 'source' | 'after' | 'indent'> {
  /** Its index among the pieces. */
  readonly place: number;
}

function removeByteOrderMark(piece: EditedPiece): EditedPiece {
  const { read } = piece;
  return read?.before.startsWith(BYTE_ORDER_MARK)
    ? { ...piece, read: { ...read, before: read.before.slice(1) } }
    : piece;
}

const BYTE_ORDER_MARK = '\uFEFF';

/** Whether the pieces were read one after the other, so that nothing needs to be inserted between them. */
function isNeighbour({ read }: EditedPiece, next: EditedPiece): boolean {
  return read !== undefined && next.read?.place === read.place + 1;
}

function isUnedited({ value, read }: EditedPiece): boolean {
  return read !== undefined && normalizeLineEnds(value) === normalizeLineEnds(read.value);
}

function normalizeLineEnds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

function formatProse(piece: EditedPiece, eol: string): string {
  const { value, read } = piece;
  if (!read) return value + eol;
  const text = isUnedited(piece) ? read.source : replaceLineEnds(value, eol);
  return read.before + text + read.after;
}

function formatQuery(piece: EditedPiece, eol: string): string {
  const { value, verdict, read = formatNewQuery(eol) } = piece;
  const { source, indent } = read;
  const isUnchanged = isUnedited(piece);
  const lines = replaceLineEnds(value, eol);
  const body = isUnchanged ? source : lines.replace(/^(?=[^\r\n])/gm, indent);
  const { before, after } = isUnchanged ? read : fitToBody(body, lengthenFences(read, value));
  const end = verdict === undefined ? after : insertVerdict(after, { verdict, indent, eol });
  return joinAtLineStart(joinAtLineStart(before, body, eol), end, eol);
}

/** Inserts a line end between two texts if the second must begin a line and does not. */
function joinAtLineStart(text: string, next: string, eol: string): string {
  if (text === '' || next === '' || /[\r\n]$/.test(text) || /^[\r\n]/.test(next)) return text + next;
  return text + eol + next;
}

function formatNewQuery(eol: string): OriginalPiece {
  return {
    place: -1,
    value: '',
    source: '',
    indent: '',
    before: `\`\`\`chainlog${eol}`,
    after: `\`\`\`${eol}`,
  };
}

/** Drops a surplus line end, which would otherwise grow with every edit of an empty block. */
function fitToBody(body: string, { before, after }: Pick<OriginalPiece, 'before' | 'after'>) {
  return { before, after: body === '' ? after.replace(/^(?:\r\n|\n|\r)/, '') : after };
}

function lengthenFences(
  { before, after }: OriginalPiece,
  value: string,
): Pick<OriginalPiece, 'before' | 'after'> {
  const lines = before.split(LINE_END);
  const opening = lines.findLast((line) => line !== '') ?? '';
  const fence = FENCE.exec(opening)?.[0] ?? '';
  const fenceMark = fence.trim();
  const fenceLengths = value.split(LINE_END).map((line) => FENCE.exec(line)?.[0].trim().length ?? 0);
  const longest = Math.max(0, ...fenceLengths);
  if (fenceMark === '' || longest < fenceMark.length) return { before, after };
  const extra = (fenceMark[0] ?? '').repeat(longest + 1 - fenceMark.length);
  const insertAt = before.lastIndexOf(opening) + fence.length;
  return {
    before: before.slice(0, insertAt) + extra + before.slice(insertAt),
    after: after.replace(CLOSING_FENCE, (closing) => closing.trimEnd() + extra),
  };
}

const LINE_END = /\r\n|\n|\r/;
const FENCE = /^[ \t]*(?:`{3,}|~{3,})/;
/** At the beginning of the text after a query. */
const CLOSING_FENCE = /^[\r\n]{0,2}[ \t]*(?:`{3,}|~{3,})[ \t]*/;

function insertVerdict(
  after: string,
  { verdict, indent, eol }: { readonly verdict: string; readonly indent: string; readonly eol: string },
): string {
  const closing = CLOSING_FENCE.exec(after)?.[0];
  if (closing === undefined) return after;
  const rest = after.slice(closing.length);
  const old = rest.split(LINE_END).find((line) => parseVerdictLine(line));
  if (old !== undefined) return closing + rest.replace(old.trim(), () => verdict);
  return `${closing}${eol}${indent}${verdict}${rest}`;
}

function replaceLineEnds(text: string, eol: string): string {
  return text.replace(/\r\n?|\n/g, eol);
}

/** A block that is still open would swallow all text after it. */
function closeOpenBlock(text: string, eol: string): string {
  const { toClose } = scanLines(text);
  return toClose === undefined ? text : `${joinAtLineStart(text, toClose, eol)}${eol}`;
}

/** The line ends that are missing for a blank line at the end of a text. */
function getMissingBlankLines(text: string, eol: string): string {
  if (text === '') return '';
  const lines = text.slice(-200).split(LINE_END).toReversed();
  const blankCount = lines.findIndex((line) => line.trim() !== '');
  return eol.repeat(Math.max(0, 2 - (blankCount < 0 ? 2 : blankCount)));
}
