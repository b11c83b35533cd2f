import { commentText } from '../handed/comments.ts';
import type { HandedEndpoint } from '../handed/endpoint.ts';
import type { Handed } from '../handed/handover.ts';

/** What Linux takes as one argument, less what the rest of it may have. */
const LONGEST = 120_000;

/**
 * A text as one word of a POSIX shell.
 *
 * @example shellQuote("it's") // "'it'\\''s'"
 */
export function shellQuote(text: string): string {
  return /^[A-Za-z0-9_./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The URL of an endpoint as a word of a shell. */
export function shellUrl({ url }: HandedEndpoint): string {
  return url === undefined ? '"$RPC_URL"' : shellQuote(url);
}

/** The header with the secret of an endpoint as a word of a shell. Its name is one of HTTP. */
export function shellHeader({ name, before }: NonNullable<HandedEndpoint['header']>): string {
  return `${shellQuote(`${name}: ${before}`)}"$RPC_KEY"`;
}

/** A command of several words, one part a line, with comments above it. */
export function shellCommand(notes: readonly string[], parts: readonly string[]): Handed {
  const text = `${notes.map((note) => `# ${commentText(note)}\n`).join('')}${parts.join(' \\\n  ')}\n`;
  return text.length > LONGEST ? { refused: 'tooLong' } : { text };
}
