import * as vscode from 'vscode';
import { type Address, shortAddress, toChecksumAddress } from '../../../core/index.ts';
import { askForAddress } from '../../../host/commands/askForAddress.ts';
import { showMessage } from '../../../host/surface/messages.ts';
import { pickOne } from '../../../host/surface/questions.ts';
import type { AddressBook } from '../book/addressBook.ts';
import { addressInDocument } from '../../../host/places/documentAddresses.ts';

/** The address that the cursor of the active editor stands on. */
export function addressUnderCursor(): Address | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor && addressInDocument(editor.document, editor.selection.active)?.address;
}

/** Asks for the address of anything: an account or a contract. */
export function askForAnyAddress(title: string): Promise<Address | undefined> {
  return askForAddress(title, vscode.l10n.t('Address of an account or a contract'));
}

interface AddressPick {
  readonly title: string;
  readonly placeHolder: string;
  /** The addresses to pick from, in the book as it has been read. */
  readonly choices: (book: AddressBook) => readonly Address[];
  /** Where there are none: a sentence that says so, or another way to ask. */
  readonly ifNone: string | (() => Promise<Address | undefined>);
}

/** Lets the user pick an address of the book, by its label; undefined when left with Escape. */
export async function pickAddress(book: AddressBook, pick: AddressPick): Promise<Address | undefined> {
  await book.ready;
  const { title, placeHolder, choices, ifNone } = pick;
  const items = choices(book).map((address) => ({
    label: book.label(address) ?? shortAddress(toChecksumAddress(address)),
    description: toChecksumAddress(address),
    address,
  }));
  if (items.length > 0) {
    const picked = await pickOne(items, { title, placeHolder, matchOnDescription: true });
    return picked?.address;
  }
  if (typeof ifNone !== 'string') return ifNone();
  void showMessage('information', ifNone);
  return undefined;
}
