import { sanitizeText } from '../../core/index.ts';

/** A line of a text; one that is empty or not there is left out. */
export type Line = string | false | undefined;

/**
 * The gate that every text passes on its way into the editor's own surfaces. What the editor would make a link
 * (`[text](target)`) or an icon (`$(name)`) is broken by a space and stays text; the rest is as of `sanitizeText`: one
 * line, nothing hidden, at most `longest` characters. A text that has passed stays as it is when it passes again.
 */
export function harmless(text: string, longest: number): string {
  // One more than plainText looks at, so that it still tells a cut.
  const bounded = text.slice(0, longest * 8 + 1);
  return sanitizeText(bounded.replaceAll('](', '] (').replaceAll('$(', '$ ('), longest);
}

/** Several lines, each through {@link harmless} by itself: a line end inside of one makes no other. */
export function harmlessLines(lines: readonly Line[], longest: number): string {
  return lines
    .filter((line) => typeof line === 'string' && line !== '')
    .map((line) => harmless(String(line), longest))
    .join('\n');
}
