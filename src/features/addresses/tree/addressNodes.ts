import type {
  Address,
  Completeness,
  Identity,
  NftCollection,
  NftHolding,
  ProviderLabel,
  TokenBalance,
} from '../../../core/index.ts';
import type { LoadState } from '../../../host/loading.ts';
import type { AddressFile, Occurrence, WorkspaceAddresses } from '../../../host/places/workspaceAddresses.ts';
import type { FileLocation } from '../../../host/rowArguments.ts';
import type { HoldingsResult, LoadedHoldings, NativeBalanceRead } from '../balances/balanceReader.ts';
import type { WatchedTokenBalance } from '../balances/watchedTokens.ts';
import type { IdentityFact } from '../identityFacts.ts';

export type AddressGroup = 'watched' | 'recent' | 'workspace';

export interface AddressGroupNode {
  readonly kind: 'group';
  readonly group: AddressGroup;
}

export interface AddressNode {
  readonly kind: 'address';
  readonly group: AddressGroup;
  readonly account: Address;
  /** Where it stands, for those found in the workspace. */
  readonly occurrence?: Occurrence;
  readonly placed?: {
    readonly file: FileNode;
    /** What stands beside it. */
    readonly name: string | undefined;
    /** All of its places, those in the file first. */
    readonly places: readonly FileLocation[];
  };
}

/** A file of the workspace with addresses in it. */
export interface FileNode {
  readonly kind: 'file';
  readonly parent: AddressGroupNode;
  readonly found: AddressFile;
  readonly all: WorkspaceAddresses;
}

/** One of several places of an address. */
export interface PlaceNode extends RepeatableNode {
  readonly kind: 'place';
  readonly parent: AddressNode;
  readonly occurrence: FileLocation;
}

/** One thing that is known of the contract at an address. */
export interface FactNode {
  readonly kind: 'fact';
  readonly parent: AddressNode;
  readonly fact: IdentityFact;
  /** What it is of. */
  readonly identity: Identity;
}

/** The native balance of `parent`; `figure` is drawn by its state. */
export interface NativeNode {
  readonly kind: 'native';
  readonly parent: AddressNode;
  readonly figure: LoadState<NativeBalanceRead>;
  /** The exact number, for *Copy Value*. */
  readonly copyText: string | undefined;
}

/** A watched token, read from its contract. */
export interface WatchedTokenNode {
  readonly kind: 'watchedToken';
  readonly parent: AddressNode;
  readonly contract: Address;
  /** Who holds it. */
  readonly account: Address;
  readonly figure: LoadState<WatchedTokenBalance>;
  /** By how many smallest units the amount has changed a moment ago. */
  readonly change?: bigint | undefined;
  /** The exact number, for *Copy Value*: in smallest units where the decimals of the token are not known. */
  readonly copyText: string | undefined;
  /** In smallest units, for *Copy Raw Amount*. */
  readonly rawAmount: string | undefined;
}

/** What the holdings of `parent` are worth together. */
export interface TotalNode {
  readonly kind: 'total';
  readonly parent: AddressNode;
  readonly source: LoadedHoldings;
}

/** Holdings that are folded away under a row with their count. */
export type Fold = 'dust' | 'spam' | 'collections' | 'spamCollections';

export interface FoldNode {
  readonly kind: 'fold';
  readonly fold: Fold;
  readonly parent: AddressNode;
  readonly source: LoadedHoldings;
}

/** A row that the data API may list twice: `nth` counts from 0 among those of one contract or token id. */
interface RepeatableNode {
  readonly nth: number;
}

/** One token that an address holds. */
export interface TokenNode extends RepeatableNode {
  readonly kind: 'token';
  readonly parent: AddressNode | FoldNode;
  readonly contract: Address;
  /** Who holds it. */
  readonly account: Address;
  readonly token: TokenBalance;
  readonly source: LoadedHoldings;
  /** The exact number, for *Copy Value*: in smallest units where the decimals of the token are not known. */
  readonly copyText: string | undefined;
  /** In smallest units, for *Copy Raw Amount*. */
  readonly rawAmount: string | undefined;
}

/** NFTs of one contract. */
export interface CollectionNode extends RepeatableNode {
  readonly kind: 'collection';
  readonly parent: AddressNode | FoldNode;
  readonly contract: Address;
  /** Who holds it. */
  readonly account: Address;
  readonly collection: NftCollection;
  readonly standard: NftCollection['standard'];
  readonly source: LoadedHoldings;
}

/** One token id. */
export interface NftNode extends RepeatableNode {
  readonly kind: 'nft';
  readonly parent: CollectionNode;
  readonly contract: Address;
  /** Who holds it. */
  readonly account: Address;
  readonly nft: NftHolding;
  readonly standard: NftCollection['standard'];
  /** The token id, for *Copy Value*. */
  readonly copyText: string;
  readonly tokenId: string;
}

