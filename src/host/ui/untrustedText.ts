import { sanitizeText } from '../../core/index.ts';

/** A line of text. Empty and missing lines are left out. */
export type Line = string | false | undefined;

/**
 * Every text passes this gate before the editor shows it. A space breaks what the editor would render as a link
 * (`[text](target)`) or an icon (`$(name)`), so that it stays text. `sanitizeText` does the rest: one line, no
 * hidden characters, at most `maxChars` characters. Idempotent.
 */
export function escapeUiText(text: string, maxChars: number): string {
  // One character more than `sanitizeText` reads, so that it still marks the cut.
  const bounded = text.slice(0, maxChars * 8 + 1);
  return sanitizeText(bounded.replaceAll('](', '] (').replaceAll('$(', '$ ('), maxChars);
}

/** Escapes each line by {@link escapeUiText}: a line end inside of one adds no line. */
export function escapeUiLines(lines: readonly Line[], maxLineChars: number): string {
  return lines
    .filter((line) => typeof line === 'string' && line !== '')
    .map((line) => escapeUiText(String(line), maxLineChars))
    .join('\n');
}

const MAX_ERROR_CHARS = 600;

/** Escapes the message of an error that the editor will show. Returns the same error. */
export function escapeUiError(error: unknown): unknown {
  if (!(error instanceof Error)) return new Error(escapeUiText(String(error), MAX_ERROR_CHARS));
  error.message = escapeUiText(error.message, MAX_ERROR_CHARS);
  return error;
}

const MAX_MARKDOWN_CHARS = 500;

/** Markdown in which all untrusted text is escaped. Only the functions of `host/ui` make it. */
export type Markdown = string & { readonly [escaped]: true };
declare const escaped: unique symbol;

/**
 * Escapes untrusted text for Markdown: no markup, picture, HTML, icon or link, whichever renderer shows it. A word
 * that renderers link by themselves (a host name, a URL, an e-mail address, a mention, an issue of another project)
 * becomes code: markdown-it 12, which shows notebook outputs, links it despite backslashes. Unlike
 * `MarkdownString.appendText` it keeps plain spaces, so that a long sentence wraps.
 */
export function escapeMarkdown(text: string): Markdown {
  return escapeUiText(text, MAX_MARKDOWN_CHARS)
    .split(PLAIN_RUN)
    .map((part, index) => (index % 2 === 1 && LINKED.test(part) ? `\`${part}\`` : escapeMarkup(part)))
    .join('') as Markdown;
}

/** Text between backticks can hold these characters as they are, in a table too. */
const PLAIN_RUN = /([^\s\\`*{}[\]()!|<>~$]+)/;
/** What linkify-it, or a renderer of GitHub's Markdown, links without markup. */
export const LINKED = /@|\w#\d|\/\/|www\.|\.\p{L}/iu;

function escapeMarkup(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/[\\`*_{}[\]()#+\-.!|<>~$:@]/g, '\\$&');
}

/** As {@link escapeMarkdown}, for text that is shown as code. */
export function escapeMarkdownCode(text: string): Markdown {
  return `\`${escapeUiText(text, MAX_MARKDOWN_CHARS).replace(/`/g, "'")}\`` as Markdown;
}

const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;
const MAX_LOG_LINE_CHARS = 500;
const MAX_LOG_LINES = 40;
const MAX_LOG_RECORD_CHARS = 100_000;

/**
 * Formats text as one record of the output channel: without hidden characters, and with every line after the first
 * indented, so that none looks like a record of its own.
 */
export function escapeLogRecord(text: string): string {
  const lines = text.slice(0, MAX_LOG_RECORD_CHARS).split(LINE_END, MAX_LOG_LINES);
  return lines.map((line) => sanitizeText(line, MAX_LOG_LINE_CHARS)).join('\n    ');
}
