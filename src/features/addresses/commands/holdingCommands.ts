import * as vscode from 'vscode';
import * as z from 'zod/mini';
import {
  type Address,
  createTimeSlices,
  formatShortAddress,
  knownAddresses,
  systemClock,
  toAbiWord,
  toChecksumAddress,
  transferEvents,
} from '../../../core/index.ts';
import { registerCommand, runCommand } from '../../../host/commands.ts';
import { showError } from '../../../host/errors.ts';
import { askForAddress } from '../../../host/names/addressPicker.ts';
import { formatNumber } from '../../../host/numbers.ts';
import {
  parseAccountArgument,
  parseContractArgument,
  parseRowArgument,
  type RowArgument,
} from '../../../host/rowArguments.ts';
import { askOnNetwork, type ChainDeps } from '../../../host/session/chains.ts';
import type { Session } from '../../../host/session/session.ts';
import { type PickItem, pickOne, showMessage, showStatusMessage } from '../../../host/ui/dialogs.ts';
import { revealRow } from '../../../host/ui/revealRow.ts';
import type { CommandId } from '../../../manifest.ts';
import { type ActiveNames, type AddressBook, MAX_TOKENS } from '../addressBook.ts';
import type { LoadedHoldings } from '../balances/balanceReader.ts';
import type { BalanceStore } from '../balances/balanceStore.ts';
import { formatHolding, formatHoldingValue, getCollectionName } from '../balances/formatBalance.ts';
import { refreshHover } from '../hover/hoverContent.ts';
import { type AddressNode, type AddressTreeNode, findAddressNode } from '../tree/addressNodes.ts';
import type { AddressTree } from '../tree/addressTree.ts';
import { listHoldings, type PositionedHolding } from '../tree/holdingNodes.ts';
import { askForAnyAddress, pickAddress } from './pickAddress.ts';

type HoldingRow = RowArgument & { readonly contract: Address; readonly account: Address };

/** Registers the commands on a holding: the row of the menu, or the selected one for a key binding. */
export function registerHoldingCommands(view: vscode.TreeView<AddressTreeNode>): vscode.Disposable {
  function command(id: CommandId, act: (row: HoldingRow) => unknown): vscode.Disposable {
    return registerCommand(id, (argument) => {
      const row = parseHoldingRow(argument ?? view.selection[0]);
      return row && act(row);
    });
  }

  return vscode.Disposable.from(
    registerCommand('chainside.copyRawAmount', (argument) => {
      const rawAmount = parseRowArgument(argument ?? view.selection[0])?.rawAmount;
      return rawAmount && runCommand('chainside.copyValue', rawAmount);
    }),
    command('chainside.copyContract', ({ contract }) =>
      runCommand('chainside.copyValue', toChecksumAddress(contract)),
    ),
    command('chainside.queryTransfersTo', (row) => queryTransfers(row, 'to')),
    command('chainside.queryTransfersFrom', (row) => queryTransfers(row, 'from')),
  );
}

function parseHoldingRow(argument: unknown): HoldingRow | undefined {
  const row = parseRowArgument(argument);
  const { contract, account } = row ?? {};
  return row && contract && account ? { ...row, contract, account } : undefined;
}

const { transfer, transferSingle, transferBatch } = transferEvents;
const transferOfMany = [transferSingle.topic0, transferBatch.topic0];

/**
 * ERC-20 and ERC-721 index sender and recipient first; ERC-1155 indexes the operator before them, and has IDs in the
 * data only.
 */
async function queryTransfers(row: HoldingRow, side: 'from' | 'to'): Promise<void> {
  const { contract, account, tokenId, standard } = row;
  const sides = side === 'from' ? [account, null] : [null, account];
  const filter =
    standard === 'erc1155'
      ? { topics: [transferOfMany, null, ...sides] }
      : {
          event: transfer.signature,
          topics: [null, ...sides, tokenId === undefined ? null : toAbiWord(BigInt(tokenId))],
        };
  await runCommand('chainside.queryLogs', { address: toChecksumAddress(contract), ...filter, run: true });
}

interface RevealDeps {
  readonly session: Session;
  readonly book: AddressBook;
  readonly active: ActiveNames;
  readonly balances: BalanceStore;
  readonly tree: AddressTree;
  readonly view: vscode.TreeView<AddressTreeNode>;
  readonly log: vscode.LogOutputChannel;
  readonly show: (address: Address) => Promise<void>;
}

/** Registers the commands that bring a holding into view, by search and page by page. */
export function registerRevealCommands(deps: RevealDeps): vscode.Disposable {
  const { tree, view, session, log } = deps;
  return vscode.Disposable.from(
    registerCommand('chainside.searchTokens', async (argument) => {
      try {
        const owner = await resolveOwner(deps, argument);
        if (owner) await searchTokens(deps, owner);
      } catch (error) {
        await showError(error, { service: 'source', network: session.network, log });
      }
    }),
    registerCommand('chainside.showMoreHoldings', async (rowId) => {
      const parsed = z.string().safeParse(rowId);
      const next = parsed.success ? await tree.showMore(parsed.data) : undefined;
      if (next) await revealRow(view, next, { select: true, focus: true });
    }),
  );
}

