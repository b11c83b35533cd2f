import { type AppError, badInput } from '../base/errors.ts';
import { createMessage, groupDigits } from '../base/text.ts';
import { createBudget } from '../base/timeSlices.ts';
import { isMeantAsVerdict, parseVerdictLine, type RecordedVerdict } from './recordedVerdict.ts';

/**
 * The queries of a Markdown document: its `chainlog` blocks.
 *
 * @example findDocumentQueries('# Why\n\n```chainlog\n{}\n```\n').map(({ title, line }) => [title, line]) // [['Why', 3]]
 */
export function findDocumentQueries(text: string): readonly DocumentQuery[] {
  const lines = scanDocument(text);
  const queries: DocumentQuery[] = [];
  let title: string | undefined;
  let offset = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  for (let at = 0, end = 0; at < lines.length; at = end) {
    end = findPieceEnd(lines, at);
    const pieceLines = lines.slice(at, end);
    const fence = pieceLines[0]?.opens;
    if (fence) {
      const { before, source, after, line } = toQueryPiece(pieceLines, fence, at + 1);
      const verdict = findRecordedVerdict(after);
      queries.push({ title, line, offset: offset + before.length, text: source, verdict });
    } else title = findHeading(pieceLines) ?? title;
    for (const { text: own } of pieceLines) offset += own.length;
  }
  return queries;
}

export interface DocumentQuery {
  /** The nearest heading above; undefined if there is none. */
  readonly title: string | undefined;
  /** The line of its opening fence, from 1. */
  readonly line: number;
  readonly offset: number;
  readonly text: string;
  /** The result of its last run, which is recorded after its fence. */
  readonly verdict: RecordedVerdict | undefined;
}

function findRecordedVerdict(after: DocumentPiece['after']): RecordedVerdict | undefined {
  for (const line of after.split(/\r\n|\n|\r/)) {
    const verdict = parseVerdictLine(line);
    if (verdict) return verdict;
  }
  return undefined;
}

/**
 * The comments of a document that are meant as recorded results, but record nothing: they are malformed, or belong to
 * no query. Code and quotations have none.
 *
 * @throws AppError `badInput` as {@link parseDocument} does.
 * @example findStrayVerdicts('<!-- 3 logs, complete to 16 -->').map(({ line }) => line) // [1]
 */
export function findStrayVerdicts(text: string): readonly StrayVerdict[] {
  const lines = scanDocument(text);
  const strays: StrayVerdict[] = [];
  let at = 0;
  while (at < lines.length && strays.length < MAX_STRAYS) {
    const isQuery = lines[at]?.opens !== undefined;
    const error = isQuery ? undefined : findStrayAt(lines, at);
    if (error) strays.push({ line: at + 1, error });
    at = isQuery ? findPieceEnd(lines, at) : at + 1;
    if (!isQuery) continue;
    while (at < lines.length && BLANK.test(lines[at]?.text ?? '')) at++;
    if (isQuotedVerdict(lines[at])) strays.push({ line: at + 1, error: badInput('verdict', QUOTED_VERDICT) });
  }
  return strays;
}

const MAX_STRAYS = 100;

/** Below a query, a quoted result would look recorded. Elsewhere, quotations have none. */
function isQuotedVerdict({ text, isProse, opens }: Partial<ScannedLine> = {}): boolean {
  const quoted = /^[ \t]{0,3}>[ \t>]{0,99}(?=<!--)/.exec(text ?? '')?.[0];
  if (isProse || opens || text === undefined || quoted === undefined) return false;
  return isMeantAsVerdict(text.slice(quoted.length, MAX_LINE_CHARS).split('-->')[0] ?? '');
}

const QUOTED_VERDICT =
  'This recorded result is in a quotation, so it records nothing. Remove the > before it.';

export interface StrayVerdict {
  /** From 1. */
  readonly line: number;
  readonly error: AppError;
}

function findStrayAt(lines: readonly ScannedLine[], index: number): AppError | undefined {
  const { text, isProse } = lines[index] ?? { text: '' };
  const [before = '', ...comments] = text.split('<!--');
  // Code in a sentence is quoted text.
  if (!isProse || comments.length === 0 || before.includes('`')) return undefined;
  const comment = joinLines(lines.slice(index, index + MAX_COMMENT_LINES)).slice(before.length);
  if (!isMeantAsVerdict(comment.slice(0, MAX_LINE_CHARS).split('-->')[0] ?? '')) return undefined;
  return badInput(
    'verdict',
    parseVerdictLine(text)
      ? 'This recorded result belongs to no query. Put it below the closing fence of its query, or delete it.'
      : 'This recorded result cannot be read. Correct it, or delete it and record it again.',
  );
}

