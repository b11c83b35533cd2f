import * as vscode from 'vscode';
import { type Address, toChecksumAddress } from '../../../core/index.ts';
import { showMessage } from '../../../host/surface/messages.ts';
import { askForText } from '../../../host/surface/questions.ts';
import { type AddressBook, LONGEST_LABEL, MOST_LABELS } from '../book/addressBook.ts';

/** Gives an address a label of the user's own on a chain: the one given, else one that is asked for. */
export async function setLabel(
  book: AddressBook,
  { address, chainId }: { readonly address: Address; readonly chainId: number },
  label: unknown,
): Promise<void> {
  const text =
    typeof label === 'string'
      ? label
      : await askForLabel(vscode.l10n.t('Label Address'), address, await book.labelOn(chainId, address));
  if (text === undefined || (await book.setLabel(address, text, chainId))) return;
  void showMessage('warning', vscode.l10n.t('At most {0} addresses can have a label.', MOST_LABELS));
}

/** Asks for a label; undefined when left with Escape. */
export function askForLabel(
  title: string,
  address: Address,
  present: string | undefined,
): Thenable<string | undefined> {
  return askForText({
    title,
    prompt: vscode.l10n.t('Label for {0}; leave empty for none', toChecksumAddress(address)),
    value: present ?? '',
    validateInput: (text) =>
      text.trim().length > LONGEST_LABEL
        ? vscode.l10n.t('A label has at most {0} characters.', LONGEST_LABEL)
        : undefined,
  });
}
