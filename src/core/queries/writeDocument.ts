import { type DocumentPiece, parseVerdictLine, scanLines } from './document.ts';

/** A piece of a document as it is to be written: as it was read, edited, moved, or new. */
export interface EditedPiece {
  readonly kind: DocumentPiece['kind'];
  readonly value: string;
  /** What it was read from, and which of the pieces that was; undefined where it is new. */
  readonly read?: OriginalPiece | undefined;
  /** The line that says what came of a question, in place of the one that was read; undefined leaves that. */
  readonly verdict?: string | undefined;
}

/** As much of a piece as it takes to write it again. */
export interface OriginalPiece
  extends Pick<DocumentPiece, 'value' | 'before' | 'source' | 'after' | 'indent'> {
  /** Its place among the pieces, from 0. */
  readonly place: number;
}

const MARK = '\uFEFF';
const LINE_END = /\r\n|\n|\r/;
const FENCE = /^[ \t]*(?:`{3,}|~{3,})/;
/** The fence at the beginning of what stands behind a question. */
const CLOSING = /^[\r\n]{0,2}[ \t]*(?:`{3,}|~{3,})[ \t]*/;

/**
 * The text of a document. What was not edited is written as it was read, byte for byte; line ends do not count as an edit,
 * as editors make them alike. What is new or was moved has a blank line before and behind it.
 *
 * @param eol the line end of what is new.
 * @example formatDocument([{ kind: 'question', value: '{}' }], '\n') // '```chainlog\n{}\n```\n'
 */
export function formatDocument(written: readonly EditedPiece[], eol: string): string {
  const isMarked = written.some(({ read }) => read?.before.startsWith(MARK));
  const pieces = isMarked ? written.map(withoutMark) : written;
  let text = '';
  for (const [index, piece] of pieces.entries()) {
    const next = pieces[index + 1];
    const previous = pieces[index - 1];
    if (previous && !isNeighbour(previous, piece)) text += blankLine(text, eol);
    const own = piece.kind === 'question' ? formatQuery(piece, eol) : formatProse(piece, eol);
    const isWhole = !next || (isUnedited(piece) && isNeighbour(piece, next));
    text += isWhole ? own : closed(own, eol);
  }
  return isMarked ? MARK + text : text;
}

function withoutMark(piece: EditedPiece): EditedPiece {
  const { read } = piece;
  return read?.before.startsWith(MARK)
    ? { ...piece, read: { ...read, before: read.before.slice(1) } }
    : piece;
}

/** Whether they were read the one behind the other, so that nothing need be put between them. */
function isNeighbour({ read }: EditedPiece, next: EditedPiece): boolean {
  return read !== undefined && next.read?.place === read.place + 1;
}

function isUnedited({ value, read }: EditedPiece): boolean {
  return read !== undefined && alike(value) === alike(read.value);
}

function alike(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

function formatProse(piece: EditedPiece, eol: string): string {
  const { value, read } = piece;
  if (!read) return value + eol;
  const text = isUnedited(piece) ? read.source : withEnds(value, eol);
  return read.before + text + read.after;
}

function formatQuery(piece: EditedPiece, eol: string): string {
  const { value, verdict, read = formatNewQuery(eol) } = piece;
  const { source, indent } = read;
  const isSame = isUnedited(piece);
  const lines = withEnds(value, eol);
  const body = isSame ? source : lines.replace(/^(?=[^\r\n])/gm, indent);
  const { before, after } = isSame ? read : fitting(body, withLongFences(read, value));
  const end = verdict === undefined ? after : withVerdict(after, { verdict, indent, eol });
  return join(join(before, body, eol), end, eol);
}

/** Puts a line end between two texts where the one behind has to begin a line and does not. */
function join(text: string, next: string, eol: string): string {
  if (text === '' || next === '' || /[\r\n]$/.test(text) || /^[\r\n]/.test(next)) return text + next;
  return text + eol + next;
}

function formatNewQuery(eol: string): OriginalPiece {
  return {
    ...{ place: -1, value: '', source: '', indent: '' },
    ...{ before: `\`\`\`chainlog${eol}`, after: `\`\`\`${eol}` },
  };
}

/** A line end of its own too much is no harm, but it would grow at every edit of an empty block. */
function fitting(body: string, { before, after }: Pick<OriginalPiece, 'before' | 'after'>) {
  return { before, after: body === '' ? after.replace(/^(?:\r\n|\n|\r)/, '') : after };
}

/** With fences longer than any that the question has in it. */
function withLongFences(
  { before, after }: OriginalPiece,
  value: string,
): Pick<OriginalPiece, 'before' | 'after'> {
  const lines = before.split(LINE_END);
  const opening = lines.findLast((line) => line !== '') ?? '';
  const fence = FENCE.exec(opening)?.[0] ?? '';
  const mark = fence.trim();
  const own = value.split(LINE_END).map((line) => FENCE.exec(line)?.[0].trim().length ?? 0);
  const longest = Math.max(0, ...own);
  if (mark === '' || longest < mark.length) return { before, after };
  const more = (mark[0] ?? '').repeat(longest + 1 - mark.length);
  const at = before.lastIndexOf(opening) + fence.length;
  return {
    before: before.slice(0, at) + more + before.slice(at),
    after: after.replace(CLOSING, (closing) => closing.trimEnd() + more),
  };
}

function withVerdict(
  after: string,
  { verdict, indent, eol }: { readonly verdict: string; readonly indent: string; readonly eol: string },
): string {
  const closing = CLOSING.exec(after)?.[0];
  if (closing === undefined) return after;
  const behind = after.slice(closing.length);
  const [begin, line = ''] = /^(?:\r\n|\n|\r)([^\r\n]*)/.exec(behind) ?? [];
  if (begin !== undefined && parseVerdictLine(line))
    return closing + begin.replace(line.trim(), verdict) + behind.slice(begin.length);
  return `${closing}${eol}${indent}${verdict}${behind}`;
}

function withEnds(text: string, eol: string): string {
  return text.replace(/\r\n?|\n/g, eol);
}

/** What is still open at its end would take in all that follows. */
function closed(text: string, eol: string): string {
  const { toClose } = scanLines(text);
  return toClose === undefined ? text : `${join(text, toClose, eol)}${eol}`;
}

/** What it takes for a blank line to stand behind a text. */
function blankLine(text: string, eol: string): string {
  if (text === '') return '';
  const lines = text.slice(-200).split(LINE_END).toReversed();
  const words = lines.findIndex((line) => line.trim() !== '');
  return eol.repeat(Math.max(0, 2 - (words < 0 ? 2 : words)));
}
