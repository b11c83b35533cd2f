import type { AddressNode, Repeatable, TreeNode } from './addressNodes.ts';

/** An id that stays the same for what is the same row, so that the view keeps selection and expansion. */
export function nodeId(node: TreeNode): string {
  switch (node.kind) {
    case 'group':
      return node.group;
    case 'address':
      return `${node.placed ? nodeId(node.placed.file) : node.group}/${node.account}`;
    case 'file':
      return `${nodeId(node.parent)}/${node.found.uri}`;
    case 'place':
      return `${nodeId(node.parent)}/place${nthMark(node)}`;
    case 'native':
    case 'total':
    case 'more':
      return `${nodeId(node.parent)}/${node.kind}`;
    case 'fact':
      return `${nodeId(node.parent)}/fact/${node.fact.id}`;
    case 'fold':
      return `${nodeId(node.parent)}/${node.fold}`;
    case 'watchedToken':
      return `${nodeId(node.parent)}/watched/${node.contract}`;
    case 'token':
    case 'collection':
      return `${nodeId(node.parent)}/${node.contract}${nthMark(node)}`;
    case 'nft':
      return `${nodeId(node.parent)}/${node.tokenId}${nthMark(node)}`;
    case 'note':
      return `${nodeId(node.parent)}/note/${node.content.note}`;
  }
}

/** The address row that `node` is or stands under; undefined outside of any. */
export function addressRowOf(node: TreeNode): AddressNode | undefined {
  if (node.kind === 'address' || node.kind === 'group') return node.kind === 'address' ? node : undefined;
  return addressRowOf(node.parent);
}

function nthMark({ nth }: Repeatable): string {
  return nth === 0 ? '' : `~${nth}`;
}
