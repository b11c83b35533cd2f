import * as vscode from 'vscode';
import { type Address, shortAddress, toChecksumAddress } from '../../../core/index.ts';
import { idle } from '../../../host/loading/loadState.ts';
import type { AddressNames } from '../../../host/names/addressNames.ts';
import { elsewhereWords } from '../../../host/names/elsewhere.ts';
import { nameDetail } from '../../../host/names/nameWords.ts';
import type { ChainDeps } from '../../../host/session/chains.ts';
import type { TreeRow } from '../../../host/surface/tree.ts';
import { row, tokensOf } from '../../../host/words/treeRow.ts';
import type { BalanceStore } from '../balances/balanceStore.ts';
import type { AddressBook } from '../book/addressBook.ts';
import type { AddressNode } from './addressNodes.ts';
import { balanceLook } from './balanceLook.ts';
import type { FigureContext } from './figureContext.ts';
import { placedParts } from './placedItems.ts';

const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

export interface AddressRowContext extends ChainDeps, FigureContext {
  readonly book: AddressBook;
  readonly balances: BalanceStore;
  readonly names: AddressNames;
  /** Whether its row unfolds where it first comes into the view. */
  startsUnfolded(account: Address): boolean;
}

/** The row of an address: its name, its balance right after it, and the address itself where the name stands for it. */
export function addressRow(node: AddressNode, context: AddressRowContext): TreeRow {
  const { book, balances, names, clock } = context;
  const { account } = node;
  const { network, isChosen } = context.session;
  const checksummed = toChecksumAddress(account);
  const name = names.nameOf(account, network.chainId);
  const away = name ? undefined : elsewhereWords(names.elsewhere(account, network.chainId), context);
  const watched = book.isWatched(account);
  const balance = {
    figure: isChosen ? balances.native(account) : idle,
    change: balances.nativeChange(account),
  };
  const look = balanceLook(balance, network, clock);
  const kind = kindOf(account, context);
  const placed = placedParts(node);
  const short = shortAddress(checksummed);
  const label = name?.name ?? node.placed?.name ?? short;
  const around = [label === short ? undefined : short, away].filter((part) => part !== undefined);
  const withAround = (words: string) => [...placed.words, ...(words === '' ? [] : [words]), ...around];
  return {
    ...row(label, kind.icon, {
      description: withAround(look.words).join(' · '),
      tooltip: () => {
        context.onTooltip(node);
        return [
          name && `${name.name} (${nameDetail(name)})`,
          checksummed,
          name?.source === 'deployment' ? undefined : kind.words,
          away,
          ...look.tooltip(),
          ...placed.tooltip,
        ];
      },
    }),
    iconPath: look.icon(kind.icon),
    spoken: [label, kind.words, ...withAround(look.spoken)].filter((part) => part !== undefined).join(', '),
    tokens: tokensOf({
      address: true,
      watched,
      unwatched: !watched,
      explorer: network.explorerUrl !== undefined,
      placed: node.occurrence !== undefined,
      tokens: balances.holdingsAtHand(account) !== undefined,
      elsewhere: away !== undefined,
    }),
    ...(placed.command && { command: placed.command }),
    collapsibleState: context.startsUnfolded(account) ? Expanded : Collapsed,
  };
}

/** What is at an address, as far as that is known without asking: an icon, and words where they say more than it. */
function kindOf(
  account: Address,
  { book, names, session }: AddressRowContext,
): { readonly icon: string; readonly words?: string } {
  if (book.tokens.includes(account)) return { icon: 'circle-large', words: vscode.l10n.t('watched token') };
  const isDeployed = names
    .namesOf(account, session.network.chainId)
    .some(({ source }) => source === 'deployment');
  return isDeployed ? { icon: 'symbol-class', words: vscode.l10n.t('contract') } : { icon: 'account' };
}
