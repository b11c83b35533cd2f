import type manifest from '../package.json';
import type words from '../package.nls.json';

/** The kind of panel, by which the editor brings it back after a reload; a file of its own, as the start needs it. */
export const logsPanelType = 'chainside.logs';

/** The kind of panel, by which the editor brings it back after a reload; a file of its own, as the start needs it. */
export const nftPanelType = 'chainside.nft';

/** What `chainside.queryLogs` takes: the form of the log panel, already filled in. */
export interface LogQueryArguments {
  readonly address?: string | readonly string[];
  readonly event?: string;
  /** Values of the event's indexed parameters by their names, where it says which are; a list means any of its values. */
  readonly args?: Readonly<Record<string, string | readonly string[]>>;
  /** By position, as in JSON-RPC: null is any topic, a list any of its values. `event` is the first of them. */
  readonly topics?: readonly (string | readonly string[] | null)[];
  readonly fromBlock?: string | number;
  readonly toBlock?: string | number;
  /** Which end of the range is read first; the newest by default. */
  readonly order?: 'newestFirst' | 'oldestFirst';
  /** The chain that is asked: of its network, the active one first. */
  readonly chainId?: number;
  /** Runs the query at once instead of waiting for the button. */
  readonly run?: boolean;
  /** Takes a panel that has this very query already in place of a new one. */
  readonly reuse?: boolean;
}

/** A cell of a log panel's grid, as its context menu names it. */
interface LogCell {
  readonly answer: string;
  readonly log: number;
  readonly column: string;
  /** Where several rows are selected: each stretch by its first row and the one behind its last. */
  readonly order?: number;
  readonly selected?: readonly (readonly [number, number])[];
}

/** A cell of an NFT panel's grid, as its context menu names it. */
interface TransferCell {
  readonly answer: string;
  readonly transfer: string;
  readonly column: string;
}

/** A row of a tree that knows where in the workspace it comes from. */
interface PlacedRow {
  readonly occurrence: { readonly uri: unknown; readonly line: number };
}

/** A line of a file of the workspace, from 0; the file as a URI. */
interface LinkedPlace {
  readonly file: string;
  readonly line: number;
}

/** A contract that is deployed, as a row of a tree has it; what is done with it is done on its chain. */
export interface DeploymentRow {
  readonly account: string;
  readonly chainId: number;
  readonly contractName?: string;
}

/** What the commands on the deployments of a contract take: one is taken as it is, of several the user picks one. */
export interface DeploymentChoice {
  /** Of the contract or event that is asked about. */
  readonly name: string;
  /** Declaration of the event whose logs are asked for; default: all logs. */
  readonly event?: string;
  readonly deployments: readonly (DeploymentRow & { readonly fromBlock?: string })[];
}

/** Where something begins in a document that is open, from 0; the document as a URI. */
export interface TextPlace {
  readonly file: string;
  readonly line: number;
  readonly character: number;
}

/** A row of a tree that stands for an NFT contract, or for one of its tokens. */
interface NftRow {
  readonly contract: string;
  readonly tokenId?: string | bigint;
}

type WordKey = keyof typeof words;

/** Every command: each has its title in `package.nls.json`, which a test holds to `package.json`. */
export type CommandId = {
  [Key in WordKey]: Key extends `command.${string}.about`
    ? never
    : Key extends `command.${infer Name}`
      ? `chainside.${Name}`
      : never;
}[WordKey];

/** What a command takes where our own code runs it; one that is not here takes nothing. */
interface CommandArguments {
  'chainside.selectNetwork': [id?: string];
  'chainside.addNetwork': [start?: NetworkStart];
  'chainside.editNetwork': [id?: string];
  'chainside.setEndpointSecret': [id?: string];
  'chainside.forgetEndpointSecret': [id?: string];
  'chainside.lookUpAddress': [address?: string | DeploymentRow];
  'chainside.watchAddress': [address?: string | DeploymentRow, hovered?: TextPlace];
  'chainside.unwatchAddress': [address?: string, hovered?: TextPlace];
  'chainside.showTokensInHovers': [choice: 'show' | 'hide', hovered?: TextPlace];
  'chainside.labelAddress': [address?: string | DeploymentRow, label?: string];
  'chainside.copyAddress': [address: string];
  'chainside.copyValue': [value: string];
  'chainside.openInExplorer': [address: string | DeploymentRow];
  'chainside.goToPlace': [row: PlacedRow | LinkedPlace];
  'chainside.labelForTeam': [address?: string];
  'chainside.switchToChain': [where: number | string];
  'chainside.decode': [hex?: string | TextPlace];
  'chainside.showTransaction': [hash?: string];
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
  'chainside.logs.queryAddress': [cell: LogCell];
  'chainside.logs.openTransaction': [cell: LogCell];
  'chainside.logs.showTransaction': [cell: LogCell];
  'chainside.logs.openVerifiedSource': [cell: LogCell];
  'chainside.logs.openAddress': [cell: LogCell];
  'chainside.showNftTransfers': [contract?: string | NftRow, tokenId?: string | bigint | number];
  'chainside.showNftContract': [contract?: string | NftRow, tokenId?: string | bigint | number];
  'chainside.nfts.copyCell': [cell: TransferCell];
  'chainside.nfts.copyTransfer': [cell: TransferCell];
  'chainside.nfts.openTransaction': [cell: TransferCell];
  'chainside.openVerifiedSource': [address?: string | DeploymentRow];
  'chainside.refresh': [address?: string];
}

