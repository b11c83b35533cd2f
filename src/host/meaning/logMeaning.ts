import type * as vscode from 'vscode';
import type {
  AbiItemText,
  Address,
  ChainClient,
  Identity,
  LogDecoder,
  Network,
  Origin,
  PositionedLog,
  TokenUnits,
  VersionedLookup,
} from '../../core/index.ts';
import type { Created } from '../verified/creations.ts';

export type MeaningChange = 'events' | 'names' | 'units';

/** A chain that logs are of, and who is asked about it. */
export interface AskedChain {
  readonly network: Network;
  readonly client: Pick<ChainClient, 'tokenUnits'>;
}

/** A chain that logs are of, and who is asked for further ones. */
export interface AskedLogSource {
  readonly network: Network;
  readonly client: Pick<ChainClient, 'openLogQuery'>;
}

/** All that gives meaning to logs: events by their topics, names of addresses, units of tokens. Never waits. */
export interface LogMeaning {
  readonly lookup: VersionedLookup;
  decoder(chainId: number): LogDecoder;
  /** Plain text. */
  nameOf(address: Address, chainId: number): string | undefined;
  /** Addresses with `text` in their names, letter case aside; a bounded number of them. */
  addressesNamed(text: string, chainId: number): readonly Address[];
  /** The units of a token, once they were wanted and have been read; undefined where they are not known. */
  unitsOf(contract: Address, chainId: number): TokenUnits | undefined;
  /** Reads the units of tokens that are in sight. */
  wantUnits(contracts: Iterable<Address>, asked: AskedChain): void;
  /** Asks for what logs in sight mean, of those who may be asked. */
  wantEvents(logs: readonly PositionedLog[], asked: AskedChain): void;
  /** When the contract at an address was created, once that is known. */
  createdAt(address: Address, network: Network): Created | undefined;
  /** What is at an address, once {@link wantCreated} has asked. */
  identityAt(address: Address, network: Network): Identity | undefined;
  /** Asks the network when contracts were created, and what they are; resolves to whether more is known then. Never rejects. */
  wantCreated(addresses: readonly Address[], network: Network): Promise<boolean>;
  /** Other chains on which something is verified at an address, where a service that knows them may be asked. */
  verifiedOn(address: Address, network: Network): Promise<readonly number[]>;
  /** Reads the upgrades of the contracts of logs that are in sight, where these may be of several versions. */
  wantVersions(
    logs: readonly PositionedLog[],
    asked: AskedLogSource,
    options: { readonly signal: AbortSignal },
  ): void;
  /** The same, for who waits for it. @returns whether a decoder that was made before is out of date. */
  readVersions(logs: readonly PositionedLog[], asked: AskedLogSource): Promise<boolean>;
  /** All that these logs mean, and the functions of these contracts: for who waits for it. Never rejects. */
  readMeaning(
    asked: AskedLogSource & {
      readonly logs: readonly PositionedLog[];
      readonly contracts: readonly Address[];
    },
  ): Promise<void>;
  /** Whether {@link openOrigin} can show a declaration. */
  canOpen(origin: Origin): boolean;
  /** Opens the declaration of an item, or the file that it was found in. */
  openOrigin(origin: Origin, text: AbiItemText): Promise<void>;
  /** What of the above has changed. */
  readonly onDidChange: vscode.Event<MeaningChange>;
}
