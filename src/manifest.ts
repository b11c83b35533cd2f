import type manifest from '../package.json';
import type nlsStrings from '../package.nls.json';

/** View types by which VS Code restores panels after a reload. They are here because activation needs them. */
export const logsPanelType = 'chainside.logs';
export const nftPanelType = 'chainside.nft';
export const readsPanelType = 'chainside.reads';
export const statePanelType = 'chainside.state';

/** Schemes of documents that VS Code restores after a reload: of decoded data and of transactions. */
export const documentSchemes = ['chainside-decoded', 'chainside-transaction'] as const;

/** The argument of `chainside.queryLogs`: the initial form of the log panel. */
export interface LogQueryArguments {
  readonly address?: string | readonly string[];
  readonly event?: string;
  /** Values of the parameters that `event` marks as indexed, by name. A list matches any of its values. */
  readonly args?: Readonly<Record<string, string | readonly string[]>>;
  /** By position, as in JSON-RPC: null matches any topic, a list any of its values. `event` is topic 0. */
  readonly topics?: readonly (string | readonly string[] | null)[];
  readonly fromBlock?: string | number;
  readonly toBlock?: string | number;
  /** Which end of the range is read first; default: newest. */
  readonly order?: 'newestFirst' | 'oldestFirst';
  /** Selects a network with this chain, the active one if possible. */
  readonly chainId?: number;
  readonly run?: boolean;
  /** Reuses a panel with the same query instead of a new one. */
  readonly reuse?: boolean;
  /** Fields to group the logs by, as in query files. */
  readonly groupBy?: string | readonly string[];
  /** The parameter to sum. */
  readonly sum?: string;
}

/** A cell of a log panel's grid, in the context of its menu. */
interface LogCell {
  readonly resultId: string;
  readonly log: number;
  readonly column: string;
  readonly order?: number;
  /** If several rows are selected: each range as its first row and the row after its last. */
  readonly selected?: readonly (readonly [number, number])[];
}

/** A cell of an NFT panel's grid, in the context of its menu. */
interface TransferCell {
  readonly resultId: string;
  readonly transfer: string;
  readonly column: string;
}

/** A tree row that has a place in the workspace. */
interface PlacedRow {
  readonly occurrence: { readonly uri: unknown; readonly line: number };
}

/** A call as `eth_call` takes it. */
interface CallArguments {
  readonly to: string;
  readonly data: string;
  readonly from?: string | undefined;
  /** In wei, as a quantity of JSON-RPC. */
  readonly value?: string | undefined;
  readonly gas?: string | undefined;
}

/** A line of a workspace file, from 0; the file is a URI. */
interface LinkedPlace {
  readonly file: string;
  readonly line: number;
}

/** A deployed contract of a tree row. Commands on it use its chain. */
export interface DeploymentRow {
  readonly account: string;
  readonly chainId: number;
  readonly contractName?: string;
}

/** The contract that the code of an address is compared with. */
interface ComparedAddress {
  readonly address: string;
  readonly contract: string;
  readonly source?: string | undefined;
  readonly artifact?: string | undefined;
}

/** The argument of commands on the deployments of a contract. If there are several, the user picks one. */
export interface DeploymentChoice {
  /** Of the contract or event. */
  readonly name: string;
  /** Declaration of the event of the logs; default: all logs. */
  readonly event?: string;
  /** The file that declares the contract, as the index writes paths. */
  readonly source?: string;
  readonly deployments: readonly (DeploymentRow & {
    readonly fromBlock?: string;
    readonly file?: string;
    /** In milliseconds. */
    readonly time?: number;
  })[];
}

/** A view function to watch, with its arguments as texts, and the sender of the call, if it has one. */
interface WatchableView {
  readonly contract: string;
  readonly declaration: string;
  readonly args: readonly string[];
  readonly from?: string | undefined;
}

/** A position in an open document, from 0; the document is a URI. */
export interface TextPlace {
  readonly file: string;
  readonly line: number;
  readonly character: number;
}

/** A tree row of an NFT contract, or of one of its tokens. */
interface NftRow {
  readonly contract: string;
  readonly tokenId?: string | bigint;
}

type NlsKey = keyof typeof nlsStrings;

/** Every command. Each has its title in `package.nls.json`; a test compares both with `package.json`. */
export type CommandId = {
  [Key in NlsKey]: Key extends `command.${string}.about`
    ? never
    : Key extends `command.${infer Name}`
      ? `chainside.${Name}`
      : never;
}[NlsKey];

/** Integers of a contract of the workspace, for *Set Unit…*. */
export interface UnitTarget {
  readonly contract: string;
  /** The name of an event or a function. */
  readonly item: string;
  /** Names of parameters or results; empty for the only result. */
  readonly fields: readonly string[];
}

