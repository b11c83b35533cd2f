/** How a fenced block of questions begins. */
export interface Fence {
  /** The white space before it, and before each of its lines. */
  readonly indent: string;
}

/** A line of a document with its end, and what it is to the questions in it. */
export interface Scanned {
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
const MOST_NESTED = 32;
const LINE = /[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g;
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
  readonly lines: readonly Scanned[];
  /** The line that ends what is still open at the end, and would be behind it too. */
  readonly toClose: string | undefined;
} {
  let containers: readonly Container[] = [];
  let open: Open | undefined;
  const lines = (text.match(LINE) ?? []).map((line): Scanned => {
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
  while (containers.length < MOST_NESTED && columnsOf(rest) < 4) {
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
