import * as vscode from 'vscode';
import { type Address, shortAddress, toChecksumAddress } from '../../../core/index.ts';
import { registerCommand, runCommand } from '../../../host/commands/commands.ts';
import { readAddress } from '../../../host/commands/rowArguments.ts';
import { explorerLink } from '../../../host/session/explorerLink.ts';
import type { Session } from '../../../host/session/session.ts';
import { showBriefly, showMessage } from '../../../host/surface/messages.ts';
import { askForText } from '../../../host/surface/questions.ts';
import { showError } from '../../../host/words/showError.ts';
import type { CommandId } from '../../../manifest.ts';
import { type AddressBook, LONGEST_LABEL, MOST_LABELS, MOST_WATCHED } from '../book/addressBook.ts';
import { addressUnderCursor, askForAnyAddress, pickAddress } from './pickAddress.ts';

interface AddressCommandDeps {
  readonly session: Session;
  readonly book: AddressBook;
  readonly log: vscode.LogOutputChannel;
  /** Shows `address` in the view and loads what it holds. */
  readonly show: (address: Address) => Promise<void>;
}

/** The commands that act on one address: the given one, else the one under the cursor, else one that is asked for. */
export function registerAddressCommands(deps: AddressCommandDeps): vscode.Disposable {
  const { session, book } = deps;
  type Act = (address: Address, ...rest: readonly unknown[]) => unknown;

  function command(id: CommandId, ask: () => Promise<Address | undefined>, act: Act): vscode.Disposable {
    return registerCommand(id, async (argument, ...rest) => {
      try {
        const address = readAddress(argument) ?? addressUnderCursor() ?? (await ask());
        if (address) await act(address, ...rest);
      } catch (error) {
        await showError(error, { service: 'endpoint', network: session.network, log: deps.log });
      }
    });
  }

  const typed = (title: string) => () => askForAnyAddress(title);
  return vscode.Disposable.from(
    command('chainside.lookUpAddress', typed(vscode.l10n.t('Look Up Address')), deps.show),
    command('chainside.watchAddress', typed(vscode.l10n.t('Watch Address')), (address) =>
      watch(book, address),
    ),
    command(
      'chainside.unwatchAddress',
      () => pickWatched(book),
      (address) => book.unwatch(address),
    ),
    command('chainside.labelAddress', typed(vscode.l10n.t('Label Address')), (address, label) =>
      setLabel(book, address, label),
    ),
    command('chainside.copyAddress', typed(vscode.l10n.t('Copy Address')), (address) =>
      runCommand('chainside.copyValue', toChecksumAddress(address)),
    ),
    command('chainside.openInExplorer', typed(vscode.l10n.t('Open in Explorer')), (address) =>
      openInExplorer(session, address),
    ),
    command('chainside.queryLogsOfAddress', typed(vscode.l10n.t('Query Logs')), (address) =>
      runCommand('chainside.queryLogs', { address: toChecksumAddress(address) }),
    ),
  );
}

async function watch(book: AddressBook, address: Address): Promise<void> {
  if (await book.watch(address)) {
    const name = book.label(address) ?? shortAddress(toChecksumAddress(address));
    showBriefly(vscode.l10n.t('Watching {0}', name), 3000);
    return;
  }
  void showMessage('warning', vscode.l10n.t('No more than {0} addresses can be watched.', MOST_WATCHED));
}

function pickWatched(book: AddressBook): Promise<Address | undefined> {
  return pickAddress(book, {
    title: vscode.l10n.t('Stop Watching Address'),
    placeHolder: vscode.l10n.t('Choose an address'),
    choices: ({ watched }) => watched,
    ifNone: vscode.l10n.t('No address is watched on this network.'),
  });
}

async function setLabel(book: AddressBook, address: Address, label: unknown): Promise<void> {
  await book.ready;
  const text = typeof label === 'string' ? label : await askForLabel(book, address);
  if (text === undefined || (await book.setLabel(address, text))) return;
  void showMessage('warning', vscode.l10n.t('No more than {0} addresses can have a label.', MOST_LABELS));
}

function askForLabel(book: AddressBook, address: Address): Thenable<string | undefined> {
  return askForText({
    title: vscode.l10n.t('Label Address'),
    prompt: vscode.l10n.t('Label for {0}; leave empty for none', toChecksumAddress(address)),
    value: book.label(address) ?? '',
    validateInput: (text) =>
      text.trim().length > LONGEST_LABEL
        ? vscode.l10n.t('A label has at most {0} characters.', LONGEST_LABEL)
        : undefined,
  });
}

async function openInExplorer({ network }: Session, address: Address): Promise<void> {
  const page = explorerLink(network.explorerUrl, 'address', toChecksumAddress(address));
  if (page) await vscode.env.openExternal(vscode.Uri.parse(page, true));
  else void showMessage('information', vscode.l10n.t('{0} has no explorer website.', network.name));
}