/** A formatter may wrap a comment. */
const MAX_COMMENT_LINES = 4;

function findHeading(lines: readonly ScannedLine[]): string | undefined {
  for (let index = lines.length - 1; index >= 0; index--) {
    const { text, isText } = lines[index] ?? { text: '' };
    if (!isText) continue;
    const trimmed = text.trim();
    const heading = /^#{1,6}(?=[ \t])/.exec(trimmed)?.[0];
    if (heading)
      return removeClosingMarks(trimmed.slice(heading.length, MAX_LINE_CHARS)).slice(0, MAX_TITLE_CHARS);
    const above = lines[index - 1];
    const isUnderline = /^(?:=+|-+)$/.test(trimmed) && above?.isText && above.text.trim() !== '';
    if (isUnderline) return above.text.trim().slice(0, MAX_TITLE_CHARS);
  }
  return undefined;
}

/** A heading may end with `#` marks that are not part of its text. */
function removeClosingMarks(heading: string): string {
  const text = heading.trim();
  const bare = text.slice(0, text.length - (/#{1,200}$/.exec(text)?.[0].length ?? 0));
  return bare === '' || /[ \t]$/.test(bare) ? bare.trim() : text;
}

const MAX_TITLE_CHARS = 200;
const MAX_LINE_CHARS = 1000;

/**
 * Splits a Markdown document into prose and the fenced blocks whose info string begins with `chainlog`. Fences are
 * those of CommonMark: three or more backticks or tildes, closed by as many, else by the end of the list item or the
 * document. Quoted text, HTML comments, indented code and the content of other fences are prose. The verdict of a query
 * may stand below blank lines, as formatters write it.
 *
 * @throws AppError `badInput` for a document that is too long to be written by hand.
 * @example parseDocument('# Why\n\n```chainlog\n{}\n```\n').map(({ kind }) => kind) // ['prose', 'question']
 */
export function parseDocument(text: string): readonly DocumentPiece[] {
  const byteOrderMark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const lines = scanDocument(text);
  const pieces: DocumentPiece[] = [];
  let lead = byteOrderMark;
  let at = 0;
  while (at < lines.length) {
    const end = findPieceEnd(lines, at);
    const pieceLines = lines.slice(at, end);
    const piece = pieceLines[0]?.opens
      ? toQueryPiece(pieceLines, pieceLines[0].opens, at + 1)
      : toProsePiece(pieceLines, at + 1);
    if (piece) {
      pieces.push({ ...piece, before: lead + piece.before });
      lead = '';
    } else {
      const last = pieces.at(-1);
      const blank = joinLines(pieceLines);
      if (last) pieces[pieces.length - 1] = { ...last, after: last.after + blank };
      else lead += blank;
    }
    at = end;
  }
  // A document of blank lines only is empty prose.
  if (lead !== '') pieces.push({ ...EMPTY_PROSE, before: lead });
  return pieces;
}

/** A piece of a document. The texts of all pieces together are the document, byte for byte. */
export interface DocumentPiece {
  readonly kind: 'prose' | 'question';
  /** What is read and edited: prose without surrounding blank lines, a query without its fences. */
  readonly value: string;
  /** The text before the value: the opening fence, and the beginning of the document. */
  readonly before: string;
  readonly source: string;
  /** The text after the value: its line end, the closing fence, the verdict, blank lines. */
  readonly after: string;
  /** The line of the opening fence, or the first line of the prose, from 1. */
  readonly line: number;
  /** White space before each line of a query in a list. */
  readonly indent: string;
}

const EMPTY_PROSE: DocumentPiece = {
  kind: 'prose',
  value: '',
  source: '',
  before: '',
  after: '',
  line: 1,
  indent: '',
};

const BLANK = /^[ \t\r\n]*$/;
const BYTE_ORDER_MARK = '\uFEFF';

function scanDocument(text: string): readonly ScannedLine[] {
  if (text.length > MAX_DOCUMENT_CHARS || hasMoreLines(text, MAX_DOCUMENT_LINES))
    throw badInput(
      'document',
      createMessage(
        'The document is too long. Split it: {0} lines and {1} characters are the most.',
        groupDigits(MAX_DOCUMENT_LINES),
        groupDigits(MAX_DOCUMENT_CHARS),
      ),
    );
  const { lines } = scanLines(text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text);
  if (lines.filter(({ opens }) => opens).length > MAX_DOCUMENT_QUERIES)
    throw badInput(
      'document',
      createMessage(
        'The document has too many queries. Split it: {0} are the most.',
        groupDigits(MAX_DOCUMENT_QUERIES),
      ),
    );
  return lines;
}

/** Bounds of a document that a person writes. Reading one must not block the editor. */
const MAX_DOCUMENT_CHARS = 4 * 1024 * 1024;
const MAX_DOCUMENT_LINES = 20_000;
const MAX_DOCUMENT_QUERIES = 2000;

function hasMoreLines(text: string, maxLines: number): boolean {
  let lines = 0;
  for (const _ of text.matchAll(LINE_ENDS)) if (++lines > maxLines) return true;
  return false;
}

const LINE_ENDS = /\r\n|\n|\r/g;

function findPieceEnd(lines: readonly ScannedLine[], start: number): number {
  const isQuery = lines[start]?.opens !== undefined;
  let end = start + 1;
  if (!isQuery) {
    while (end < lines.length && !lines[end]?.opens) end++;
    return end;
  }
  while (lines[end]?.isInside) end++;
  if (lines[end]?.closes) {
    end++;
    let next = end;
    while (next < lines.length && BLANK.test(lines[next]?.text ?? '')) next++;
    if (parseVerdictLine(lines[next]?.text ?? '')) return next + 1;
  }
  return end;
}

function joinLines(lines: readonly ScannedLine[]): string {
  return lines.map(({ text }) => text).join('');
}

function toProsePiece(lines: readonly ScannedLine[], line: number): DocumentPiece | undefined {
  const first = lines.findIndex(({ text }) => !BLANK.test(text));
  if (first < 0) return undefined;
  const last = lines.findLastIndex(({ text }) => !BLANK.test(text));
  const { text: value, end } = splitLineEnd(joinLines(lines.slice(first, last + 1)));
  return {
    kind: 'prose',
    value,
    source: value,
    indent: '',
    line: line + first,
    before: joinLines(lines.slice(0, first)),
    after: end + joinLines(lines.slice(last + 1)),
  };
}

function toQueryPiece(lines: readonly ScannedLine[], fence: Fence, line: number): DocumentPiece {
  const closing = lines.findIndex(({ closes }) => closes);
  const inner = lines.slice(1, closing < 0 ? undefined : closing);
  const { text: source, end } = splitLineEnd(joinLines(inner));
  const value = inner.map(({ text }) => removeIndent(text, fence.indent.length)).join('');
  return {
    kind: 'question',
    value: splitLineEnd(value).text,
    source,
    indent: fence.indent,
    line,
    before: lines[0]?.text ?? '',
    after: end + (closing < 0 ? '' : joinLines(lines.slice(closing))),
  };
}

function removeIndent(text: string, maxChars: number): string {
  let at = 0;
  while (at < maxChars && (text[at] === ' ' || text[at] === '\t')) at++;
  return text.slice(at);
}

function splitLineEnd(text: string): { readonly text: string; readonly end: string } {
  const end = /(?:\r\n|\n|\r)$/.exec(text)?.[0] ?? '';
  return { text: text.slice(0, text.length - end.length), end };
}

/**
 * The lines of a Markdown document, as far as CommonMark matters for fences. The time is proportional to the text.
 *
 * @throws AppError `badInput` for lists and quotations that are nested deeply on thousands of lines.
 */
export function scanLines(text: string): {
  readonly lines: readonly ScannedLine[];
  /** The line that closes a block which is still open at the end of the text. */
  readonly toClose: string | undefined;
} {
  let containers: readonly Container[] = [];
  const budget = createBudget(MAX_LEVELS);
  let open: OpenBlock | undefined;
  let isAfterParagraph = false;
  const lines = text.split(LINE_START).map((line): ScannedLine => {
    const content = line.replace(LINE_END, '');
    const matched = matchContainers(content, containers);
    const wasParagraph = isAfterParagraph;
    isAfterParagraph = false;
    if (open && matched.depth >= open.depth) {
      const rest = matched.rest.trimStart();
      if (open.kind === 'html') {
        const { isProse } = open;
        if (open.ends.test(rest)) open = undefined;
        return { text: line, isProse };
      }
      const { fence, mark } = open;
      const isEnd = countIndentColumns(matched.rest) < 4 && isClosing(rest, mark);
      if (isEnd) open = undefined;
      if (!fence) return { text: line };
      return isEnd ? { text: line, closes: true } : { text: line, isInside: true };
    }
    open = undefined;
    const opened = openContainers(matched, containers);
    if (!budget.pay(opened.containers.length)) throw badInput('document', TOO_NESTED);
    const continues = wasParagraph && opened.containers.length <= matched.depth;
    containers = opened.containers;
    if (countIndentColumns(opened.rest) >= 4) {
      isAfterParagraph = continues;
      return { text: line, isText: true };
    }
    const isProse = !containers.includes('quote');
    const rest = opened.rest.trimStart();
    const [, mark, info] = FENCE.exec(rest) ?? [];
    if (mark !== undefined) {
      const indent = content.slice(0, content.length - rest.length);
      const isOurs = info?.toLowerCase() === INFO_STRING && /^[ \t]*$/.test(indent);
      const fence = isOurs ? { indent } : undefined;
      open = { kind: 'fence', mark, depth: containers.length, fence };
      return fence ? { text: line, opens: fence } : { text: line };
    }
    const html =
      HTML_BLOCKS.find(([begins]) => begins.test(rest)) ?? (continues ? undefined : findTagBlock(rest));
    if (!html) {
      isAfterParagraph = rest !== '' && !/^#{1,6}(?:[ \t]|$)/.test(rest) && !isThematicBreak(rest);
      return { text: line, isText: true, isProse };
    }
    if (!html[1].test(rest)) open = { kind: 'html', ends: html[1], depth: containers.length, isProse };
    return { text: line, isProse };
  });
  return { lines, toClose: open && getClosingLine(open) };
}

/** A line of a document with its line end, and its role for the queries in it. */
interface ScannedLine {
  readonly text: string;
  /** It opens a fenced block with the info string `chainlog`. */
  readonly opens?: Fence;
  /** It is between the fences of such a block. */
  readonly isInside?: boolean;
  /** It closes such a block. */
  readonly closes?: boolean;
  /** It is neither within a fence nor HTML. */
  readonly isText?: boolean;
  /** It is text or HTML outside of code and quotations. */
  readonly isProse?: boolean;
}

/** The beginning of a fenced block with a query. */
interface Fence {
  readonly indent: string;
}

/** A block that contains others: a quotation, or a list item whose text is indented by `width` columns. */
type Container = 'quote' | { readonly width: number };

type OpenBlock =
  | {
      readonly kind: 'fence';
      readonly mark: string;
      readonly depth: number;
      readonly fence: Fence | undefined;
    }
  | { readonly kind: 'html'; readonly ends: RegExp; readonly depth: number; readonly isProse: boolean };

const INFO_STRING = 'chainlog';
const MAX_NESTING = 32;
/** Of lists and quotations, summed up over all lines: about a tenth of a second. */
const MAX_LEVELS = 250_000;
const TOO_NESTED = 'The document has too many lists and quotations within one another. Split it.';
const LINE_START = /(?<=\n|\r(?!\n))(?!$)/;
const LINE_END = /\r\n$|\n$|\r$/;
const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})[ \t]*([^\s`]*)/;
const LIST_ITEM = /^(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)/;
/** How HTML blocks begin, and how each ends. */
type HtmlBlock = readonly [begins: RegExp, ends: RegExp];
const HTML_BLOCKS: readonly HtmlBlock[] = [
  [/^<(?:pre|script|style|textarea)(?:[\s>]|$)/i, /<\/(?:pre|script|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [/^<![a-z]/i, />/],
  [
    /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:[\s/>]|$)/i,
    /^\s*$/,
  ],
];

/**
 * A block that begins with one tag alone on its line, of any name. It cannot interrupt a paragraph:
 * https://spec.commonmark.org/0.31.2/#html-blocks
 */
const TAG_BLOCK: HtmlBlock = [
  /^<(?:(?!(?:pre|script|style|textarea)[\s/>])[a-z][a-z\d-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?|\/(?!(?:pre|script|style|textarea)[\s>])[a-z][a-z\d-]*\s*)>\s*$/i,
  /^\s*$/,
];

function findTagBlock(rest: string): HtmlBlock | undefined {
  return rest.length <= MAX_LINE_CHARS && TAG_BLOCK[0].test(rest) ? TAG_BLOCK : undefined;
}

function getClosingLine({ depth, ...open }: OpenBlock): string | undefined {
  if (depth > 0) return undefined;
  if (open.kind === 'fence') return open.mark;
  return open.ends.source === '-->' ? '-->' : undefined;
}

function matchContainers(line: string, containers: readonly Container[]): MatchedContainers {
  let rest = line;
  let depth = 0;
  for (const container of containers) {
    if (container === 'quote') {
      const quote = /^ {0,3}>[ \t]?/.exec(rest);
      if (!quote) break;
      rest = rest.slice(quote[0].length);
    } else {
      const inner = removeIndentOf(rest, container.width);
      if (inner === undefined) break;
      rest = inner;
    }
    depth++;
  }
  return { rest, depth };
}

interface MatchedContainers {
  readonly rest: string;
  /** How many of the containers continue in the line. */
  readonly depth: number;
}

function openContainers(
  matched: MatchedContainers,
  before: readonly Container[],
): { readonly rest: string; readonly containers: readonly Container[] } {
  const containers = before.slice(0, matched.depth);
  let { rest } = matched;
  const endLength = countClosingMarks(rest);
  while (containers.length < MAX_NESTING && countIndentColumns(rest) < 4) {
    const content = rest.trimStart();
    const indent = countIndentColumns(rest);
    const item = content.length <= endLength && isThematicBreak(content) ? null : LIST_ITEM.exec(content);
    if (content.startsWith('>')) {
      rest = content.slice(1).replace(/^[ \t]/, '');
      containers.push('quote');
    } else if (item) {
      const afterMarker = content.slice(item[0].length);
      const spaces = countIndentColumns(afterMarker, 5);
      // Indented code begins one column after the marker.
      const gap = afterMarker.trim() === '' || spaces > 4 ? 1 : spaces;
      containers.push({ width: indent + item[0].length + gap });
      rest = removeColumns(afterMarker, gap);
    } else break;
  }
  return { rest, containers };
}

/** Length of the end of a line that has only one kind of mark, and blanks: only that part may be a thematic break. */
function countClosingMarks(line: string): number {
  const text = line.trimEnd();
  const mark = text.at(-1);
  let start = text.length;
  while (start > 0 && (text[start - 1] === mark || text[start - 1] === ' ' || text[start - 1] === '\t'))
    start--;
  return line.length - start;
}

function isThematicBreak(text: string): boolean {
  return /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,})$/.test(text);
}

function isClosing(rest: string, mark: string): boolean {
  const closing = /^(?:`+|~+)(?=[ \t]*$)/.exec(rest)?.[0];
  return closing !== undefined && closing[0] === mark[0] && closing.length >= mark.length;
}

/** White space at the beginning, in columns, counted up to `enough`. A tab ends at the next multiple of four. */
function countIndentColumns(text: string, enough = 4): number {
  let columns = 0;
  for (let at = 0; columns < enough; at++) {
    if (text[at] === ' ') columns++;
    else if (text[at] === '\t') columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}

function removeColumns(text: string, maxColumns: number): string {
  let columns = 0;
  let at = 0;
  while (columns < maxColumns && (text[at] === ' ' || text[at] === '\t')) {
    columns += text[at] === '\t' ? 4 - (columns % 4) : 1;
    at++;
  }
  const rest = text.slice(at);
  return columns > maxColumns ? ' '.repeat(columns - maxColumns) + rest : rest;
}

/** A line of a list item without the indent of the item; '' for a blank one. Undefined if it is indented less. */
function removeIndentOf(line: string, width: number): string | undefined {
  const inner = removeColumns(line, width);
  if (!/[^ \t]/.test(inner)) return '';
  return countIndentColumns(line, width) < width ? undefined : inner;
}
