import type {
  Address,
  Completeness,
  Identity,
  NftCollection,
  NftHolding,
  ProviderLabel,
  TokenBalance,
} from '../../../core/index.ts';
import type { Place } from '../../../host/commands/rowArguments.ts';
import type { LoadState } from '../../../host/loading/loadState.ts';
import type {
  FileOfAddresses,
  Occurrence,
  WorkspaceAddresses,
} from '../../../host/places/workspaceAddresses.ts';
import type { HoldingsFigure, NativeFigure, ReadyHoldings } from '../balances/balanceReader.ts';
import type { WatchedTokenFigure } from '../balances/watchedTokens.ts';
import type { IdentityFact } from '../identity/identityFacts.ts';

export type AddressGroup = 'watched' | 'recent' | 'workspace';

export interface GroupNode {
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
    readonly places: readonly Place[];
  };
}

/** A file of the workspace with addresses in it. */
export interface FileNode {
  readonly kind: 'file';
  readonly parent: GroupNode;
  readonly found: FileOfAddresses;
  readonly all: WorkspaceAddresses;
}

/** One of several places of an address. */
export interface PlaceNode extends Repeatable {
  readonly kind: 'place';
  readonly parent: AddressNode;
  readonly occurrence: Place;
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
  readonly figure: LoadState<NativeFigure>;
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
  readonly figure: LoadState<WatchedTokenFigure>;
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
  readonly source: ReadyHoldings;
}

/** Holdings that are folded away under a row with their count. */
export type Fold = 'dust' | 'spam' | 'collections' | 'spamCollections';

export interface FoldNode {
  readonly kind: 'fold';
  readonly fold: Fold;
  readonly parent: AddressNode;
  readonly source: ReadyHoldings;
}

/** A row that the data API may list twice: `nth` counts from 0 among those of one contract or token id. */
export interface Repeatable {
  readonly nth: number;
}

/** One token that an address holds. */
export interface TokenNode extends Repeatable {
  readonly kind: 'token';
  readonly parent: AddressNode | FoldNode;
  readonly contract: Address;
  /** Who holds it. */
  readonly account: Address;
  readonly token: TokenBalance;
  readonly source: ReadyHoldings;
  /** The exact number, for *Copy Value*: in smallest units where the decimals of the token are not known. */
  readonly copyText: string | undefined;
  /** In smallest units, for *Copy Raw Amount*. */
  readonly rawAmount: string | undefined;
}

/** NFTs of one contract. */
export interface CollectionNode extends Repeatable {
  readonly kind: 'collection';
  readonly parent: AddressNode | FoldNode;
  readonly contract: Address;
  /** Who holds it. */
  readonly account: Address;
  readonly collection: NftCollection;
  readonly standard: NftCollection['standard'];
  readonly source: ReadyHoldings;
}

/** One token id. */
export interface NftNode extends Repeatable {
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
export type PagedNode = AddressNode | FoldNode | CollectionNode | FileNode | GroupNode;

/** Stands for the holdings of `parent` that are not shown yet. */
export interface MoreNode {
  readonly kind: 'more';
  readonly parent: PagedNode;
  readonly remaining: number;
}

/** What stands in place of tokens, or beside them. */
export type WordsNote =
  | { readonly note: 'tokensLoading' | 'noTokens' | 'moreAddresses' | 'moreFiles' | 'noAddress' }
  | { readonly note: Exclude<HoldingsFigure['state'], 'ready'> }
  | { readonly note: 'tokensSkipped'; readonly count: number }
  /** The list is not, or may not be, all that is held. */
  | { readonly note: 'mayLack'; readonly completeness: Completeness }
  /** The values below are in `is`, asked for before `wanted` was chosen. */
  | { readonly note: 'otherCurrency'; readonly is: string; readonly wanted: string }
  | { readonly note: 'nftsNotListed'; readonly source: ProviderLabel }
  | { readonly note: 'noEthCall' | 'noNetwork' };
export type FailureNote =
  /** `kept`: tokens of an earlier answer, which stand below. */
  | { readonly note: 'tokensFailed'; readonly error: unknown; readonly kept: ReadyHoldings | undefined }
  | { readonly note: 'nftsFailed'; readonly error: unknown };
export type Note = WordsNote | FailureNote;

export interface NoteNode {
  readonly kind: 'note';
  readonly parent: AddressNode | GroupNode | CollectionNode;
  readonly content: Note;
}

export type TreeNode =
  | GroupNode
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
  | MoreNode
  | NoteNode;
