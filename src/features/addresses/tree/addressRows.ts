import type { Address } from '../../../core/index.ts';
import type { Occurrence } from '../../../host/places/workspaceAddresses.ts';
import type { AddressNode, GroupNode } from './addressNodes.ts';
import { nodeId } from './nodeId.ts';

export const groups = {
  watched: { kind: 'group', group: 'watched' },
  recent: { kind: 'group', group: 'recent' },
  workspace: { kind: 'group', group: 'workspace' },
} as const satisfies Record<string, GroupNode>;

/** One object for each row of an address: the editor knows a row to draw again by its identity. */
export class AddressRows {
  readonly #rows = new Map<string, AddressNode>();

  /** The row that stands for `node`, which takes the place of one with another occurrence. */
  get(node: AddressNode): AddressNode {
    const id = nodeId(node);
    const known = this.#rows.get(id);
    if (known && isSamePlace(known.occurrence, node.occurrence)) return known;
    this.#rows.set(id, node);
    return node;
  }

  /** The rows of an address that there are, of all groups. */
  of(account: Address): readonly AddressNode[] {
    return Object.values(groups).flatMap(
      ({ group }) => this.#rows.get(nodeId({ kind: 'address', group, account })) ?? [],
    );
  }
}

function isSamePlace(one: Occurrence | undefined, other: Occurrence | undefined): boolean {
  return one?.line === other?.line && one?.uri.toString() === other?.uri.toString();
}
