import * as vscode from 'vscode';
import type { ArgumentsOf, CommandId } from '../../manifest.ts';
import { escapeMarkdown, escapeMarkdownCode } from './untrustedText.ts';

/**
 * A piece of a line: plain text, an icon of the editor, or a link. A piece with a `level` (from 1) begins a list
 * item; `code` is monospaced; `gap` is wider than a space. A line of only a `rule` is a separator.
 */
export type MarkdownPiece =
  | string
  | { readonly level: number }
  | { readonly icon: string }
  | { readonly strong: string }
  | { readonly code: string }
  | { readonly gap: true }
  | { readonly rule: true }
  | { readonly title: string; readonly page: string }
  | { readonly title: string; readonly command: CommandId; readonly args: readonly unknown[] };

/** Lines of pieces, which are joined by spaces. */
export type MarkdownLines = readonly (readonly MarkdownPiece[])[];

export function createCommandLink<Id extends CommandId>(
  title: string,
  command: Id,
  ...args: ArgumentsOf<Id>
): MarkdownPiece {
  return { title, command, args };
}

/** Creates Markdown that is trusted to run the commands that it links to, and no others. */
export function createMarkdown(lines: MarkdownLines): vscode.MarkdownString {
  const text = lines
    .map((line, at) => {
      const isNextItem = levelOf(line) > 0 && levelOf(lines[at - 1] ?? []) > 0;
      return `${at === 0 ? '' : isNextItem ? '\n' : '\n\n'}${line.map(formatPiece).join(' ')}`;
    })
    .join('');
  const markdown = new vscode.MarkdownString(text, true);
  const enabledCommands = lines
    .flat()
    .flatMap((piece) => (typeof piece === 'object' && 'command' in piece ? piece.command : []));
  markdown.isTrusted = { enabledCommands };
  return markdown;
}

/** 0 for a line outside of lists. */
function levelOf([first]: readonly MarkdownPiece[]): number {
  return typeof first === 'object' && 'level' in first ? first.level : 0;
}

function formatPiece(piece: MarkdownPiece): string {
  if (typeof piece === 'string') return escapeMarkdown(piece);
  if ('level' in piece) return `${'  '.repeat(piece.level - 1)}-`;
  if ('icon' in piece) return `$(${piece.icon})`;
  if ('strong' in piece) return `**${escapeMarkdown(piece.strong)}**`;
  if ('code' in piece) return escapeMarkdownCode(piece.code);
  if ('gap' in piece) return '&nbsp;';
  if ('rule' in piece) return '---';
  const target =
    'page' in piece
      ? toWebTarget(piece.page)
      : `command:${piece.command}?${encodeURIComponent(JSON.stringify(piece.args))}`;
  const title = escapeMarkdown(piece.title);
  return target === undefined
    ? title
    : `[${title}](${target.replace(/[^\w\-.~:/?#@!&+,;=%]/g, percentEncode)})`;
}

/** Undefined unless `page` is an http or https URL. */
function toWebTarget(page: string): string | undefined {
  if (!URL.canParse(page)) return undefined;
  const { href, protocol } = new URL(page);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}

/** Percent-encodes one character; `encodeURIComponent` leaves the parentheses that end a link. */
function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
