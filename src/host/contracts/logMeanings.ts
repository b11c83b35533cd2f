import * as vscode from 'vscode';
import {
  type AbiLookup,
  type Address,
  createLogDecoder,
  type LogDecoder,
  type TokenUnits,
} from '../../core/index.ts';
import type { LogMeaning, MeaningChange } from './logMeaning.ts';
import { canOpen, openOrigin } from './openOrigin.ts';

/** Names of addresses, as an address book has them. */
export interface AddressNames {
  nameOf(address: Address, chainId: number): string | undefined;
  /** Addresses with `text` in their names, letter case aside. */
  addressesNamed(text: string, chainId: number): readonly Address[];
  readonly onDidChange: vscode.Event<void>;
}

/** Units of tokens, read once each. */
export interface UnitsOfTokens {
  unitsOf(contract: Address, chainId: number): TokenUnits | undefined;
  want(contracts: Iterable<Address>, chainId: number): void;
  readonly onDidChange: vscode.Event<void>;
}

interface MeaningSources {
  readonly lookup: AbiLookup;
  /** Fires when `lookup` answers otherwise than before. */
  readonly onDidChangeLookup?: vscode.Event<void>;
  readonly names?: AddressNames;
  readonly units: UnitsOfTokens;
}

/** Addresses of one name that a filter looks for: each costs a look at every word of every row. */
const MOST_NAMED = 64;

/** Joins all that gives meaning to logs, for as long as the extension runs. */
export function createLogMeaning(sources: MeaningSources): LogMeaning & vscode.Disposable {
  const { lookup, names, units } = sources;
  const changed = new vscode.EventEmitter<MeaningChange>();
  const decoders = new Map<number, LogDecoder>();
  const followed: (vscode.Disposable | undefined)[] = [
    names?.onDidChange(() => changed.fire('names')),
    units.onDidChange(() => changed.fire('units')),
    sources.onDidChangeLookup?.(() => {
      decoders.clear();
      changed.fire('events');
    }),
  ];
  return {
    lookup,
    decoder(chainId) {
      const known = decoders.get(chainId) ?? createLogDecoder({ lookup, chainId });
      decoders.set(chainId, known);
      return known;
    },
    nameOf: (address, chainId) => names?.nameOf(address, chainId),
    addressesNamed: (text, chainId) => names?.addressesNamed(text, chainId).slice(0, MOST_NAMED) ?? [],
    unitsOf: (contract, chainId) => units.unitsOf(contract, chainId),
    wantUnits: (contracts, chainId) => units.want(contracts, chainId),
    canOpen,
    openOrigin,
    onDidChange: changed.event,
    dispose() {
      for (const one of followed) one?.dispose();
      changed.dispose();
    },
  };
}
