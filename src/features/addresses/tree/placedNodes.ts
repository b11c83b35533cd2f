import type { PlacedAddress, WorkspaceAddresses } from '../../../host/places/workspaceAddresses.ts';
import type { AddressNode, FileNode, GroupNode, PlaceNode, TreeNode } from './addressNodes.ts';
import type { AddressRows } from './addressRows.ts';
import { withMore } from './heldNodes.ts';

/** Of one address; a person goes through no more. */
const MOST_PLACES = 50;

/** The files with addresses, by their paths: `shown` of them, and a row for those behind. */
export function fileRows(parent: GroupNode, all: WorkspaceAddresses, shown: number): readonly TreeNode[] {
  const sorted = all.files.toSorted((a, b) => (a.uri.path < b.uri.path ? -1 : 1));
  const rows = sorted.slice(0, shown).map((found): FileNode => ({ kind: 'file', parent, found, all }));
  return withMore(parent, rows, sorted.length);
}

/** The addresses of a file, in their order: `shown` of them, and a row for those behind. */
export function rowsOfFile(parent: FileNode, rows: AddressRows, shown: number): readonly TreeNode[] {
  const { addresses } = parent.found;
  const nodes = addresses.slice(0, shown).map((placed) => rows.get(placedNode(parent, placed)));
  return withMore(parent, nodes, addresses.length);
}

function placedNode(file: FileNode, { address, line, name }: PlacedAddress): AddressNode {
  const { uri } = file.found;
  const own = uri.toString();
  const everywhere = file.all.placesOf(address);
  const places = [
    ...everywhere.filter((place) => place.uri.toString() === own),
    ...everywhere.filter((place) => place.uri.toString() !== own),
  ];
  return {
    ...{ kind: 'address', group: 'workspace', account: address },
    occurrence: { address, uri, line },
    placed: { file, name, places },
  };
}

/** Every place of an address, those in the file of its row first; none where there is but one. */
export function placeRows(parent: AddressNode): readonly PlaceNode[] {
  const { places = [] } = parent.placed ?? {};
  if (places.length < 2) return [];
  return places.slice(0, MOST_PLACES).map((occurrence, nth) => ({ kind: 'place', parent, occurrence, nth }));
}
