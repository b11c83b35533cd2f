import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type Address, formatShortAddress, toChecksumAddress } from '../../../core/index.ts';
import { registerCommand, runCommand } from '../../../host/commands/commands.ts';
import { readAddress, readRow } from '../../../host/commands/rowArguments.ts';
import { agreesToChain, askOnNetwork, chainName, explorerOfChain } from '../../../host/session/chains.ts';
import { explorerLink } from '../../../host/session/explorerLink.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import { showBriefly, showMessage } from '../../../host/surface/messages.ts';
import { showError } from '../../../host/words/showError.ts';
import type { CommandId } from '../../../manifest.ts';
import { type AddressBook, MOST_WATCHED } from '../book/addressBook.ts';
import { refreshHover } from '../hover/refreshHover.ts';
import type { ActiveNames } from '../names/activeNames.ts';
import { setLabel } from './label.ts';
import { addressUnderCursor, askForAnyAddress, pickAddress } from './pickAddress.ts';
import { labelForTeam } from './teamLabel.ts';

interface AddressCommandDeps {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly book: AddressBook;
  readonly active: ActiveNames;
  readonly log: vscode.LogOutputChannel;
  /** Shows `address` in the view and loads what it holds. */
  readonly show: (address: Address) => Promise<void>;
}

/** What a command does with an address; `given` is what it was called with. */
type Act = (address: Address, ...given: readonly unknown[]) => unknown;

/** The commands that act on one address: the given one, else the one under the cursor, else one that is asked for. */
export function registerAddressCommands(deps: AddressCommandDeps): vscode.Disposable {
  const { session, book } = deps;

  function command(id: CommandId, ask: () => Promise<Address | undefined>, act: Act): vscode.Disposable {
    return registerCommand(id, async (...given) => {
      try {
        const address = readAddress(given[0]) ?? addressUnderCursor() ?? (await askOnNetwork(deps, ask));
        if (address) await act(address, ...given);
      } catch (error) {
        await showError(error, { service: 'endpoint', network: session.network, log: deps.log });
      }
    });
  }

  /** What is done on the active network: for a row of another chain, after the user has agreed to switch to it. */
  const onItsChain =
    (act: Act): Act =>
    async (address, ...given) => {
      const { chainId, contractName } = readRow(given[0]) ?? {};
      const subject = contractName ?? formatShortAddress(toChecksumAddress(address));
      if (chainId === undefined || (await agreesToChain(deps, chainId, subject)))
        await act(address, ...given);
    };

  const typed = (title: string) => () => askForAnyAddress(title, deps);
  return vscode.Disposable.from(
    command('chainside.lookUpAddress', typed(vscode.l10n.t('Look Up Address')), onItsChain(deps.show)),
    command(
      'chainside.watchAddress',
      () => askForAnyAddress(vscode.l10n.t('Watch Address'), { ...deps, without: book.watched }),
      onItsChain((address, _, hovered) => thenRefresh(watch(deps, address), hovered)),
    ),
    command(
      'chainside.unwatchAddress',
      () => pickWatched(deps),
      (address, _, hovered) => thenRefresh(book.unwatch(address), hovered),
    ),
    command('chainside.labelAddress', typed(vscode.l10n.t('Label Address')), (address, row, label) =>
      setLabel(book, { address, chainId: readRow(row)?.chainId ?? session.network.chainId }, label),
    ),
    command('chainside.labelForTeam', typed(vscode.l10n.t('Label Address for the Team')), (address) =>
      labelForTeam(deps, address),
    ),
    registerCommand('chainside.showTokensInHovers', async (choice, hovered) => {
      const shown = z.enum(['show', 'hide']).safeParse(choice).data;
      if (shown === undefined) return;
      const settings = vscode.workspace.getConfiguration('chainside');
      await settings.update('hover.tokens', shown, vscode.ConfigurationTarget.Global);
      await refreshHover(hovered);
    }),
    command('chainside.copyAddress', typed(vscode.l10n.t('Copy Address')), (address) =>
      runCommand('chainside.copyValue', toChecksumAddress(address)),
    ),
    command('chainside.openInExplorer', typed(vscode.l10n.t('Open in Explorer')), (address, row) =>
      openInExplorer(deps, address, readRow(row)?.chainId ?? session.network.chainId),
    ),
    command(
      'chainside.queryLogsOfAddress',
      typed(vscode.l10n.t('Query Logs')),
      onItsChain((address) => runCommand('chainside.queryLogs', { address: toChecksumAddress(address) })),
    ),
  );
}

/** A hover whose link was followed shows what can be done now. */
async function thenRefresh(done: Promise<void>, hovered: unknown): Promise<void> {
  await done;
  await refreshHover(hovered);
}

async function watch({ book, active }: AddressCommandDeps, address: Address): Promise<void> {
  if (await book.watch(address)) {
    const name = active.name(address) ?? formatShortAddress(toChecksumAddress(address));
    showBriefly(vscode.l10n.t('Watching {0}', name), 3000);
    return;
  }
  void showMessage('warning', vscode.l10n.t('At most {0} addresses can be watched.', MOST_WATCHED));
}

function pickWatched({ book, active }: AddressCommandDeps): Promise<Address | undefined> {
  return pickAddress(book, {
    active,
    title: vscode.l10n.t('Stop Watching Address'),
    placeHolder: vscode.l10n.t('Choose an address'),
    choices: ({ watched }) => watched,
    ifNone: vscode.l10n.t('No addresses are watched on this network.'),
  });
}

async function openInExplorer(deps: AddressCommandDeps, address: Address, chainId: number): Promise<void> {
  const { network } = deps.session;
  const explorerUrl = network.chainId === chainId ? network.explorerUrl : explorerOfChain(deps, chainId);
  const page = explorerLink(explorerUrl, 'address', toChecksumAddress(address));
  if (page) await vscode.env.openExternal(vscode.Uri.parse(page, true));
  else
    void showMessage('information', vscode.l10n.t('{0} has no explorer website.', chainName(deps, chainId)));
}
