import { groupDigits } from '../eth/units.ts';

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
    const piece = own[0]?.opens ? toQueryPiece(own, own[0].opens, at + 1) : proseOf(own, at + 1);
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

function endOfPiece(lines: readonly ScannedLine[], start: number): number {
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

function textOf(lines: readonly ScannedLine[]): string {
  return lines.map(({ text }) => text).join('');
}

function proseOf(lines: readonly ScannedLine[], line: number): DocumentPiece | undefined {
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

function toQueryPiece(lines: readonly ScannedLine[], fence: Fence, line: number): DocumentPiece {
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

/** How a fenced block of questions begins. */
interface Fence {
  /** The white space before it, and before each of its lines. */
  readonly indent: string;
}

/** A line of a document with its end, and what it is to the questions in it. */
interface ScannedLine {
  readonly text: string;
  /** It opens a fenced block of the info string `chainlog`. */
  readonly opens?: Fence;
  /** It is between the fences of such a block. */
  readonly isInside?: boolean;
  /** It closes such a block. */
  readonly closes?: boolean;
  /** It is neither within a fence nor HTML. */
  readonly isText?: boolean;
}

/** Something that other blocks stand in: a quotation, or an item of a list whose text is so many columns in. */
type Container = 'quote' | { readonly width: number };

/** What goes on over several lines. */
type Open =
  | {
      readonly kind: 'fence';
      readonly mark: string;
      readonly depth: number;
      readonly fence: Fence | undefined;
    }
  | { readonly kind: 'html'; readonly ends: RegExp; readonly depth: number };

const INFO = 'chainlog';
const MAX_NESTING = 32;
const ANY_LINE = /[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g;
const LINE_END = /\r\n$|\n$|\r$/;
const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})[ \t]*([^\s`]*)/;
const ITEM = /^(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)/;
/** Beginnings of HTML blocks, and where each ends. */
const HTML: readonly (readonly [begins: RegExp, ends: RegExp])[] = [
  [/^<(?:pre|script|style|textarea)(?:[\s>]|$)/i, /<\/(?:pre|script|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [/^<![a-z]/i, />/],
  [
    /^<\/?(?:address|article|aside|blockquote|body|center|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|nav|ol|optgroup|option|p|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|ul)(?:[\s/>]|$)/i,
    /^\s*$/,
  ],
];

/** The lines of a Markdown document, as far as CommonMark has them matter to fences. Takes time in proportion to the text. */
export function scanLines(text: string): {
  readonly lines: readonly ScannedLine[];
  /** The line that ends what is still open at the end, and would be behind it too. */
  readonly toClose: string | undefined;
} {
  let containers: readonly Container[] = [];
  let open: Open | undefined;
  const lines = (text.match(ANY_LINE) ?? []).map((line): ScannedLine => {
    const words = line.replace(LINE_END, '');
    const matched = matchContainers(words, containers);
    if (open && matched.depth >= open.depth) {
      const rest = matched.rest.trimStart();
      if (open.kind === 'html') {
        if (open.ends.test(rest)) open = undefined;
        return { text: line };
      }
      const { fence, mark } = open;
      const isEnd = columnsOf(matched.rest) < 4 && isClosing(rest, mark);
      if (isEnd) open = undefined;
      if (!fence) return { text: line };
      return isEnd ? { text: line, closes: true } : { text: line, isInside: true };
    }
    open = undefined;
    const begun = beginContainers(matched, containers);
    containers = begun.containers;
    if (columnsOf(begun.rest) >= 4) return { text: line, isText: true };
    const rest = begun.rest.trimStart();
    const [, mark, info] = FENCE.exec(rest) ?? [];
    if (mark !== undefined) {
      const indent = words.slice(0, words.length - rest.length);
      const isOurs = info?.toLowerCase() === INFO && /^[ \t]*$/.test(indent);
      const fence = isOurs ? { indent } : undefined;
      open = { kind: 'fence', mark, depth: containers.length, fence };
      return fence ? { text: line, opens: fence } : { text: line };
    }
    const html = HTML.find(([begins]) => begins.test(rest));
    if (!html) return { text: line, isText: true };
    if (!html[1].test(rest)) open = { kind: 'html', ends: html[1], depth: containers.length };
    return { text: line };
  });
  return { lines, toClose: open && closingLine(open) };
}

function closingLine({ depth, ...open }: Open): string | undefined {
  if (depth > 0) return undefined;
  if (open.kind === 'fence') return open.mark;
  return open.ends.source === '-->' ? '-->' : undefined;
}

interface Matched {
  readonly rest: string;
  /** How many of the containers go on in the line. */
  readonly depth: number;
}

function matchContainers(words: string, containers: readonly Container[]): Matched {
  let rest = words;
  let depth = 0;
  for (const container of containers) {
    if (container === 'quote') {
      const quote = /^ {0,3}>[ \t]?/.exec(rest);
      if (!quote) break;
      rest = rest.slice(quote[0].length);
    } else {
      const isBlank = rest.trim() === '';
      if (!isBlank && columnsOf(rest) < container.width) break;
      rest = isBlank ? '' : cutColumns(rest, container.width);
    }
    depth++;
  }
  return { rest, depth };
}

function beginContainers(
  matched: Matched,
  before: readonly Container[],
): { readonly rest: string; readonly containers: readonly Container[] } {
  const containers = before.slice(0, matched.depth);
  let { rest } = matched;
  while (containers.length < MAX_NESTING && columnsOf(rest) < 4) {
    const words = rest.trimStart();
    const indent = columnsOf(rest);
    const item = isRule(words) ? null : ITEM.exec(words);
    if (words.startsWith('>')) {
      rest = words.slice(1).replace(/^[ \t]/, '');
      containers.push('quote');
    } else if (item) {
      const behind = words.slice(item[0].length);
      const spaces = columnsOf(behind);
      // Code that is indented begins one column behind the mark.
      const gap = behind.trim() === '' || spaces > 4 ? 1 : spaces;
      containers.push({ width: indent + item[0].length + gap });
      rest = cutColumns(behind, gap);
    } else break;
  }
  return { rest, containers };
}

function isRule(words: string): boolean {
  return /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,})$/.test(words);
}

function isClosing(rest: string, mark: string): boolean {
  const closing = /^(?:`+|~+)(?=[ \t]*$)/.exec(rest)?.[0];
  return closing !== undefined && closing[0] === mark[0] && closing.length >= mark.length;
}

/** White space at the beginning, in columns: a tab goes on to the next multiple of four. */
function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) {
    if (character === ' ') columns++;
    else if (character === '\t') columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}

function cutColumns(text: string, most: number): string {
  let columns = 0;
  let at = 0;
  while (columns < most && (text[at] === ' ' || text[at] === '\t')) {
    columns += text[at] === '\t' ? 4 - (columns % 4) : 1;
    at++;
  }
  return ' '.repeat(Math.max(0, columns - most)) + text.slice(at);
}

/** A question of a document, not yet read. */
export interface DocumentQuery {
  /** The nearest heading above it; undefined where there is none. */
  readonly title: string | undefined;
  /** The line of its opening fence, counted from 1. */
  readonly line: number;
  /** Where its text begins in the document. */
  readonly offset: number;
  /** Its JSON as it stands in the document. */
  readonly text: string;
  /** What stands behind it: what came of it when it was last run. */
  readonly verdict: RecordedVerdict | undefined;
}

const MAX_TITLE_CHARS = 200;
const MAX_LINE_CHARS = 1000;

/**
 * The questions of a Markdown document: its blocks of `chainlog`.
 *
 * @example findDocumentQueries('# Why\n\n```chainlog\n{}\n```\n').map(({ title, line }) => [title, line]) // [['Why', 3]]
 */
export function findDocumentQueries(text: string): readonly DocumentQuery[] {
  let title: string | undefined;
  let at = 0;
  const questions: DocumentQuery[] = [];
  for (const { kind, before, source, after, line } of parseDocument(text)) {
    if (kind === 'prose') title = headingIn(source) ?? title;
    else
      questions.push({
        title,
        line,
        offset: at + before.length,
        text: source,
        verdict: findRecordedVerdict(after),
      });
    at += before.length + source.length + after.length;
  }
  return questions;
}

/** What stands behind the fence of a question. */
export function findRecordedVerdict(after: DocumentPiece['after']): RecordedVerdict | undefined {
  for (const line of after.split(/\r\n|\n|\r/).slice(0, 3)) {
    const verdict = parseVerdictLine(line);
    if (verdict) return verdict;
  }
  return undefined;
}

function headingIn(prose: string): string | undefined {
  const { lines } = scanLines(prose);
  for (let index = lines.length - 1; index >= 0; index--) {
    const { text, isText } = lines[index] ?? { text: '' };
    if (!isText) continue;
    const words = text.trim();
    const heading = /^#{1,6}(?=[ \t])/.exec(words)?.[0];
    if (heading) return withoutEnd(words.slice(heading.length, MAX_LINE_CHARS)).slice(0, MAX_TITLE_CHARS);
    const above = lines[index - 1];
    const isUnderline = /^(?:=+|-+)$/.test(words) && above?.isText && above.text.trim() !== '';
    if (isUnderline) return above.text.trim().slice(0, MAX_TITLE_CHARS);
  }
  return undefined;
}

/** Marks at the end of a heading are none of its words. */
function withoutEnd(heading: string): string {
  const words = heading.trim();
  const bare = words.slice(0, words.length - (/#{1,200}$/.exec(words)?.[0].length ?? 0));
  return bare === '' || /[ \t]$/.test(bare) ? bare.trim() : words;
}

/** What a document says came of a question: a complete answer, which can be had again. */
export interface RecordedVerdict {
  /** Logs of the answer. */
  readonly count: number;
  /** The last block of the range that was read. */
  readonly toBlock: bigint;
  /** The {@link digestRows} of the answer. */
  readonly sha256: string;
}

const MAX_LOGS = 1_000_000_000_000;
const VERDICT_LINE =
  /^[ \t]{0,12}<!-- (\d[\d,]{0,20}) logs?, complete to (\d[\d,]{0,30}), sha256 ([0-9a-f]{64}) -->[ \t]{0,12}[\r\n]{0,2}$/;

/**
 * The HTML comment that stands behind a question of a document and says what came of it.
 *
 * @example formatVerdictLine({ count: 5000, toBlock: 21_000_000n, sha256 }); // '<!-- 5,000 logs, complete to 21,000,000, sha256 … -->'
 */
export function formatVerdictLine({ count, toBlock, sha256 }: RecordedVerdict): string {
  const logs = count === 1 ? '1 log' : `${groupDigits(count)} logs`;
  return `<!-- ${logs}, complete to ${groupDigits(toBlock)}, sha256 ${sha256} -->`;
}

/**
 * What such a line says; undefined where it is none.
 *
 * @example parseVerdictLine('<!-- checked by hand -->') // undefined
 */
export function parseVerdictLine(line: string): RecordedVerdict | undefined {
  const [, logs, block, sha256] = VERDICT_LINE.exec(line) ?? [];
  if (logs === undefined || block === undefined || sha256 === undefined) return undefined;
  const count = Number(logs.replaceAll(',', ''));
  return count <= MAX_LOGS ? { count, toBlock: BigInt(block.replaceAll(',', '')), sha256 } : undefined;
}