/** Arguments of commands that our own code runs. Commands that are not listed take none. */
interface CommandArguments {
  'chainside.selectNetwork': [id?: string];
  'chainside.addNetwork': [start?: NetworkStart];
  'chainside.editNetwork': [id?: string];
  'chainside.setEndpointSecret': [id?: string];
  'chainside.forgetEndpointSecret': [id?: string];
  'chainside.setEtherscanKey': [start?: 'offer'];
  'chainside.lookUpAddress': [address?: string | DeploymentRow];
  'chainside.watchAddress': [address?: string | DeploymentRow, hovered?: TextPlace];
  'chainside.unwatchAddress': [address?: string, hovered?: TextPlace];
  'chainside.showTokensInHovers': [choice: 'show' | 'hide', hovered?: TextPlace];
  'chainside.labelAddress': [address?: string | DeploymentRow, label?: string];
  'chainside.setUnit': [target: UnitTarget | undefined];
  'chainside.useAsDeployment': [address?: string | DeploymentRow];
  'chainside.copyAddress': [address: string];
  'chainside.copyValue': [value: string];
  'chainside.openInExplorer': [address: string | DeploymentRow];
  'chainside.goToPlace': [row: PlacedRow | LinkedPlace];
  'chainside.labelForTeam': [address?: string];
  'chainside.switchToChain': [where: number | string];
  'chainside.decode': [hex?: string | TextPlace];
  'chainside.showTransaction': [hash?: string];
  'chainside.simulateTransaction': [simulated?: { readonly hash: string; readonly at: 'own' | 'latest' }];
  'chainside.simulateCall': [call: CallArguments];
  'chainside.filterCalls': [];
  'chainside.showBlock': [block?: string];
  'chainside.queryLogs': [query?: LogQueryArguments];
  'chainside.openAsNotebook': [file?: unknown];
  'chainside.openAsText': [file?: unknown];
  'chainside.runDocumentQuestion': [place: { readonly file: string; readonly line: number }];
  'chainside.openQuery': [id?: string];
  'chainside.runQueryFile': [file?: string];
  'chainside.compareQueryFile': [file?: string];
  'chainside.updateExpectation': [file?: string];
  'chainside.queryLogsOfAddress': [address: string];
  'chainside.queryLogsOfDeployment': [choice: DeploymentChoice];
  'chainside.showDeployments': [choice: DeploymentChoice];
  'chainside.countEvents': [counted?: { readonly file: string; readonly event: string }];
  'chainside.watchToken': [contract?: string, hovered?: TextPlace];
  'chainside.unwatchToken': [contract?: string, hovered?: TextPlace];
  'chainside.searchTokens': [address?: string];
  'chainside.showTransfers': [address?: string];
  'chainside.showBalances': [address?: string];
  'chainside.showMoreHoldings': [rowId: string];
  'chainside.logs.copyCell': [cell: LogCell];
  'chainside.logs.copyLog': [cell: LogCell];
  'chainside.logs.copyAsMarkdown': [cell: LogCell];
  'chainside.logs.copyAsCsv': [cell: LogCell];
  'chainside.logs.copyRowsAs': [cell: LogCell];
  'chainside.logs.goToEvent': [cell: LogCell];
  'chainside.logs.lookUpAddress': [cell: LogCell];
  'chainside.logs.labelAddress': [cell: LogCell];
  'chainside.logs.useAsDeployment': [cell: LogCell];
  'chainside.logs.queryAddress': [cell: LogCell];
  'chainside.logs.setUnit': [cell: LogCell];
  'chainside.logs.openTransaction': [cell: LogCell];
  'chainside.logs.showTransaction': [cell: LogCell];
  'chainside.logs.openVerifiedSource': [cell: LogCell];
  'chainside.logs.openAddress': [cell: LogCell];
  'chainside.compareCode': [target?: string | DeploymentRow | DeploymentChoice | ComparedAddress];
  'chainside.buildStorageLayout': [built: Omit<ComparedAddress, 'address'>];
  'chainside.showSourceChanges': [
    compared: { readonly address: string; readonly contract: string; readonly source?: string },
  ];
  'chainside.readContract': [
    contract?: string | DeploymentRow,
    shown?: string,
    args?: readonly string[],
    from?: string,
  ];
  'chainside.showHolders': [address?: string | DeploymentRow];
  'chainside.showRoles': [address?: string | DeploymentRow];
  'chainside.showAllowances': [address?: string | DeploymentRow];
  'chainside.watchValue': [view: WatchableView];
  'chainside.showNftTransfers': [contract?: string | NftRow, tokenId?: string | bigint | number];
  'chainside.showNftContract': [contract?: string | NftRow, tokenId?: string | bigint | number];
  'chainside.nfts.copyCell': [cell: TransferCell];
  'chainside.nfts.copyTransfer': [cell: TransferCell];
  'chainside.nfts.openTransaction': [cell: TransferCell];
  'chainside.openVerifiedSource': [address?: string | DeploymentRow];
  'chainside.refresh': [address?: string];
}

