import * as vscode from 'vscode';
import {
  type AbiLookup,
  type Address,
  createLogDecoder,
  type LogDecoder,
  type TokenUnits,
} from '../../core/index.ts';
import { fileOf, openOrigin } from '../contracts/openOrigin.ts';
import type { WorkspaceContracts } from '../contracts/workspaceContracts.ts';
import type { AddressNames } from '../names/addressNames.ts';
import type { AskedChain, LogMeaning, MeaningChange } from './logMeaning.ts';

/** Units of tokens, read once each. */
export interface UnitsOfTokens {
  unitsOf(contract: Address, chainId: number): TokenUnits | undefined;
  want(contracts: Iterable<Address>, asked: AskedChain): void;
  readonly onDidChange: vscode.Event<void>;
}

interface MeaningSources {
  readonly lookup: AbiLookup;
  readonly contracts: WorkspaceContracts;
  readonly names: AddressNames;
  readonly units: UnitsOfTokens;
}

/** Addresses of one name that a filter looks for: each costs a look at every word of every row. */
const MOST_NAMED = 64;

/** Joins all that gives meaning to logs, for as long as the extension runs. */
export function createLogMeaning(sources: MeaningSources): LogMeaning & vscode.Disposable {
  const { lookup, contracts, names, units } = sources;
  const changed = new vscode.EventEmitter<MeaningChange>();
  const decoders = new Map<number, LogDecoder>();
  const followed = vscode.Disposable.from(
    names.onDidChange(() => changed.fire('names')),
    units.onDidChange(() => changed.fire('units')),
    contracts.onDidRead(() => {
      decoders.clear();
      changed.fire('events');
    }),
  );
  return {
    lookup,
    decoder(chainId) {
      const known = decoders.get(chainId) ?? createLogDecoder({ lookup, chainId });
      decoders.set(chainId, known);
      return known;
    },
    nameOf: (address, chainId) => names.nameOf(address, chainId)?.name,
    addressesNamed(text, chainId) {
      const wanted = text.toLowerCase();
      const named = names.all(chainId).filter(({ name }) => name.toLowerCase().includes(wanted));
      return named.slice(0, MOST_NAMED).map(({ address }) => address);
    },
    unitsOf: (contract, chainId) => units.unitsOf(contract, chainId),
    wantUnits: (tokens, asked) => units.want(tokens, asked),
    canOpen: (origin) => fileOf(origin, contracts) !== undefined,
    openOrigin: (origin, text) => openOrigin({ origin, text }, contracts),
    onDidChange: changed.event,
    dispose() {
      followed.dispose();
      changed.dispose();
    },
  };
}
