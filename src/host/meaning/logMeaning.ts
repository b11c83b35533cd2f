import type * as vscode from 'vscode';
import type {
  AbiItemText,
  AbiLookup,
  Address,
  ChainClient,
  LogDecoder,
  Origin,
  TokenUnits,
} from '../../core/index.ts';

export type MeaningChange = 'events' | 'names' | 'units';

/** A chain that logs are of, and who is asked about it. */
export interface AskedChain {
  readonly network: { readonly chainId: number };
  readonly client: Pick<ChainClient, 'tokenUnits'>;
}

/** All that gives meaning to logs: events by their topics, names of addresses, units of tokens. Never waits. */
export interface LogMeaning {
  readonly lookup: AbiLookup;
  decoder(chainId: number): LogDecoder;
  /** Plain text. */
  nameOf(address: Address, chainId: number): string | undefined;
  /** Addresses with `text` in their names, letter case aside; a bounded number of them. */
  addressesNamed(text: string, chainId: number): readonly Address[];
  /** The units of a token, once they were wanted and have been read; undefined where they are not known. */
  unitsOf(contract: Address, chainId: number): TokenUnits | undefined;
  /** Reads the units of tokens that are in sight. */
  wantUnits(contracts: Iterable<Address>, asked: AskedChain): void;
  /** Whether {@link openOrigin} can show a declaration. */
  canOpen(origin: Origin): boolean;
  /** Opens the declaration of an item, or the file that it was found in. */
  openOrigin(origin: Origin, text: AbiItemText): Promise<void>;
  /** What of the above has changed. */
  readonly onDidChange: vscode.Event<MeaningChange>;
}