export type ArgumentsOf<Id extends CommandId> = Id extends keyof CommandArguments ? CommandArguments[Id] : [];

/** The initial chain of *Add Network…*: behind Blockscout's gateway, or at public endpoints. */
export interface NetworkStart {
  readonly gatewayOf?: number;
  readonly publicOf?: number;
}

/** Every setting of `package.json`. `settingTable.ts` says how each is read. */
export type SettingId = KeysOf<(typeof manifest.contributes.configuration)[number]['properties']>;

type KeysOf<T> = T extends unknown ? keyof T : never;

export const viewContainerId = 'chainside';
export const viewIds = {
  chain: 'chainside.chain',
  addresses: 'chainside.addresses',
  contracts: 'chainside.contracts',
  queries: 'chainside.queries',
  calls: 'chainside.calls',
} as const;

/** A notebook with queries as cells. */
export const notebookType = 'chainside.chain';

/** Tokens of a row in `viewItem`, for the `when` clauses of its menus. A row may have several. */
export const rowTokens = {
  'chainside.chain': ['network', 'block', 'value', 'failed', 'dataApi:ready', 'secret:missing', 'secret:set'],
  'chainside.addresses': [
    // Kind of the row.
    'address',
    'token',
    'watchedToken',
    'watchedValue',
    'collection',
    'nft',
    // What an address is or has: NFTs of its own, a place in a file, tokens to search, a history, one with a key.
    'nftContract',
    'watched',
    'unwatched',
    'placed',
    'tokens',
    'history',
    'keyedHistory',
    // Available actions: copy the value or the raw amount, open the explorer, retry, switch to another chain.
    'value',
    'raw',
    'explorer',
    'failed',
    'elsewhere',
  ],
  'chainside.contracts': [
    'deployed',
    'deployment',
    'built',
    'source',
    'events',
    'explorer',
    'otherChain',
    'history',
    'keyedHistory',
    'nftContract',
    'missing',
  ],
  'chainside.calls': ['address', 'value'],
  'chainside.queries': ['query', 'saved', 'unsaved', 'recentGroup'],
} as const satisfies Readonly<Record<(typeof viewIds)[keyof typeof viewIds], readonly string[]>>;
export type RowToken = (typeof rowTokens)[keyof typeof rowTokens][number];

/** Context keys for `when` clauses. Each is true or false. */
export const contextKeys = [
  /** The text of the active editor contains an address. */
  'chainside.editorHasAddress',
  /** The text of the active editor contains hex that is not an address, of 4 bytes or more. */
  'chainside.editorHasHex',
  /** The rows of the Chain view have been read: an empty view has none to show. */
  'chainside.chain.read',
  /** As `chainside.chain.read`, for the Addresses view. */
  'chainside.addresses.read',
  /** As `chainside.chain.read`, for the Queries view. */
  'chainside.queries.read',
  /** The contracts of the workspace have been read: an empty view has none to show. */
  'chainside.contracts.read',
  /** The Contracts view has shown a contract. */
  'chainside.contracts.shown',
  /** An address was looked up or is watched. */
  'chainside.addresses.listed',
  /** The document of a transaction with known calls is open. */
  'chainside.calls.shown',
  /** A network is chosen. */
  'chainside.networkChosen',
  /** The data API of the active network has a stored key. */
  'chainside.hasKey',
  /** It has none, as far as that is known. */
  'chainside.lacksKey',
  /** The endpoint of the active network takes a secret, which is stored. */
  'chainside.hasSecret',
  /** An Etherscan API key is stored. */
  'chainside.hasEtherscanKey',
  /** The active log panel is loading. */
  'chainside.logs.running',
  /** The form of the active log panel is collapsed: its own button is not visible. */
  'chainside.logs.folded',
  /** The active log panel can load more: a next page, or all. */
  'chainside.logs.more',
  /** The active log panel has run a query, or is running one. */
  'chainside.logs.asked',
  /** The active log panel has a result that can be exported. */
  'chainside.logs.exportable',
  /** The active log panel has a result that can be followed. */
  'chainside.logs.followable',
  /** The active NFT panel is loading. */
  'chainside.nfts.running',
  /** The active NFT panel offers to load the token. */
  'chainside.nfts.canLoadToken',
  /** The active NFT panel offers to load the token's picture. */
  'chainside.nfts.canLoadPicture',
  /** The active NFT panel offers to load the token's transfers. */
  'chainside.nfts.canLoadTransfers',
  /** The active NFT panel offers to read the transfers from logs. */
  'chainside.nfts.canReadLogs',
] as const;
export type ContextKey = (typeof contextKeys)[number];
