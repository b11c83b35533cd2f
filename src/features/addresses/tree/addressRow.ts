import * as vscode from 'vscode';
import {
  type Address,
  formatShortAddress,
  type Identity,
  type Network,
  providers,
  toChecksumAddress,
} from '../../../core/index.ts';
import { idle } from '../../../host/loading/loadState.ts';
import type { AddressNames } from '../../../host/names/addressNames.ts';
import { elsewhereWords } from '../../../host/names/elsewhere.ts';
import { nameDetail } from '../../../host/names/nameWords.ts';
import type { ChainDeps } from '../../../host/session/chains.ts';
import type { TreeRow } from '../../../host/surface/tree.ts';
import { describeError } from '../../../host/words/describeError.ts';
import { row, tokensOf } from '../../../host/words/treeRow.ts';
import type { BalanceStore } from '../balances/balanceStore.ts';
import type { AddressBook } from '../book/addressBook.ts';
import type { Identities } from '../identity/identities.ts';
import { shortIdentity } from '../identity/identityFacts.ts';
import { unknownIdentityWords } from '../identity/identitySources.ts';
import type { AddressNode } from './addressNodes.ts';
import { balanceLook, type ShownBalance } from './balanceLook.ts';
import type { FigureContext } from './figureContext.ts';
import { placedParts } from './placedItems.ts';

const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

export interface AddressRowContext extends ChainDeps, FigureContext {
  readonly book: AddressBook;
  readonly balances: BalanceStore;
  readonly identities: Identities;
  readonly names: AddressNames;
  /** Whether a row is unfolded where it first comes into the view. */
  startsUnfolded(row: AddressNode): boolean;
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
  const identity = isChosen ? context.identities.of(account) : undefined;
  const kind = kindOf(account, context, identity);
  const placed = placedParts(node);
  const short = formatShortAddress(checksummed);
  const label = name?.name ?? node.placed?.name ?? short;
  const around = [label === short ? undefined : short, away].filter((part) => part !== undefined);
  // That a contract holds nothing is no news; what it is, is.
  const what = identity && shortIdentity(identity);
  const isEmpty = identity?.kind === 'contract' && isPlainZero(balance);
  const withAround = (words: string) => {
    const figure = words === '' || isEmpty ? [] : [words];
    return [...placed.words, ...(what === undefined ? [] : [what]), ...figure, ...around];
  };
  return {
    ...row(label, kind.icon, {
      description: withAround(look.words).join(' · '),
      tooltip: () => {
        context.onTooltip(node);
        return [
          name && `${name.name} (${nameDetail(name)})`,
          checksummed,
          name?.source === 'deployment' && what === undefined ? undefined : kind.words,
          away,
          identity && unknownIdentityWords(identity),
          identity ? undefined : notLookedAt(context.identities.problemOf(account), network),
          ...look.tooltip(),
          ...placed.tooltip,
        ];
      },
    }),
    iconPath: look.icon(kind.icon),
    spoken: [label, kind.words === what ? undefined : kind.words, ...withAround(look.spoken)]
      .filter((part) => part !== undefined)
      .join(', '),
    tokens: tokensOf({
      address: true,
      watched,
      unwatched: !watched,
      explorer: network.explorerUrl !== undefined,
      placed: node.occurrence !== undefined,
      tokens: balances.holdingsAtHand(account) !== undefined,
      history: providers.some((kind) => kind.offers.history && kind.urlFor(network)),
      elsewhere: away !== undefined,
    }),
    ...(placed.command && { command: placed.command }),
    collapsibleState: context.startsUnfolded(node) ? Expanded : Collapsed,
  };
}

/** Why it is not known what is there. */
function notLookedAt(problem: unknown, network: Network): string | undefined {
  if (problem === undefined) return undefined;
  const { message } = describeError(problem, { service: 'endpoint', network });
  return vscode.l10n.t('Account or contract? Not read: {0}', message);
}

/** Known to be nothing, and not just now. */
function isPlainZero({ figure, change }: ShownBalance): boolean {
  if (figure.state !== 'loaded' || change !== undefined) return false;
  const { balance } = figure.value;
  return balance.state === 'known' && balance.wei === 0n;
}

/** What is at an address, as far as that is known without asking: an icon, and words where they say more than it. */
function kindOf(
  account: Address,
  { book, names, session }: AddressRowContext,
  identity: Identity | undefined,
): { readonly icon: string; readonly words?: string } {
  if (book.tokens.includes(account)) return { icon: 'circle-large', words: vscode.l10n.t('watched token') };
  const words = identity && shortIdentity(identity);
  if (words !== undefined) return { icon: identity?.kind === 'contract' ? 'symbol-class' : 'account', words };
  if (identity?.kind === 'account') return { icon: 'account' };
  const isDeployed = names
    .namesOf(account, session.network.chainId)
    .some(({ source }) => source === 'deployment');
  return isDeployed ? { icon: 'symbol-class', words: vscode.l10n.t('contract') } : { icon: 'account' };
}
