import * as vscode from 'vscode';
import {
  type AbiItemText,
  type Address,
  asAppError,
  type ChainClient,
  createHistoryCache,
  createLogDecoder,
  createTimeSlices,
  createVerifiedContractStore,
  createVersionLookup,
  forEachLimited,
  type HistoryCache,
  type HttpDeps,
  type Identity,
  isRetryable,
  type LogDecoder,
  loadStandardLookup,
  mergeAbiResolvers,
  mergeLookups,
  type Network,
  type Origin,
  type PositionedLog,
  systemClock,
  type TokenUnits,
  toChecksumAddress,
  type VersionedLookup,
  type VersionLookup,
} from '../core/index.ts';
import { createWorkspaceLookup } from './contracts/knownEvents.ts';
import { findOriginFile, openOrigin } from './contracts/sourceDocuments.ts';
import type { WorkspaceContracts } from './contracts/workspaceContracts.ts';
import { createTextStore } from './files/storage.ts';
import type { AddressNames } from './names/addressNames.ts';
import { isSameChain } from './session/networks.ts';
import type { Session } from './session/session.ts';
import type { SettingsService } from './settings/settings.ts';
import { showMessage } from './ui/dialogs.ts';
import { createConsent, type ThirdPartyConsent } from './verified/consent.ts';
import {
  type ContractCreation,
  type CreationCache,
  createCreationCache,
  createVerifiedEvents,
  createVerifiedProviders,
  type VerifiedEvents,
} from './verified/verifiedContracts.ts';
import {
  createVerifiedReader,
  registerVerifiedCommands,
  type VerifiedReader,
} from './verified/verifiedReader.ts';

type DecodingChange = 'events' | 'names' | 'units';

/** A chain that logs are of, and who is asked about it. */
export interface ChainEndpoint {
  readonly network: Network;
  readonly client: Pick<ChainClient, 'fetchTokenUnits'>;
}

/** A chain that logs are of, and who is asked for further ones. */
export interface LogEndpoint {
  readonly network: Network;
  readonly client: Pick<ChainClient, 'openLogQuery'>;
}

/** All that gives meaning to logs: events by their topics, names of addresses, units of tokens. Never waits. */
export interface LogDecoding {
  readonly lookup: VersionedLookup;
  decoder(chainId: number): LogDecoder;
  /** Plain text. */
  nameOf(address: Address, chainId: number): string | undefined;
  /** Addresses with `text` in their names, letter case aside; a bounded number of them. */
  findAddressesByName(text: string, chainId: number): readonly Address[];
  /** The units of a token, once they were wanted and have been read; undefined where they are not known. */
  unitsOf(contract: Address, chainId: number): TokenUnits | undefined;
  /** Reads the units of tokens that are in sight. */
  prefetchUnits(contracts: Iterable<Address>, asked: ChainEndpoint): void;
  /** Asks for what logs in sight mean, of those who may be asked. */
  prefetchEvents(logs: readonly PositionedLog[], asked: ChainEndpoint): void;
  /** When the contract at an address was created, once that is known. */
  createdAt(address: Address, network: Network): ContractCreation | undefined;
  /** What is at an address, once {@link prefetchCreations} has asked. */
  identityAt(address: Address, network: Network): Identity | undefined;
  /** Asks the network when contracts were created, and what they are; resolves to whether more is known then. Never rejects. */
  prefetchCreations(addresses: readonly Address[], network: Network): Promise<boolean>;
  /** Other chains on which something is verified at an address, where a service that knows them may be asked. */
  verifiedOn(address: Address, network: Network): Promise<readonly number[]>;
  /** Reads the upgrades of the contracts of logs that are in sight, where these may be of several versions. */
  prefetchVersions(
    logs: readonly PositionedLog[],
    asked: LogEndpoint,
    options: { readonly signal: AbortSignal },
  ): void;
  /** The same, for who waits for it. @returns whether a decoder that was made before is out of date. */
  fetchVersions(logs: readonly PositionedLog[], asked: LogEndpoint): Promise<boolean>;
  /** All that these logs mean, and the functions of these contracts: for who waits for it. Never rejects. */
  fetchMeaning(
    asked: LogEndpoint & {
      readonly logs: readonly PositionedLog[];
      readonly contracts: readonly Address[];
    },
  ): Promise<void>;
  /** Whether {@link openOrigin} can show a declaration. */
  canOpen(origin: Origin): boolean;
  /** Opens the declaration of an item, or the file that it was found in. */
  openOrigin(origin: Origin, text: AbiItemText): Promise<void>;
  /** What of the above has changed. */
  readonly onDidChange: vscode.Event<DecodingChange>;
}

/** Units of tokens, read once each. */
interface TokenUnitsCache {
  unitsOf(contract: Address, chainId: number): TokenUnits | undefined;
  prefetch(contracts: Iterable<Address>, asked: ChainEndpoint): void;
  readonly onDidChange: vscode.Event<void>;
}

