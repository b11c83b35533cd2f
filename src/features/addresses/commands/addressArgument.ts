import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type Address, requireAddress } from '../../../core/index.ts';
import { addressAt } from '../places/findAddresses.ts';

// A tree row carries an address or stands under one; the editor's menus hand over the URI of the document.
const Row = z.object({ address: z.string() });
const RowBelow = z.object({ parent: Row });
const HeldRow = z.object({ holder: z.string() });

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

/** As {@link readAddressArgument}, but of a row of something held the address that holds it, not the contract. */
export function readHolderArgument(argument: unknown): Address | undefined {
  const held = HeldRow.safeParse(argument);
  return held.success ? requireAddress(held.data.holder) : readAddressArgument(argument);
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
