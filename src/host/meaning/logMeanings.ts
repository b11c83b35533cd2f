import * as vscode from 'vscode';
import {
  type Address,
  createLogDecoder,
  type HistoryCache,
  type LogDecoder,
  type PositionedLog,
  type TokenUnits,
  toChecksumAddress,
  type VersionLookup,
} from '../../core/index.ts';
import { fileOf, openOrigin } from '../contracts/openOrigin.ts';
import type { WorkspaceContracts } from '../contracts/workspaceContracts.ts';
import type { AddressNames } from '../names/addressNames.ts';
import { showMessage } from '../surface/messages.ts';
import type { Creations } from '../verified/creations.ts';
import type { VerifiedReader } from '../verified/openVerified.ts';
import type { VerifiedEvents } from '../verified/verifiedEvents.ts';
import type { AskedChain, AskedLogSource, LogMeaning, MeaningChange } from './logMeaning.ts';

/** Units of tokens, read once each. */
export interface UnitsOfTokens {
  unitsOf(contract: Address, chainId: number): TokenUnits | undefined;
  want(contracts: Iterable<Address>, asked: AskedChain): void;
  readonly onDidChange: vscode.Event<void>;
}

interface MeaningSources {
  readonly lookup: VersionLookup;
  readonly histories: HistoryCache;
  readonly verified: VerifiedEvents & { readonly onDidChange: vscode.Event<void> };
  readonly reader: VerifiedReader;
  readonly creations: Creations;
  readonly contracts: WorkspaceContracts;
  readonly names: AddressNames;
  readonly units: UnitsOfTokens;
}

/** Addresses of one name that a filter looks for: each costs a look at every word of every row. */
const MOST_NAMED = 64;
/** Contracts whose upgrades are read, of the rows in sight and of a page of an export. */
const MOST_IN_SIGHT = 50;
const MOST_EXPORTED = 500;

/** Joins all that gives meaning to logs, for as long as the extension runs. */
export function createLogMeaning(sources: MeaningSources): LogMeaning & vscode.Disposable {
  const { lookup, histories, verified, reader, creations, contracts, names, units } = sources;
  const ended = new AbortController();
  const changed = new vscode.EventEmitter<MeaningChange>();
  const decoders = new Map<number, LogDecoder>();
  const followed = vscode.Disposable.from(
    names.onDidChange(() => changed.fire('names')),
    units.onDidChange(() => changed.fire('units')),
    contracts.onDidRead(forgetDecoders),
    verified.onDidChange(forgetDecoders),
  );

  function forgetDecoders(): void {
    decoders.clear();
    lookup.renew();
    changed.fire('events');
  }

  async function readHistories(
    logs: readonly PositionedLog[],
    { network, client }: AskedLogSource,
    { most, signal = ended.signal }: { readonly most: number; readonly signal?: AbortSignal },
  ) {
    const { chainId } = network;
    const wanted = lookup.lacking(logs, chainId);
    const createdAt = (address: Address) =>
      contracts.known?.deploymentsAt(address, chainId)[0]?.block ?? creations.at(address, network)?.block;
    const asked = { chainId, source: client, createdAt };
    const isNew =
      wanted.size > 0 &&
      (await histories.read(wanted, asked, { signal: AbortSignal.any([ended.signal, signal]), most }));
    if (isNew) forgetDecoders();
    const code = lookup.codeLacking(logs, chainId);
    const isMore = await verified.wantCode(code, network);
    return isNew || isMore;
  }

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
    wantEvents: (logs, { network }) => void verified.want(logs, network),
    createdAt: creations.at,
    identityAt: creations.identityAt,
    wantCreated: creations.want,
    verifiedOn: (address, network) => verified.verifiedOn(address, network),
    canOpen: (origin) => origin.verified !== undefined || fileOf(origin, contracts) !== undefined,
    async openOrigin(origin, text) {
      const { verified: at, contract } = origin;
      if (!at) return openOrigin({ origin, text }, contracts);
      if (await reader.openDeclaration(at, { contract, text })) return;
      const words = vscode.l10n.t(
        'The source of {0} is not to be had from {1} any more: it has gone there, or may not be asked for.',
        toChecksumAddress(at.address),
        at.source.origin,
      );
      await showMessage('information', words);
    },
    // What cannot be read is said of the rows that need it.
    wantVersions: (logs, asked, { signal }) =>
      void readHistories(logs, asked, { most: MOST_IN_SIGHT, signal }).catch(() => undefined),
    async readMeaning({ logs, contracts: called, ...asked }) {
      await verified.want(logs, asked.network);
      await verified.wantCode(new Set(called), asked.network);
      await readHistories(logs, asked, { most: MOST_IN_SIGHT }).catch(() => undefined);
    },
    readVersions: (logs, asked) => readHistories(logs, asked, { most: MOST_EXPORTED }),
    onDidChange: changed.event,
    dispose() {
      ended.abort();
      followed.dispose();
      changed.dispose();
    },
  };
}