/** The row of a menu, the address passed, the one that contains the selection, or one that the user picks. */
async function resolveOwner(
  { tree, view, book, active }: RevealDeps,
  argument: unknown,
): Promise<AddressNode | undefined> {
  const passed = parseAccountArgument(argument);
  const selected = view.selection[0] && findAddressNode(view.selection[0]);
  if (selected && (passed === undefined || passed === selected.account)) return selected;
  const address = passed ?? (await pickFromBook(book, active));
  return address && tree.getNode(address);
}

async function searchTokens(deps: RevealDeps, owner: AddressNode): Promise<void> {
  const { balances, tree, view, active, show } = deps;
  const { account: address } = owner;
  if (!balances.availableHoldings(address)) await show(address);
  const holdings = balances.availableHoldings(address);
  // The view now shows the address, and why there is nothing to search.
  if (!holdings) return;
  const name = active.name(address) ?? formatShortAddress(toChecksumAddress(address));
  const picked = await pickHolding(owner, holdings, vscode.l10n.t('Search Tokens of {0}', name));
  if (picked) await revealRow(view, tree.showHolding(picked), { select: true, focus: true });
}

function pickFromBook(book: AddressBook, active: ActiveNames): Promise<Address | undefined> {
  const title = vscode.l10n.t('Search Tokens');
  return pickAddress(book, {
    title,
    active,
    placeHolder: vscode.l10n.t('Choose an address'),
    choices: ({ watched, recent }) => [...watched, ...recent],
    ifNone: () => askForAnyAddress(title, { active, book }),
  });
}

/** Lets the user search all holdings of an address, by name, ticker or contract; undefined if cancelled. */
export async function pickHolding(
  owner: AddressNode,
  loaded: LoadedHoldings,
  title: string,
): Promise<PositionedHolding | undefined> {
  const items: (PickItem & { readonly placed: PositionedHolding })[] = [];
  const slices = createTimeSlices(systemClock);
  for (const placed of listHoldings(owner, loaded)) {
    items.push({ ...toPickItem(placed, loaded), placed });
    if (slices.isOver()) await slices.rest();
  }
  const picked = await pickOne(items, {
    title,
    placeHolder:
      items.length === 1
        ? vscode.l10n.t('Search 1 holding by name, ticker or contract')
        : vscode.l10n.t('Search {0} holdings by name, ticker or contract', formatNumber(items.length)),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.placed;
}

function toPickItem({ node }: PositionedHolding, { holdings }: LoadedHoldings): PickItem {
  const detail = toChecksumAddress(node.contract);
  if (node.kind === 'collection') {
    return {
      label: getCollectionName(node.collection),
      description: [node.collection.symbol, vscode.l10n.t('NFT collection')].filter(Boolean).join(' · '),
      detail,
    };
  }
  const { token } = node;
  const value = formatHoldingValue(token, holdings.balances.quoteCurrency);
  return {
    label: formatHolding(token),
    description: [token.name === token.symbol ? undefined : token.name, value].filter(Boolean).join(' · '),
    detail,
  };
}

interface TokenCommandDeps extends ChainDeps {
  readonly book: AddressBook;
  readonly active: ActiveNames;
  readonly log: vscode.LogOutputChannel;
}

/** Registers *Watch Token* and *Stop Watching Token*. */
export function registerTokenCommands(deps: TokenCommandDeps): vscode.Disposable {
  const { session, book, active, log } = deps;
  const withErrors =
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
      withErrors(async (argument) => {
        const contract =
          parseContractArgument(argument) ?? (await askOnNetwork(deps, () => askForToken(deps)));
        if (contract) await watchToken(deps, contract);
      }),
    ),
    registerCommand(
      'chainside.unwatchToken',
      withErrors(async (argument) => {
        const contract =
          parseContractArgument(argument) ?? (await askOnNetwork(deps, () => pickToken(book, active)));
        if (contract) await book.unwatchToken(contract);
      }),
    ),
  );
}

/** By its address, or by the name of its contract. */
export async function askForToken({
  active,
  book,
}: Pick<TokenCommandDeps, 'active' | 'book'>): Promise<Address | undefined> {
  await Promise.all([active.ready(), book.ready]);
  const { names, chainId } = active;
  const without = [...book.tokens, ...knownAddresses.map(({ address }) => address)];
  return askForAddress(vscode.l10n.t('Watch Token'), tokenPrompt(), { names, chainId, without });
}

function tokenPrompt(): string {
  return vscode.l10n.t('ERC-20 contract. Chainside shows its balance for every address.');
}

/** Watches a contract that responds as a token. */
async function watchToken({ session, book }: TokenCommandDeps, contract: Address): Promise<void> {
  const { client, network, signal } = session.connection;
  const name = toChecksumAddress(contract);
  const balance = await client.fetchErc20Balance(contract, contract, { signal });
  switch (balance.state) {
    case 'notOffered':
      void showMessage(
        'warning',
        vscode.l10n.t('Cannot watch the token: the endpoint of {0} does not support eth_call.', network.name),
      );
      return;
    case 'notAToken':
      void showMessage('warning', vscode.l10n.t('{0} is not an ERC-20 token on {1}.', name, network.name));
      return;
    case 'known':
      if (await book.watchToken(contract)) {
        const symbol = balance.symbol ?? formatShortAddress(name);
        showStatusMessage(vscode.l10n.t('Watching {0}', symbol), 3000);
        return;
      }
      void showMessage(
        'warning',
        vscode.l10n.t('You can watch at most {0} tokens. Stop watching one first.', MAX_TOKENS),
      );
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
