import { escapeMarkdown, escapeMarkdownCode, LINKED, type Line, type Markdown } from './untrustedText.ts';

/** The head of a table, with the line that aligns columns at their end. */
export function formatMarkdownHead(
  columns: readonly { readonly name: string; readonly alignEnd?: boolean }[],
): Markdown {
  const rules = columns.map(({ alignEnd }) => (alignEnd ? '---:' : '---'));
  return joinMarkdown(
    formatMarkdownRow(columns.map(({ name }) => name)),
    `| ${rules.join(' | ')} |\n` as Markdown,
  );
}

/** The row of a table, with its line end. Text that no renderer acts on stays as it is. */
export function formatMarkdownRow(cells: readonly (string | { readonly code: string })[]): Markdown {
  return `| ${cells.map(escapeCell).join(' | ')} |\n` as Markdown;
}

function escapeCell(cell: string | { readonly code: string }): string {
  // In a table a bar ends the cell, in code too.
  if (typeof cell === 'object') return escapeMarkdownCode(cell.code).replaceAll('|', '\\|');
  return PLAIN_CELL.test(cell) && !LINKED.test(cell) ? cell : escapeMarkdown(cell);
}

/** Letters, digits and signs without meaning in Markdown, or a time in ISO 8601. */
const PLAIN_CELL = /^(?:[\p{L}\p{N} ,.…()+\-/%]*|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/u;

export function joinMarkdown(...parts: readonly Markdown[]): Markdown {
  return parts.join('') as Markdown;
}

/** Each line as a paragraph. Empty and missing lines are left out. */
export function formatMarkdownParagraphs(lines: readonly Line[]): Markdown {
  return lines
    .filter((line) => typeof line === 'string' && line !== '')
    .map((line) => `${escapeMarkdown(String(line))}\n\n`)
    .join('') as Markdown;
}
