import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type Address, shortAddress, toChecksumAddress } from '../../../core/index.ts';
import { askForAddress } from '../../../host/commands/askForAddress.ts';
import { registerCommand } from '../../../host/commands/commands.ts';
import type { Session } from '../../../host/session/session.ts';
import { pickOne } from '../../../host/surface/questions.ts';
import { showError } from '../../../host/words/showError.ts';
import type { BalanceStore } from '../balances/balanceStore.ts';
import type { AddressBook } from '../book/addressBook.ts';
import { type AddressNode, addressRowOf, type TreeNode } from '../tree/addressNodes.ts';
import type { AddressTree } from '../tree/addressTree.ts';
import { anyAddressPrompt, readHolderArgument } from './addressArgument.ts';
import { pickHolding } from './searchTokens.ts';

export interface RevealDeps {
  readonly session: Session;
  readonly book: AddressBook;
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
  { tree, view, book }: RevealDeps,
  argument: unknown,
): Promise<AddressNode | undefined> {
  const given = readHolderArgument(argument);
  const selected = view.selection[0] && addressRowOf(view.selection[0]);
  if (selected && (given === undefined || given === selected.address)) return selected;
  const address = given ?? (await pickKnown(book));
  return address && tree.nodeOf(address);
}

async function searchTokens(deps: RevealDeps, owner: AddressNode): Promise<void> {
  const { balances, tree, view, book, show } = deps;
  const { address } = owner;
  if (!balances.holdingsAtHand(address)) await show(address);
  const holdings = balances.holdingsAtHand(address);
  // Otherwise the view, which shows the address by now, tells why there is nothing to search.
  if (!holdings) return;
  const name = book.label(address) ?? shortAddress(toChecksumAddress(address));
  const picked = await pickHolding(owner, holdings, vscode.l10n.t('Search Tokens of {0}', name));
  if (picked) await view.reveal(tree.placeHolding(picked), { select: true, focus: true });
}

async function pickKnown(book: AddressBook): Promise<Address | undefined> {
  await book.ready;
  const known = [...book.watched, ...book.recent];
  const title = vscode.l10n.t('Search Tokens');
  if (known.length === 0) return askForAddress(title, anyAddressPrompt());
  const items = known.map((address) => ({
    label: book.label(address) ?? shortAddress(toChecksumAddress(address)),
    description: toChecksumAddress(address),
    address,
  }));
  const placeHolder = vscode.l10n.t('Choose an address');
  const picked = await pickOne(items, { title, placeHolder, matchOnDescription: true });
  return picked?.address;
}
