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

/**
 * Escapes untrusted text for a `MarkdownString`: no markup, link, HTML or icon. Unlike `MarkdownString.appendText`
 * it keeps plain spaces, so that a long sentence wraps.
 */
export function escapeMarkdown(text: string): string {
  return escapeUiText(text, MAX_MARKDOWN_CHARS)
    .replace(/&/g, '&amp;')
    .replace(/[\\`*_{}[\]()#+\-.!|<>~$:@]/g, '\\$&');
}

/** As {@link escapeMarkdown}, for text between backticks, where nothing else is markup. */
export function escapeMarkdownCode(text: string): string {
  return escapeUiText(text, MAX_MARKDOWN_CHARS).replace(/`/g, "'");
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
