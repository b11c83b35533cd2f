import type {
  AbiFunction,
  Address,
  Completeness,
  Identity,
  NftCollection,
  NftHolding,
  ProviderLabel,
  TokenBalance,
} from '../../../core/index.ts';
import type { LoadState } from '../../../host/loading.ts';
import type { Occurrence } from '../../../host/places/workspaceAddresses.ts';
import type { FileLocation } from '../../../host/rowArguments.ts';
import type { HoldingsResult, LoadedHoldings, NativeBalanceRead } from '../balances/balanceReader.ts';
import type { WatchedTokenBalance } from '../balances/watchedTokens.ts';
import type { IdentityFact } from '../identityFacts.ts';
import type { WatchedValue } from '../values/watchedValues.ts';
import type { WatchedView } from '../values/watchedViews.ts';

export type AddressGroup = 'watched' | 'recent' | 'workspace';

export interface AddressGroupNode {
  readonly kind: 'group';
  readonly group: AddressGroup;
}

/** The group of watched values. */
export interface ValueGroupNode {
  readonly kind: 'group';
  readonly group: 'values';
}

export interface AddressNode {
  readonly kind: 'address';
  readonly group: AddressGroup;
  readonly account: Address;
  /** For addresses of the workspace. */
  readonly occurrence?: Occurrence;
  /** All of its places. */
  readonly places?: readonly FileLocation[];
}

export interface PlaceNode extends RepeatableNode {
  readonly kind: 'place';
  readonly parent: AddressNode;
  readonly occurrence: FileLocation;
}

/** A row of `listIdentityFacts`. */
export interface FactNode {
  readonly kind: 'fact';
  readonly parent: AddressNode;
  readonly fact: IdentityFact;
  readonly identity: Identity;
}

export interface NativeNode {
  readonly kind: 'native';
  readonly parent: AddressNode;
  readonly figure: LoadState<NativeBalanceRead>;
  /** For *Copy Value*: exact. */
  readonly copyText: string | undefined;
}

export interface WatchedTokenNode {
  readonly kind: 'watchedToken';
  readonly parent: AddressNode;
  readonly contract: Address;
  readonly account: Address;
  /** False for a token of the project that the user does not watch. */
  readonly isWatched: boolean;
  readonly figure: LoadState<WatchedTokenBalance>;
  /** In smallest units, if the amount changed a moment ago. */
  readonly change?: bigint | undefined;
  /** For *Copy Value*: exact, in smallest units if the decimals are unknown. */
  readonly copyText: string | undefined;
  /** For *Copy Raw Amount*: in smallest units. */
  readonly rawAmount: string | undefined;
}

export interface TotalNode {
  readonly kind: 'total';
  readonly parent: AddressNode;
  readonly loaded: LoadedHoldings;
}

export interface ValueNode {
  readonly kind: 'value';
  readonly view: WatchedView;
  readonly contract: Address;
  /** Undefined if it is malformed. */
  readonly item: AbiFunction | undefined;
  readonly figure: LoadState<WatchedValue>;
  /** Of an integer that changed a moment ago. */
  readonly change: bigint | undefined;
  /** For *Copy Value*: exact, an amount in units of its token. */
  readonly copyText: string | undefined;
  /** For *Copy Raw Amount*: an amount in smallest units. */
  readonly rawAmount: string | undefined;
}

/** Holdings under a collapsed row that shows their number. */
export type Fold = 'dust' | 'spam' | 'collections' | 'spamCollections';

export interface FoldNode {
  readonly kind: 'fold';
  readonly fold: Fold;
  readonly parent: AddressNode;
  readonly loaded: LoadedHoldings;
}

/** A row that the data API may list twice: `nth` counts from 0 among those of one contract or token ID. */
interface RepeatableNode {
  readonly nth: number;
}

export interface TokenNode extends RepeatableNode {
  readonly kind: 'token';
  readonly parent: AddressNode | FoldNode;
  readonly contract: Address;
  readonly account: Address;
  readonly token: TokenBalance;
  readonly loaded: LoadedHoldings;
  /** For *Copy Value*: exact, in smallest units if the decimals are unknown. */
  readonly copyText: string | undefined;
  /** For *Copy Raw Amount*: in smallest units. */
  readonly rawAmount: string | undefined;
}

