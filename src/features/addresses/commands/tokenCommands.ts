import * as vscode from 'vscode';
import { type Address, formatShortAddress, toChecksumAddress } from '../../../core/index.ts';
import { registerCommand } from '../../../host/commands/commands.ts';
import { readContract } from '../../../host/commands/rowArguments.ts';
import { askForAddress } from '../../../host/names/askForAddress.ts';
import { askOnNetwork, type ChainDeps } from '../../../host/session/chains.ts';
import { showBriefly, showMessage } from '../../../host/surface/messages.ts';
import { showError } from '../../../host/words/showError.ts';
import { type AddressBook, MOST_TOKENS } from '../book/addressBook.ts';
import { refreshHover } from '../hover/refreshHover.ts';
import type { ActiveNames } from '../names/activeNames.ts';
import { pickAddress } from './pickAddress.ts';

interface TokenCommandDeps extends ChainDeps {
  readonly book: AddressBook;
  readonly active: ActiveNames;
  readonly log: vscode.LogOutputChannel;
}

/** The commands that watch a token by its contract, and no longer. */
export function registerTokenCommands(deps: TokenCommandDeps): vscode.Disposable {
  const { session, book, active, log } = deps;
  const reported =
    (act: (argument: unknown) => Promise<void>) => async (argument: unknown, hovered: unknown) => {
      try {
        await act(argument);
        await refreshHover(hovered);
      } catch (error) {
        await showError(error, { service: 'endpoint', network: session.network, log });
      }
    };
  return vscode.Disposable.from(
    registerCommand(
      'chainside.watchToken',
      reported(async (argument) => {
        const contract = readContract(argument) ?? (await askOnNetwork(deps, () => askForToken(deps)));
        if (contract) await watchToken(deps, contract);
      }),
    ),
    registerCommand(
      'chainside.unwatchToken',
      reported(async (argument) => {
        const contract = readContract(argument) ?? (await askOnNetwork(deps, () => pickToken(book, active)));
        if (contract) await book.unwatchToken(contract);
      }),
    ),
  );
}

/** A token by its address, or by the name that its contract has. */
async function askForToken({ active, book }: TokenCommandDeps): Promise<Address | undefined> {
  await Promise.all([active.ready(), book.ready]);
  const { names, chainId } = active;
  return askForAddress(vscode.l10n.t('Watch Token'), tokenPrompt(), { names, chainId, without: book.tokens });
}

function tokenPrompt(): string {
  return vscode.l10n.t('ERC-20 contract whose balance is shown for every address');
}

/** Watches what answers as a token does, after asking it. */
async function watchToken({ session, book }: TokenCommandDeps, contract: Address): Promise<void> {
  const { client, network, signal } = session.connection;
  const name = toChecksumAddress(contract);
  const balance = await client.erc20Balance(contract, contract, { signal });
  switch (balance.state) {
    case 'notOffered':
      void showMessage(
        'warning',
        vscode.l10n.t(
          'The endpoint of {0} does not support eth_call, which is needed to read a token.',
          network.name,
        ),
      );
      return;
    case 'notAToken':
      void showMessage('warning', vscode.l10n.t('{0} is not an ERC-20 token on {1}.', name, network.name));
      return;
    case 'known':
      if (await book.watchToken(contract)) {
        const symbol = balance.symbol ?? formatShortAddress(name);
        showBriefly(vscode.l10n.t('Watching {0}', symbol), 3000);
        return;
      }
      void showMessage('warning', vscode.l10n.t('At most {0} tokens can be watched.', MOST_TOKENS));
  }
}

function pickToken(book: AddressBook, active: ActiveNames): Promise<Address | undefined> {
  return pickAddress(book, {
    active,
    title: vscode.l10n.t('Stop Watching Token'),
    placeHolder: vscode.l10n.t('Choose a token'),
    choices: ({ tokens }) => tokens,
    ifNone: vscode.l10n.t('No tokens are watched on this network.'),
  });
}
