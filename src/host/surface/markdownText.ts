import { harmless } from './harmless.ts';

const LONGEST = 500;

/**
 * A text from outside for a `MarkdownString`, to be read as it stands: no markup, link, HTML or icon. Unlike
 * `MarkdownString.appendText` it leaves spaces as they are, so that a long sentence wraps.
 */
export function markdownText(text: string): string {
  return harmless(text, LONGEST)
    .replace(/&/g, '&amp;')
    .replace(/[\\`*_{}[\]()#+\-.!|<>~$:@]/g, '\\$&');
}

/** As {@link markdownText}, for what stands between backticks, where nothing else is markup. */
export function codeText(text: string): string {
  return harmless(text, LONGEST).replace(/`/g, "'");
}