interface LogDecodingInputs {
  readonly lookup: VersionLookup;
  readonly histories: HistoryCache;
  readonly verified: VerifiedEvents & { readonly onDidChange: vscode.Event<void> };
  readonly reader: VerifiedReader;
  readonly creations: CreationCache;
  readonly contracts: WorkspaceContracts;
  readonly names: AddressNames;
  readonly units: TokenUnitsCache;
}

/** Addresses of one name that a filter looks for: each costs a look at every word of every row. */
const MAX_NAMED_ADDRESSES = 64;
/** Contracts whose upgrades are read, of the rows in sight and of a page of an export. */
const MAX_VISIBLE_CONTRACTS = 50;
const MAX_EXPORTED_CONTRACTS = 500;

/** Joins all that gives meaning to logs, for as long as the extension runs. */
export function createLogDecoding(sources: LogDecodingInputs): LogDecoding & vscode.Disposable {
  const { lookup, histories, verified, reader, creations, contracts, names, units } = sources;
  const ended = new AbortController();
  const changed = new vscode.EventEmitter<DecodingChange>();
  const decoders = new Map<number, LogDecoder>();
  const followed = vscode.Disposable.from(
    names.onDidChange(() => changed.fire('names')),
    units.onDidChange(() => changed.fire('units')),
    contracts.onDidRead(forgetDecoders),
    verified.onDidChange(forgetDecoders),
  );

  function forgetDecoders(): void {
    decoders.clear();
    lookup.refresh();
    changed.fire('events');
  }

  async function readHistories(
    logs: readonly PositionedLog[],
    { network, client }: LogEndpoint,
    { most, signal = ended.signal }: { readonly most: number; readonly signal?: AbortSignal },
  ) {
    const { chainId } = network;
    const wanted = lookup.missingHistories(logs, chainId);
    const createdAt = (address: Address) =>
      contracts.known?.deploymentsAt(address, chainId)[0]?.block ?? creations.at(address, network)?.block;
    const asked = { chainId, client: client, createdAt };
    const isNew =
      wanted.size > 0 &&
      (await histories.read(wanted, asked, { signal: AbortSignal.any([ended.signal, signal]), most }));
    if (isNew) forgetDecoders();
    const code = lookup.missingAbis(logs, chainId);
    const isMore = await verified.prefetchAbis(code, network);
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
    findAddressesByName(text, chainId) {
      const wanted = text.toLowerCase();
      const named = names.all(chainId).filter(({ name }) => name.toLowerCase().includes(wanted));
      return named.slice(0, MAX_NAMED_ADDRESSES).map(({ address }) => address);
    },
    unitsOf: (contract, chainId) => units.unitsOf(contract, chainId),
    prefetchUnits: (tokens, asked) => units.prefetch(tokens, asked),
    prefetchEvents: (logs, { network }) => void verified.prefetch(logs, network),
    createdAt: creations.at,
    identityAt: creations.identityAt,
    prefetchCreations: creations.prefetch,
    verifiedOn: (address, network) => verified.verifiedOn(address, network),
    canOpen: (origin) => origin.verified !== undefined || findOriginFile(origin, contracts) !== undefined,
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
    prefetchVersions: (logs, asked, { signal }) =>
      void readHistories(logs, asked, { most: MAX_VISIBLE_CONTRACTS, signal }).catch(() => undefined),
    async fetchMeaning({ logs, contracts: called, ...asked }) {
      await verified.prefetch(logs, asked.network);
      await verified.prefetchAbis(new Set(called), asked.network);
      await readHistories(logs, asked, { most: MAX_VISIBLE_CONTRACTS }).catch(() => undefined);
    },
    fetchVersions: (logs, asked) => readHistories(logs, asked, { most: MAX_EXPORTED_CONTRACTS }),
    onDidChange: changed.event,
    dispose() {
      ended.abort();
      followed.dispose();
      changed.dispose();
    },
  };
}

interface LogDecodingDeps {
  readonly contracts: WorkspaceContracts;
  readonly names: AddressNames;
  readonly session: Session;
  readonly settings: SettingsService;
  readonly http: HttpDeps;
  readonly log: vscode.LogOutputChannel;
  /** Of the extension, whatever the workspace. */
  readonly storageUri: vscode.Uri;
}

/** Verified contracts; more bytes than are ever kept. */
const VERIFIED_STORE = { name: 'verified.ndjson', most: 64 * 1024 * 1024 };

interface OpenMeaning extends LogDecoding, vscode.Disposable {
  readonly reader: VerifiedReader;
  readonly consent: ThirdPartyConsent;
  /** Forgets what is verified, on disk too. */
  readonly clearVerified: () => Promise<void>;
}

