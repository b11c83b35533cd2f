import { formatUnits } from '../../../core/index.ts';
import { type LoadState, valueAtHand } from '../../../host/loading/loadState.ts';
import type { NativeFigure } from '../balances/balanceReader.ts';
import type { WatchedToken } from '../balances/watchedTokens.ts';
import type { AddressNode, NativeNode, TreeNode, WatchedTokenNode } from './addressNodes.ts';

/** The exact native balance beside what is shown of it. */
export function nativeNode(
  parent: AddressNode,
  figure: LoadState<NativeFigure>,
  decimals: number,
): NativeNode {
  const balance = valueAtHand(figure)?.balance;
  const copyText = balance?.state === 'known' ? formatUnits(balance.wei, decimals) : undefined;
  return { kind: 'native', parent, figure, copyText };
}

/** A watched token with its figure, exact where the contract gives the amount. */
function watchedTokenNode(parent: AddressNode, { contract, figure, change }: WatchedToken): WatchedTokenNode {
  const balance = valueAtHand(figure)?.balance;
  const known = balance?.state === 'known' ? balance : undefined;
  return {
    ...{ kind: 'watchedToken', parent, contract, account: parent.account, figure, change },
    copyText:
      known &&
      (known.decimals === undefined ? known.amount.toString() : formatUnits(known.amount, known.decimals)),
    rawAmount: known?.amount.toString(),
  };
}

/** The rows of watched tokens under an address, or a word that the endpoint does not let them be read. */
export function watchedChildren(parent: AddressNode, watched: readonly WatchedToken[]): readonly TreeNode[] {
  if (watched.some(({ figure }) => valueAtHand(figure)?.balance.state === 'notOffered')) {
    return [{ kind: 'note', parent, content: { note: 'noEthCall' } }];
  }
  return watched.map((token) => watchedTokenNode(parent, token));
}
