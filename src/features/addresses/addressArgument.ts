import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type Address, requireAddress } from '../../core/index.ts';
import { addressAt } from './findAddresses.ts';

// A tree row carries an address or stands under one; the editor's menus hand over the URI of the document.
const Row = z.object({ address: z.string() });
const RowBelow = z.object({ parent: Row });

/**
 * The address that a command was given: as text, or by a row of the tree.
 *
 * @returns undefined where none was given.
 * @throws AppError `badInput` when a text was given that is no address.
 */
export function readAddressArgument(argument: unknown): Address | undefined {
  if (typeof argument === 'string') return requireAddress(argument);
  const address = Row.safeParse(argument).data?.address ?? RowBelow.safeParse(argument).data?.parent.address;
  return address === undefined ? undefined : requireAddress(address);
}

/** The address that the cursor of the active editor stands on. */
export function addressUnderCursor(): Address | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const { line, character } = editor.selection.active;
  return addressAt(editor.document.lineAt(line).text, character)?.address;
}

/** What an input box asks for where any address is meant. */
export function anyAddressPrompt(): string {
  return vscode.l10n.t('Address of an account or a contract');
}