/** What gives logs a meaning in this window. The workspace is read meanwhile: what it knows comes with a change. */
export async function openLogDecoding(deps: LogDecodingDeps): Promise<OpenMeaning> {
  const { contracts, names, session, settings, storageUri } = deps;
  const units = createTokenUnitsCache();
  const histories = createHistoryCache(systemClock);
  const workspace = createWorkspaceLookup(contracts);
  const bundled = await loadStandardLookup();
  void contracts.index();
  const isTrusted = () => vscode.workspace.isTrusted;
  const consent = createConsent({ settings, isTrusted, showMessage, l10n: vscode.l10n });
  const text = createTextStore(storageUri, VERIFIED_STORE);
  const kept = createVerifiedContractStore({ text, slices: createTimeSlices(systemClock) });
  const sources = createVerifiedProviders({ ...deps, consent, store: kept });
  const changed = new vscode.EventEmitter<void>();
  const onDidChange = () => changed.fire();
  const asking = { ...deps, sources, consent, beside: mergeLookups(workspace, bundled), kept, onDidChange };
  const verified = { ...createVerifiedEvents(asking), onDidChange: changed.event };
  const networksOf = (chainId: number) =>
    [session.network, ...settings.current.networks].filter((network) => network.chainId === chainId);
  const reader = createVerifiedReader(sources, networksOf);
  const creations = createCreationCache({
    contractAt: verified.contractAt,
    async identityOf(network) {
      if (!isSameChain(network, session.network)) return undefined;
      const access = await session.provider('identity');
      return access.state === 'ready' ? access.provider : undefined;
    },
  });
  const lookup = createVersionLookup({
    lookups: [workspace, verified.lookup, bundled],
    known: mergeAbiResolvers({ abiAt: (at) => contracts.known?.abiAt(at) }, verified),
    histories,
  });
  const asks = { verified, reader, creations };
  const meaning = createLogDecoding({ ...asks, lookup, histories, contracts, names, units });

  let asked = getConsentKey(settings);
  const following = vscode.Disposable.from(
    settings.onDidChange(() => {
      const now = getConsentKey(settings);
      if (now !== asked) verified.clear();
      asked = now;
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => verified.clear()),
  );
  return {
    ...meaning,
    reader,
    consent,
    async clearVerified() {
      await kept.clear();
      sources.clear();
      verified.clear();
    },
    dispose: () =>
      vscode.Disposable.from(following, meaning, verified, sources, reader, units, changed).dispose(),
  };
}

/** Who may be asked, as the settings stand. */
function getConsentKey({ current }: SettingsService): string {
  const { explorerSource, sourcifyConsent, sourcifyUrl, signaturesConsent, signaturesUrl } = current;
  return [explorerSource, sourcifyConsent, sourcifyUrl, signaturesConsent, signaturesUrl].join(' ');
}

/** Opens what gives logs a meaning, and says what the commands about verified contracts do. */
export async function startLogDecoding(deps: LogDecodingDeps): Promise<LogDecoding & vscode.Disposable> {
  const meaning = await openLogDecoding(deps);
  const { reader, consent, clearVerified } = meaning;
  const commands = registerVerifiedCommands({ ...deps, reader, consent, clear: clearVerified });
  return { ...meaning, dispose: () => vscode.Disposable.from(commands, meaning).dispose() };
}

/** Contracts that are asked at a time. */
const MAX_CONCURRENT_READS = 4;
/** Contracts whose units are kept; further ones keep their raw integers. */
const MAX_CACHED_TOKENS = 2000;
/** Contracts of one sight that are asked. */
const MAX_REQUESTED_TOKENS = 100;

/**
 * Reads symbol and decimals of token contracts, once for each, from the network that their logs are of. Where no answer
 * comes, the raw integers stay.
 */
export function createTokenUnitsCache(): TokenUnitsCache & vscode.Disposable {
  const known = new Map<string, TokenUnits | undefined>();
  const changed = new vscode.EventEmitter<void>();

  const ended = new AbortController();

  async function read(contracts: readonly Address[], { network, client }: ChainEndpoint): Promise<void> {
    const { signal } = ended;
    let found = false;
    const readOne = async (contract: Address): Promise<void> => {
      const key = keyOf(contract, network.chainId);
      try {
        const units = await client.fetchTokenUnits(contract, { signal });
        if (signal.aborted || !units) return;
        known.set(key, units);
        found = true;
      } catch (error) {
        // What may pass is asked again when the contract is next in sight.
        if (isRetryable(asAppError(error))) known.delete(key);
      }
    };
    await forEachLimited(contracts, readOne, { limit: MAX_CONCURRENT_READS });
    if (found && !signal.aborted) changed.fire();
  }

  return {
    unitsOf: (contract, chainId) => known.get(keyOf(contract, chainId)),
    prefetch(contracts, asked) {
      const wanted: Address[] = [];
      for (const contract of contracts) {
        const key = keyOf(contract, asked.network.chainId);
        if (known.has(key) || known.size >= MAX_CACHED_TOKENS || wanted.length >= MAX_REQUESTED_TOKENS)
          continue;
        known.set(key, undefined);
        wanted.push(contract);
      }
      if (wanted.length > 0) void read(wanted, asked);
    },
    onDidChange: changed.event,
    dispose() {
      ended.abort();
      changed.dispose();
    },
  };
}

function keyOf(contract: Address, chainId: number): string {
  return `${chainId} ${contract}`;
}
