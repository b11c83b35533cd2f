import * as vscode from 'vscode';
import type { ArgumentsOf, CommandId } from '../../manifest.ts';
import { escapeMarkdown, escapeMarkdownCode } from './untrustedText.ts';

/**
 * A part of a line: text to be read as it stands, an icon of the editor, or a link. One with a `level`, from 1, begins
 * the row of a list; `code` is set as such, and `gap` is more room than a space. A line that is a `rule` alone parts what is
 * above it from what is below.
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

/** Lines, each of pieces with a space between them. */
export type MarkdownLines = readonly (readonly MarkdownPiece[])[];

/** A link that runs a command of the extension. */
export function createCommandLink<Id extends CommandId>(
  title: string,
  command: Id,
  ...args: ArgumentsOf<Id>
): MarkdownPiece {
  return { title, command, args };
}

/** Trusted with the commands that it links to, and no others. */
export function createMarkdown(lines: MarkdownLines): vscode.MarkdownString {
  const text = lines
    .map((line, at) => {
      const isRow = levelOf(line) > 0 && levelOf(lines[at - 1] ?? []) > 0;
      return `${at === 0 ? '' : isRow ? '\n' : '\n\n'}${line.map(written).join(' ')}`;
    })
    .join('');
  const markdown = new vscode.MarkdownString(text, true);
  const enabledCommands = lines
    .flat()
    .flatMap((piece) => (typeof piece === 'object' && 'command' in piece ? piece.command : []));
  markdown.isTrusted = { enabledCommands };
  return markdown;
}

/** 0 for what is no row of a list. */
function levelOf([first]: readonly MarkdownPiece[]): number {
  return typeof first === 'object' && 'level' in first ? first.level : 0;
}

function written(piece: MarkdownPiece): string {
  if (typeof piece === 'string') return escapeMarkdown(piece);
  if ('level' in piece) return `${'  '.repeat(piece.level - 1)}-`;
  if ('icon' in piece) return `$(${piece.icon})`;
  if ('strong' in piece) return `**${escapeMarkdown(piece.strong)}**`;
  if ('code' in piece) return `\`${escapeMarkdownCode(piece.code)}\``;
  if ('gap' in piece) return '&nbsp;';
  if ('rule' in piece) return '---';
  const target =
    'page' in piece
      ? webTarget(piece.page)
      : `command:${piece.command}?${encodeURIComponent(JSON.stringify(piece.args))}`;
  const title = escapeMarkdown(piece.title);
  return target === undefined ? title : `[${title}](${target.replace(/[^\w\-.~:/?#@!&+,;=%]/g, escaped)})`;
}

/** Undefined for what is no page of the web. */
function webTarget(page: string): string | undefined {
  if (!URL.canParse(page)) return undefined;
  const { href, protocol } = new URL(page);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}

/** `encodeURIComponent` leaves the brackets that end a link. */
function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