export interface CollectionNode extends RepeatableNode {
  readonly kind: 'collection';
  readonly parent: AddressNode | FoldNode;
  readonly contract: Address;
  readonly account: Address;
  readonly collection: NftCollection;
  readonly standard: NftCollection['standard'];
  readonly loaded: LoadedHoldings;
}

export interface NftNode extends RepeatableNode {
  readonly kind: 'nft';
  readonly parent: CollectionNode;
  readonly contract: Address;
  readonly account: Address;
  readonly nft: NftHolding;
  readonly standard: NftCollection['standard'];
  /** For *Copy Value*: the token ID. */
  readonly copyText: string;
  readonly tokenId: string;
}

/** A row that shows its children page by page. */
export type PagedNode = AddressNode | FoldNode | CollectionNode | AddressGroupNode;

/** Shows the next page of `parent` when clicked. */
export interface MoreHoldingsNode {
  readonly kind: 'more';
  readonly parent: PagedNode;
  readonly remaining: number;
}

/** A row in place of holdings, or beside them. */
export type TextNote =
  | { readonly note: 'tokensLoading' | 'noTokens' | 'moreAddresses' | 'moreFiles' | 'noAddress' }
  | { readonly note: Exclude<HoldingsResult['state'], 'ready'> }
  | { readonly note: 'tokensSkipped'; readonly count: number }
  /** The list is incomplete, or may be. */
  | { readonly note: 'mayLack'; readonly completeness: Completeness }
  /** The values below are in `is`: they were requested before `wanted` was chosen. */
  | { readonly note: 'otherCurrency'; readonly is: string; readonly wanted: string }
  | { readonly note: 'nftsNotListed'; readonly source: ProviderLabel }
  | { readonly note: 'noEthCall' | 'noNetwork' };
export type ErrorNote =
  /** `kept`: holdings of an earlier response, which are shown below. */
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
  | ValueGroupNode
  | ValueNode
  | AddressNode
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

export const valueGroup: ValueGroupNode = { kind: 'group', group: 'values' };

/** One object for each row of an address: VS Code identifies a row to redraw by its object. */
export class AddressRows {
  readonly #rows = new Map<string, AddressNode>();

  /** The node of the same row, or `node` from now on if the row's places changed. */
  get(node: AddressNode): AddressNode {
    const id = getAddressNodeId(node);
    const known = this.#rows.get(id);
    if (known && getPlacesKey(known) === getPlacesKey(node)) return known;
    this.#rows.set(id, node);
    return node;
  }

  /** The rows of an address in all groups. */
  list(account: Address): readonly AddressNode[] {
    return Object.values(groups).flatMap(
      ({ group }) => this.#rows.get(getAddressNodeId({ kind: 'address', group, account })) ?? [],
    );
  }
}

/** What a row shows of its places. */
function getPlacesKey({ occurrence, places = [] }: AddressNode): string {
  const all = [...(occurrence ? [occurrence] : []), ...places];
  return [occurrence?.name, ...all.map(({ uri, line }) => `${uri}:${line}`)].join(' ');
}

/** Stable for the same row, so that the view preserves selection and expansion. */
export function getAddressNodeId(node: AddressTreeNode): string {
  switch (node.kind) {
    case 'group':
      return node.group;
    case 'value':
      return `${valueGroup.group}/${node.view.id}`;
    case 'address':
      return `${node.group}/${node.account}`;
    case 'place':
      return `${getAddressNodeId(node.parent)}/place${formatNth(node)}`;
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
      return `${getAddressNodeId(node.parent)}/${node.contract}${formatNth(node)}`;
    case 'nft':
      return `${getAddressNodeId(node.parent)}/${node.tokenId}${formatNth(node)}`;
    case 'note':
      return `${getAddressNodeId(node.parent)}/note/${node.content.note}`;
  }
}

/** The address row that `node` is, or is under; undefined for a group, its notes and watched values. */
export function findAddressNode(node: AddressTreeNode): AddressNode | undefined {
  if (node.kind === 'address') return node;
  if (node.kind === 'group' || node.kind === 'value') return undefined;
  return findAddressNode(node.parent);
}

function formatNth({ nth }: RepeatableNode): string {
  return nth === 0 ? '' : `~${nth}`;
}
