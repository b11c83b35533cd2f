import { sanitizeText } from '../../core/index.ts';

/** A line of a text; one that is empty or not there is left out. */
export type Line = string | false | undefined;

/**
 * The gate that every text passes on its way into the editor's own surfaces. What the editor would make a link
 * (`[text](target)`) or an icon (`$(name)`) is broken by a space and stays text; the rest is as of `sanitizeText`: one
 * line, nothing hidden, at most `longest` characters. A text that has passed stays as it is when it passes again.
 */
export function escapeUiText(text: string, longest: number): string {
  // One more than plainText looks at, so that it still tells a cut.
  const bounded = text.slice(0, longest * 8 + 1);
  return sanitizeText(bounded.replaceAll('](', '] (').replaceAll('$(', '$ ('), longest);
}

/** Several lines, each through {@link escapeUiText} by itself: a line end inside of one makes no other. */
export function escapeUiLines(lines: readonly Line[], longest: number): string {
  return lines
    .filter((line) => typeof line === 'string' && line !== '')
    .map((line) => escapeUiText(String(line), longest))
    .join('\n');
}

const MAX_ERROR_CHARS = 600;

/** An error that goes on to the editor, which shows its message: the same one, with a message that does no harm. */
export function escapeUiError(error: unknown): unknown {
  if (!(error instanceof Error)) return new Error(escapeUiText(String(error), MAX_ERROR_CHARS));
  error.message = escapeUiText(error.message, MAX_ERROR_CHARS);
  return error;
}

const MAX_MARKDOWN_CHARS = 500;

/**
 * A text from outside for a `MarkdownString`, to be read as it stands: no markup, link, HTML or icon. Unlike
 * `MarkdownString.appendText` it leaves spaces as they are, so that a long sentence wraps.
 */
export function escapeMarkdown(text: string): string {
  return escapeUiText(text, MAX_MARKDOWN_CHARS)
    .replace(/&/g, '&amp;')
    .replace(/[\\`*_{}[\]()#+\-.!|<>~$:@]/g, '\\$&');
}

/** As {@link escapeMarkdown}, for what stands between backticks, where nothing else is markup. */
export function escapeMarkdownCode(text: string): string {
  return escapeUiText(text, MAX_MARKDOWN_CHARS).replace(/`/g, "'");
}

const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;
const MAX_LOG_LINE_CHARS = 500;
const MAX_LOG_LINES = 40;
const MAX_LOG_RECORD_CHARS = 100_000;

/**
 * A text as one record of the output: nothing hidden in it, and each line but the first indented, so that none reads
 * as a record of its own.
 */
export function escapeLogRecord(text: string): string {
  const lines = text.slice(0, MAX_LOG_RECORD_CHARS).split(LINE_END, MAX_LOG_LINES);
  return lines.map((line) => sanitizeText(line, MAX_LOG_LINE_CHARS)).join('\n    ');
}
