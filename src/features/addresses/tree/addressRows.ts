import type { Address } from '../../../core/index.ts';
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
  readonly #inFiles = new Map<Address, Map<string, AddressNode>>();

  /** The row that stands for `node`, which takes the place of one that stood elsewhere. */
  get(node: AddressNode): AddressNode {
    const id = nodeId(node);
    const known = this.#rows.get(id);
    if (known && placesOf(known) === placesOf(node)) return known;
    this.#rows.set(id, node);
    if (node.placed) {
      const inFiles = this.#inFiles.get(node.account) ?? new Map<string, AddressNode>();
      this.#inFiles.set(node.account, inFiles.set(id, node));
    }
    return node;
  }

  /** The rows of an address that there are, of all groups. */
  of(account: Address): readonly AddressNode[] {
    const inGroups = Object.values(groups).flatMap(
      ({ group }) => this.#rows.get(nodeId({ kind: 'address', group, account })) ?? [],
    );
    return [...inGroups, ...(this.#inFiles.get(account)?.values() ?? [])];
  }
}

/** What a row says of where its address stands. */
function placesOf({ occurrence, placed }: AddressNode): string {
  const all = [...(occurrence ? [occurrence] : []), ...(placed?.places ?? [])];
  return [placed?.name, ...all.map(({ uri, line }) => `${uri}:${line}`)].join(' ');
}
