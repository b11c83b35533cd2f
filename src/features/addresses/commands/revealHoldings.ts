import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type Address, formatShortAddress, toChecksumAddress } from '../../../core/index.ts';
import { registerCommand } from '../../../host/commands/commands.ts';
import { readAccount } from '../../../host/commands/rowArguments.ts';
import type { Session } from '../../../host/session/session.ts';
import { showError } from '../../../host/words/showError.ts';
import type { BalanceStore } from '../balances/balanceStore.ts';
import type { AddressBook } from '../book/addressBook.ts';
import type { ActiveNames } from '../names/activeNames.ts';
import type { AddressNode, TreeNode } from '../tree/addressNodes.ts';
import type { AddressTree } from '../tree/addressTree.ts';
import { addressRowOf } from '../tree/nodeId.ts';
import { askForAnyAddress, pickAddress } from './pickAddress.ts';
import { pickHolding } from './searchTokens.ts';

interface RevealDeps {
  readonly session: Session;
  readonly book: AddressBook;
  readonly active: ActiveNames;
  readonly balances: BalanceStore;
  readonly tree: AddressTree;
  readonly view: vscode.TreeView<TreeNode>;
  readonly log: vscode.LogOutputChannel;
  /** Shows an address in the view and loads what it holds. */
  readonly show: (address: Address) => Promise<void>;
}

/** The commands that bring a holding into view: by search, and page by page. */
export function registerHoldingReveal(deps: RevealDeps): vscode.Disposable {
  const { tree, view, session, log } = deps;
  return vscode.Disposable.from(
    registerCommand('chainside.searchTokens', async (argument) => {
      try {
        const owner = await ownerOf(deps, argument);
        if (owner) await searchTokens(deps, owner);
      } catch (error) {
        await showError(error, { service: 'source', network: session.network, log });
      }
    }),
    registerCommand('chainside.showMoreHoldings', async (rowId) => {
      const parsed = z.string().safeParse(rowId);
      const next = parsed.success ? await tree.showMore(parsed.data) : undefined;
      if (next) await view.reveal(next, { select: true, focus: true });
    }),
  );
}

/** The row of a menu; else the address given, the one that the selection stands under, or one that is asked for. */
async function ownerOf(
  { tree, view, book, active }: RevealDeps,
  argument: unknown,
): Promise<AddressNode | undefined> {
  const given = readAccount(argument);
  const selected = view.selection[0] && addressRowOf(view.selection[0]);
  if (selected && (given === undefined || given === selected.account)) return selected;
  const address = given ?? (await pickKnown(book, active));
  return address && tree.nodeOf(address);
}

async function searchTokens(deps: RevealDeps, owner: AddressNode): Promise<void> {
  const { balances, tree, view, active, show } = deps;
  const { account: address } = owner;
  if (!balances.holdingsAtHand(address)) await show(address);
  const holdings = balances.holdingsAtHand(address);
  // Otherwise the view, which now shows the address, says why there is nothing to search.
  if (!holdings) return;
  const name = active.name(address) ?? formatShortAddress(toChecksumAddress(address));
  const picked = await pickHolding(owner, holdings, vscode.l10n.t('Search Tokens of {0}', name));
  if (picked) await view.reveal(tree.placeHolding(picked), { select: true, focus: true });
}

function pickKnown(book: AddressBook, active: ActiveNames): Promise<Address | undefined> {
  const title = vscode.l10n.t('Search Tokens');
  return pickAddress(book, {
    ...{ title, active },
    placeHolder: vscode.l10n.t('Choose an address'),
    choices: ({ watched, recent }) => [...watched, ...recent],
    ifNone: () => askForAnyAddress(title, { active, book }),
  });
}
