import * as vscode from 'vscode';
import { type Address, formatShortAddress, toChecksumAddress } from '../../../core/index.ts';
import { askForAddress } from '../../../host/names/addressPicker.ts';
import { findDocumentAddress } from '../../../host/places/documents.ts';
import { pickOne, showMessage } from '../../../host/ui/dialogs.ts';
import type { ActiveNames, AddressBook } from '../addressBook.ts';

export function findAddressUnderCursor(): Address | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor && findDocumentAddress(editor.document, editor.selection.active)?.address;
}

/** Lets the user enter the address of an account or a contract, or pick it by name. */
export async function askForAnyAddress(
  title: string,
  {
    active,
    book,
    without = [],
  }: {
    readonly active: ActiveNames;
    readonly book: AddressBook;
    readonly without?: readonly Address[];
  },
): Promise<Address | undefined> {
  await active.ready();
  const { names, chainId } = active;
  const prompt = vscode.l10n.t('Address of an account or a contract');
  const recent = [...book.recent, ...book.watched];
  return askForAddress(title, prompt, { names, chainId, recent, without });
}

interface AddressPick {
  readonly title: string;
  readonly placeHolder: string;
  readonly active: ActiveNames;
  /** Called once the book has been read. */
  readonly choices: (book: AddressBook) => readonly Address[];
  /** If there are none: a message, or another way to get an address. */
  readonly ifNone: string | (() => Promise<Address | undefined>);
}

/** Lets the user pick an address of the book by name; undefined if cancelled. */
export async function pickAddress(book: AddressBook, pick: AddressPick): Promise<Address | undefined> {
  await book.ready;
  const { title, placeHolder, choices, ifNone, active } = pick;
  const items = choices(book).map((address) => ({
    label: active.name(address) ?? formatShortAddress(toChecksumAddress(address)),
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