export type ArgumentsOf<Id extends CommandId> = Id extends keyof CommandArguments ? CommandArguments[Id] : [];

/** What *Add Network…* begins with, where our own code runs it: a chain behind Blockscout's gateway, or at public endpoints. */
export interface NetworkStart {
  readonly gatewayOf?: number;
  readonly publicOf?: number;
}

/** Every setting, as `package.json` has it; how each is read stands in `settingTable.ts`. */
export type SettingId = keyof typeof manifest.contributes.configuration.properties;

export const viewContainerId = 'chainside';
export const viewIds = {
  chain: 'chainside.chain',
  addresses: 'chainside.addresses',
  contracts: 'chainside.contracts',
  queries: 'chainside.queries',
} as const;

/** A document with queries as cells. */
export const notebookType = 'chainside.chain';

/**
 * Words that a row of a view carries for the `when` clauses of its menus, which find them in `viewItem`. A row may
 * have several.
 */
export const rowTokens = {
  'chainside.chain': [
    'network',
    'value',
    'failed',
    'dataApi:noKey',
    'dataApi:ready',
    'secret:missing',
    'secret:set',
  ],
  'chainside.addresses': [
    // What the row is.
    'address',
    'token',
    'watchedToken',
    'collection',
    'nft',
    // What an address is, or has: a place in a file, tokens to search, who tells its history.
    'watched',
    'unwatched',
    'placed',
    'tokens',
    'history',
    // What can be done: copy the value or the raw amount, look into the explorer, try again, go to another chain.
    'value',
    'raw',
    'explorer',
    'failed',
    'elsewhere',
  ],
  'chainside.contracts': ['contract', 'deployed', 'deployment', 'source', 'events', 'explorer', 'otherChain'],
  'chainside.queries': ['query', 'saved', 'unsaved', 'recentGroup'],
} as const satisfies Readonly<Record<(typeof viewIds)[keyof typeof viewIds], readonly string[]>>;
export type RowToken = (typeof rowTokens)[keyof typeof rowTokens][number];

/** Every context key that the extension sets for `when` clauses. Each is true or false. */
export const contextKeys = [
  /** The active editor's text has an address in it. */
  'chainside.editorHasAddress',
  /** The active editor's text has hex in it that is no address: 4 bytes or more. */
  'chainside.editorHasHex',
  /** The contracts of the workspace have been read: a view without rows has none to show. */
  'chainside.contracts.read',
  /** A key is stored for the data API of the active network. */
  'chainside.hasKey',
  /** A secret is stored for the endpoint of the active network, and it is asked with one. */
  'chainside.hasSecret',
  /** The active log panel is loading. */
  'chainside.logs.running',
  /** The form of the active log panel is folded, so that its own button is not in sight. */
  'chainside.logs.folded',
  /** The active log panel can load more: a next page, or all. */
  'chainside.logs.more',
  /** The active log panel has a query that ran, or runs. */
  'chainside.logs.asked',
  /** The active log panel has an answer that can be exported. */
  'chainside.logs.exportable',
  /** The active log panel has an answer that can be followed. */
  'chainside.logs.followable',
  /** The active NFT panel is loading. */
  'chainside.nfts.running',
  /** The active NFT panel offers to ask for the token. */
  'chainside.nfts.canLoadToken',
  /** The active NFT panel offers to load the token's picture. */
  'chainside.nfts.canLoadPicture',
  /** The active NFT panel offers to load the token's transfers. */
  'chainside.nfts.canLoadTransfers',
  /** The active NFT panel offers to read the transfers out of logs instead. */
  'chainside.nfts.canReadLogs',
] as const;
export type ContextKey = (typeof contextKeys)[number];
