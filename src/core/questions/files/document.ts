import { type Fence, type Scanned, scanLines } from './documentLines.ts';
import { parseVerdictLine } from './verdictLine.ts';

/** A piece of a document; the text of all pieces one behind the other is that of the document, byte for byte. */
export interface DocumentPiece {
  readonly kind: 'prose' | 'question';
  /** What is read and edited: prose without the blank lines around it, a question without its fences. */
  readonly value: string;
  /** What stands before the value: the opening fence, and what the document begins with. */
  readonly before: string;
  /** The value as it stands in the document. */
  readonly source: string;
  /** What stands behind the value: the end of its line, the closing fence, the verdict, blank lines. */
  readonly after: string;
  /** The line of the opening fence, or of the first of the prose, counted from 1. */
  readonly line: number;
  /** White space before each line of a question in a list. */
  readonly indent: string;
}

const BLANK = /^[ \t\r\n]*$/;
const MARK = '\uFEFF';

/**
 * A Markdown document in pieces: prose, and the fenced blocks whose info string begins with `chainlog`. Fences are those
 * of CommonMark: three or more backticks or tildes, closed by as many, else by the end of the list item or of the document.
 * What is quoted, in an HTML comment, in indented code or within another fence is prose.
 *
 * @example parseDocument('# Why\n\n```chainlog\n{}\n```\n').map(({ kind }) => kind) // ['prose', 'question']
 */
export function parseDocument(text: string): readonly DocumentPiece[] {
  // A byte order mark is no word of the document.
  const mark = text.startsWith(MARK) ? MARK : '';
  const { lines } = scanLines(text.slice(mark.length));
  const pieces: DocumentPiece[] = [];
  let lead = mark;
  let at = 0;
  while (at < lines.length) {
    const end = endOfPiece(lines, at);
    const own = lines.slice(at, end);
    const piece = own[0]?.opens ? questionOf(own, own[0].opens, at + 1) : proseOf(own, at + 1);
    if (piece) {
      pieces.push({ ...piece, before: lead + piece.before });
      lead = '';
    } else {
      const last = pieces.at(-1);
      const blank = textOf(own);
      if (last) pieces[pieces.length - 1] = { ...last, after: last.after + blank };
      else lead += blank;
    }
    at = end;
  }
  // A document of blank lines alone is prose without a word.
  if (lead !== '') pieces.push({ ...NO_PROSE, before: lead });
  return pieces;
}

const NO_PROSE: DocumentPiece = {
  ...{ kind: 'prose', value: '', source: '', before: '', after: '' },
  ...{ line: 1, indent: '' },
};

function endOfPiece(lines: readonly Scanned[], start: number): number {
  const isQuestion = lines[start]?.opens !== undefined;
  let end = start + 1;
  if (!isQuestion) {
    while (end < lines.length && !lines[end]?.opens) end++;
    return end;
  }
  while (lines[end]?.isInside) end++;
  if (lines[end]?.closes) {
    end++;
    if (parseVerdictLine(lines[end]?.text ?? '')) end++;
  }
  return end;
}

function textOf(lines: readonly Scanned[]): string {
  return lines.map(({ text }) => text).join('');
}

function proseOf(lines: readonly Scanned[], line: number): DocumentPiece | undefined {
  const first = lines.findIndex(({ text }) => !BLANK.test(text));
  if (first < 0) return undefined;
  const last = lines.findLastIndex(({ text }) => !BLANK.test(text));
  const { text: value, end } = cutEnd(textOf(lines.slice(first, last + 1)));
  return {
    ...{ kind: 'prose', value, source: value, indent: '', line: line + first },
    before: textOf(lines.slice(0, first)),
    after: end + textOf(lines.slice(last + 1)),
  };
}

function questionOf(lines: readonly Scanned[], fence: Fence, line: number): DocumentPiece {
  const closing = lines.findIndex(({ closes }) => closes);
  const inner = lines.slice(1, closing < 0 ? undefined : closing);
  const { text: source, end } = cutEnd(textOf(inner));
  const value = inner.map(({ text }) => withoutIndent(text, fence.indent.length)).join('');
  return {
    ...{ kind: 'question', value: cutEnd(value).text, source, indent: fence.indent, line },
    before: lines[0]?.text ?? '',
    after: end + (closing < 0 ? '' : textOf(lines.slice(closing))),
  };
}

function withoutIndent(text: string, most: number): string {
  let at = 0;
  while (at < most && (text[at] === ' ' || text[at] === '\t')) at++;
  return text.slice(at);
}

function cutEnd(text: string): { readonly text: string; readonly end: string } {
  const end = /(?:\r\n|\n|\r)$/.exec(text)?.[0] ?? '';
  return { text: text.slice(0, text.length - end.length), end };
}