/** A row whose holdings are shown some at a time. */
export type PagedNode = AddressNode | FoldNode | CollectionNode | FileNode | AddressGroupNode;

/** Stands for the holdings of `parent` that are not shown yet. */
export interface MoreHoldingsNode {
  readonly kind: 'more';
  readonly parent: PagedNode;
  readonly remaining: number;
}

/** What stands in place of tokens, or beside them. */
export type TextNote =
  | { readonly note: 'tokensLoading' | 'noTokens' | 'moreAddresses' | 'moreFiles' | 'noAddress' }
  | { readonly note: Exclude<HoldingsResult['state'], 'ready'> }
  | { readonly note: 'tokensSkipped'; readonly count: number }
  /** The list is not, or may not be, all that is held. */
  | { readonly note: 'mayLack'; readonly completeness: Completeness }
  /** The values below are in `is`, asked for before `wanted` was chosen. */
  | { readonly note: 'otherCurrency'; readonly is: string; readonly wanted: string }
  | { readonly note: 'nftsNotListed'; readonly source: ProviderLabel }
  | { readonly note: 'noEthCall' | 'noNetwork' };
export type ErrorNote =
  /** `kept`: tokens of an earlier answer, which stand below. */
  | { readonly note: 'tokensFailed'; readonly error: unknown; readonly kept: LoadedHoldings | undefined }
  | { readonly note: 'nftsFailed'; readonly error: unknown };
export type Note = TextNote | ErrorNote;

export interface AddressNoteNode {
  readonly kind: 'note';
  readonly parent: AddressNode | AddressGroupNode | CollectionNode;
  readonly content: Note;
}

export type AddressTreeNode =
  | AddressGroupNode
  | AddressNode
  | FileNode
  | PlaceNode
  | FactNode
  | NativeNode
  | WatchedTokenNode
  | TotalNode
  | FoldNode
  | TokenNode
  | CollectionNode
  | NftNode
  | MoreHoldingsNode
  | AddressNoteNode;

export const groups = {
  watched: { kind: 'group', group: 'watched' },
  recent: { kind: 'group', group: 'recent' },
  workspace: { kind: 'group', group: 'workspace' },
} as const satisfies Record<string, AddressGroupNode>;

/** One object for each row of an address: the editor knows a row to draw again by its identity. */
export class AddressRows {
  readonly #rows = new Map<string, AddressNode>();
  readonly #inFiles = new Map<Address, Map<string, AddressNode>>();

  /** The row that stands for `node`, which takes the place of one that stood elsewhere. */
  get(node: AddressNode): AddressNode {
    const id = getAddressNodeId(node);
    const known = this.#rows.get(id);
    if (known && getPlacesKey(known) === getPlacesKey(node)) return known;
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
      ({ group }) => this.#rows.get(getAddressNodeId({ kind: 'address', group, account })) ?? [],
    );
    return [...inGroups, ...(this.#inFiles.get(account)?.values() ?? [])];
  }
}

/** What a row says of where its address stands. */
function getPlacesKey({ occurrence, placed }: AddressNode): string {
  const all = [...(occurrence ? [occurrence] : []), ...(placed?.places ?? [])];
  return [placed?.name, ...all.map(({ uri, line }) => `${uri}:${line}`)].join(' ');
}

/** An id that stays the same for what is the same row, so that the view keeps selection and expansion. */
export function getAddressNodeId(node: AddressTreeNode): string {
  switch (node.kind) {
    case 'group':
      return node.group;
    case 'address':
      return `${node.placed ? getAddressNodeId(node.placed.file) : node.group}/${node.account}`;
    case 'file':
      return `${getAddressNodeId(node.parent)}/${node.found.uri}`;
    case 'place':
      return `${getAddressNodeId(node.parent)}/place${nthMark(node)}`;
    case 'native':
    case 'total':
    case 'more':
      return `${getAddressNodeId(node.parent)}/${node.kind}`;
    case 'fact':
      return `${getAddressNodeId(node.parent)}/fact/${node.fact.id}`;
    case 'fold':
      return `${getAddressNodeId(node.parent)}/${node.fold}`;
    case 'watchedToken':
      return `${getAddressNodeId(node.parent)}/watched/${node.contract}`;
    case 'token':
    case 'collection':
      return `${getAddressNodeId(node.parent)}/${node.contract}${nthMark(node)}`;
    case 'nft':
      return `${getAddressNodeId(node.parent)}/${node.tokenId}${nthMark(node)}`;
    case 'note':
      return `${getAddressNodeId(node.parent)}/note/${node.content.note}`;
  }
}

/** The address row that `node` is or stands under; undefined outside of any. */
export function findAddressNode(node: AddressTreeNode): AddressNode | undefined {
  if (node.kind === 'address' || node.kind === 'group') return node.kind === 'address' ? node : undefined;
  return findAddressNode(node.parent);
}

function nthMark({ nth }: RepeatableNode): string {
  return nth === 0 ? '' : `~${nth}`;
}
