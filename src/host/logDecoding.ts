import * as vscode from 'vscode';
import {
  type AbiItemText,
  type AbiLookup,
  type AbiResolver,
  type Address,
  asAppError,
  type ChainClient,
  createHistoryCache,
  createLogDecoder,
  createTimeSlices,
  createVerifiedContractStore,
  createVersionLookup,
  ETHERSCAN_URL,
  findNamedToken,
  forEachLimited,
  getChainKey,
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
import { runCommand } from './commands.ts';
import { createWorkspaceLookup } from './contracts/knownEvents.ts';
import { findOriginFile, openOrigin } from './contracts/sourceDocuments.ts';
import type { WorkspaceContracts } from './contracts/workspaceContracts.ts';
import { createTextStore } from './files/storage.ts';
import type { NamedAddress } from './names/addressName.ts';
import type { AddressNames } from './names/addressNames.ts';
import { isOnBothNetworks, isSameChain } from './session/networks.ts';
import type { KeyStore } from './session/secrets.ts';
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
  type VerifiedProviders,
} from './verified/verifiedContracts.ts';
import {
  createVerifiedReader,
  registerVerifiedCommands,
  type VerifiedReader,
} from './verified/verifiedReader.ts';

/**
 * Decodes logs: events by topics, names of addresses, units of tokens. Lookups are synchronous and use what is
 * loaded.
 */
export interface LogDecoding {
  readonly lookup: VersionedLookup;
  /** Verified ABIs, as far as they are loaded. */
  readonly code: AbiResolver;
  decoder(network: ChainPlace): LogDecoder;
  /** {@link lookup} with the versions of contracts on the chain of a network. */
  lookupOn(network: ChainPlace): VersionedLookup;
  nameOf(address: Address, chainId: number): string | undefined;
  /** A bounded number of addresses whose name contains `text`, ignoring case. */
  findAddressesByName(text: string, chainId: number): readonly Address[];
  /** The units of a token, by its address or a name of the project; undefined until they are loaded. */
  unitsOf(token: string, network: ChainPlace): TokenUnits | undefined;
  /** Loads the units of these tokens, a bounded number at a time, and waits for those on their way. Never rejects. */
  fetchUnits(tokens: Iterable<string>, endpoint: ChainEndpoint): Promise<void>;
  /** Loads events of visible logs from the allowed providers. */
  prefetchEvents(logs: readonly PositionedLog[], endpoint: ChainEndpoint): void;
  /** The creation of the contract at an address; undefined until it is loaded. */
  createdAt(address: Address, network: Network): ContractCreation | undefined;
  /** The identity of an address; undefined until {@link prefetchCreations} has loaded it. */
  identityAt(address: Address, network: Network): Identity | undefined;
  /**
   * Loads creations and identities of contracts from the network. Resolves to whether there is something new. Never
   * rejects.
   */
  prefetchCreations(addresses: readonly Address[], network: Network): Promise<boolean>;
  /** Other chains on which a contract is verified at an address; empty where no service is allowed. */
  verifiedOn(address: Address, network: Network): Promise<readonly number[]>;
  /** Loads the upgrades of the contracts of visible logs, where several versions may apply. */
  prefetchVersions(
    logs: readonly PositionedLog[],
    endpoint: LogEndpoint,
    options: { readonly signal: AbortSignal },
  ): void;
  /** As {@link prefetchVersions}, to be awaited. @returns whether existing decoders are out of date. */
  fetchVersions(logs: readonly PositionedLog[], endpoint: LogEndpoint): Promise<boolean>;
  /** Names of functions and errors by selector alone, as far as they are loaded. */
  readonly signatures: AbiLookup;
  /** See {@link VerifiedEvents.prefetchSelectors}. */
  readonly prefetchSelectors: VerifiedEvents['prefetchSelectors'];
  /** Loads everything about these logs, and the functions of these contracts. Never rejects. */
  fetchMeaning(
    endpoint: LogEndpoint & {
      readonly logs: readonly PositionedLog[];
      readonly contracts: readonly Address[];
    },
  ): Promise<void>;
  /** The contracts whose code an address has run, by its upgrades; empty if they cannot be read. */
  fetchImplementations(address: Address, endpoint: LogEndpoint): Promise<readonly Address[]>;
  /** Whether {@link openOrigin} can show a declaration. */
  canOpen(origin: Origin): boolean;
  /** Opens the declaration of an item, or the file that it was found in. */
  openOrigin(origin: Origin, text: AbiItemText): Promise<void>;
  readonly onDidChange: vscode.Event<DecodingChange>;
}

type DecodingChange = 'events' | 'names' | 'units';

/** What identifies the chain of a network. */
type ChainPlace = Pick<Network, 'chainId' | 'rpcUrl'>;

/** A network, and the client for token units. */
export interface ChainEndpoint {
  readonly network: Network;
  readonly client: Pick<ChainClient, 'fetchTokenUnits'>;
}

/** A network, and the client for further logs. */
export interface LogEndpoint {
  readonly network: Network;
  readonly client: Pick<ChainClient, 'openLogQuery'> & Partial<Pick<ChainClient, 'fetchDelegate'>>;
}

/** Opens the decoding of logs, and registers the commands about verified contracts. */
export async function startLogDecoding(
  deps: LogDecodingDeps,
): Promise<LogDecoding & VerifiedAccess & vscode.Disposable> {
  const decoding = await openLogDecoding(deps);
  const { reader, consent, mayOfferEtherscan, clearVerified: clear } = decoding;
  const commands = registerVerifiedCommands({ ...deps, reader, consent, mayOfferEtherscan, clear });
  return { ...decoding, dispose: () => vscode.Disposable.from(commands, decoding).dispose() };
}

/**
 * Opens the decoding of logs in this window. The workspace is read meanwhile; its items arrive by a change event.
 */
export async function openLogDecoding(deps: LogDecodingDeps): Promise<OpenLogDecoding> {
  const { contracts, names, session, settings, storageUri } = deps;
  const units = createTokenUnitsCache(contracts);
  const histories = createHistoryCache(systemClock);
  const workspace = createWorkspaceLookup(contracts);
  const bundled = await loadStandardLookup();
  void contracts.index();
  const isTrusted = () => vscode.workspace.isTrusted;
  const consent = createConsent({ settings, isTrusted, showMessage, l10n: vscode.l10n });
  const textStore = createTextStore(storageUri, VERIFIED_STORE);
  const store = createVerifiedContractStore({ text: textStore, slices: createTimeSlices(systemClock) });
  const providers = createVerifiedProviders({ ...deps, consent, store });
  const changed = new vscode.EventEmitter<void>();
  const onDidChange = () => changed.fire();
  const verifiedDeps = {
    ...deps,
    providers,
    consent,
    localLookup: mergeLookups(workspace, bundled),
    store,
    onDidChange,
    offerEtherscanKey: () => void runCommand('chainside.setEtherscanKey', 'offer'),
  };
  const verified = { ...createVerifiedEvents(verifiedDeps), onDidChange: changed.event };
  const networksOf = (chainId: number) =>
    [session.network, ...settings.current.networks].filter((network) => network.chainId === chainId);
  const reader = createVerifiedReader(providers, networksOf);
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
  const decodingParts = { verified, reader, creations };
  const { noteAddresses } = deps;
  const decoding = createLogDecoding({
    ...{ ...decodingParts, lookup, histories, contracts, names, units, noteAddresses },
  });

  let consentKey = getConsentKey(settings);
  let active = session.network;
  const subscriptions = vscode.Disposable.from(
    session.onDidChange(({ network }) => {
      // Verified contracts are looked up by chain ID, which another node may share.
      if (network.chainId === active.chainId && !isOnBothNetworks(network, active)) verified.clear();
      active = network;
    }),
    session.onDidReplaceChain(() => {
      for (const cache of [units, histories, creations]) cache.clear();
      // Forgets the decoders, too.
      verified.clear();
    }),
    settings.onDidChange(() => {
      const currentKey = getConsentKey(settings);
      if (currentKey !== consentKey) verified.clear();
      consentKey = currentKey;
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => verified.clear()),
    deps.keys.onDidChange((origin) => {
      if (origin === new URL(ETHERSCAN_URL).origin) verified.clear();
    }),
  );
  return {
    ...decoding,
    reader,
    consent,
    ...{ mayKnow: providers.mayKnow, mayOfferEtherscan: providers.mayOfferEtherscan },
    async clearVerified() {
      await store.clear();
      providers.clear();
      verified.clear();
    },
    dispose: () =>
      vscode.Disposable.from(subscriptions, decoding, verified, providers, reader, units, changed).dispose(),
  };
}

interface LogDecodingDeps {
  /** Called with the addresses in logs and transactions of a network that are shown. */
  readonly noteAddresses: (addresses: Iterable<Address>, network: Network) => unknown;
  readonly contracts: WorkspaceContracts;
  readonly names: AddressNames;
  readonly session: Session;
  readonly settings: SettingsService;
  readonly http: HttpDeps;
  readonly keys: Pick<KeyStore, 'onDidChange'>;
  readonly log: vscode.LogOutputChannel;
  /** The extension's global storage. */
  readonly storageUri: vscode.Uri;
}

/** Verified sources, and the user's consent to fetch them. */
export interface VerifiedAccess {
  readonly reader: Pick<VerifiedReader, 'findSource'>;
  readonly consent: Pick<ThirdPartyConsent, 'requestSourceConsent'>;
  readonly mayKnow: VerifiedProviders['mayKnow'];
}

interface OpenLogDecoding extends LogDecoding, vscode.Disposable {
  readonly reader: VerifiedReader;
  readonly consent: ThirdPartyConsent;
  readonly mayKnow: VerifiedProviders['mayKnow'];
  readonly mayOfferEtherscan: VerifiedProviders['mayOfferEtherscan'];
  /** Deletes the verified contracts, on disk too. */
  readonly clearVerified: () => Promise<void>;
}

/** Verified contracts; the limit in bytes exceeds what is ever saved. */
const VERIFIED_STORE = { name: 'verified.ndjson', most: 64 * 1024 * 1024 };

/** Changes when the allowed providers change. */
function getConsentKey({ current }: SettingsService): string {
  const { explorerSource, etherscanSource, sourcifyConsent, sourcifyUrl } = current;
  const { signaturesConsent, signaturesUrl } = current;
  return [
    ...[explorerSource, etherscanSource, sourcifyConsent, sourcifyUrl, signaturesConsent, signaturesUrl],
  ].join(' ');
}

/** Combines everything that decodes logs. */
export function createLogDecoding(inputs: LogDecodingInputs): LogDecoding & vscode.Disposable {
  const { lookup, histories, verified, reader, creations, contracts, names, units, noteAddresses } = inputs;
  const ended = new AbortController();
  const changed = new vscode.EventEmitter<DecodingChange>();
  const decoders = new Map<string, LogDecoder>();
  const lookups = new Map<string, VersionedLookup>();
  const subscriptions = vscode.Disposable.from(
    names.onDidChange(() => changed.fire('names')),
    units.onDidChange(() => changed.fire('units')),
    contracts.onDidRead(() => {
      units.forgetNames();
      forgetDecoders();
    }),
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
    const chainKey = getChainKey(network);
    const missing = lookup.missingHistories(logs, chainId, chainKey);
    const createdAt = (address: Address) =>
      contracts.known?.deploymentsAt(address, chainId)[0]?.block ?? creations.at(address, network)?.block;
    const endpoint = { chainId, chainKey, client, createdAt };
    const hasNewHistories =
      missing.size > 0 &&
      (await histories.read(missing, endpoint, { signal: AbortSignal.any([ended.signal, signal]), most }));
    if (hasNewHistories) forgetDecoders();
    const missingAbis = lookup.missingAbis(logs, chainId, chainKey);
    const hasNewAbis = await verified.prefetchAbis(missingAbis, network);
    return hasNewHistories || hasNewAbis;
  }

  function lookupOn(network: ChainPlace): VersionedLookup {
    const chainKey = getChainKey(network);
    const versioned = lookups.get(chainKey) ?? {
      ...lookup,
      versionsAt: (at) => lookup.versionsAt({ ...at, chainKey }),
    };
    lookups.set(chainKey, versioned);
    return versioned;
  }

  return {
    lookup,
    code: verified,
    lookupOn,
    decoder(network) {
      const { chainId } = network;
      const chainKey = getChainKey(network);
      const decoder = decoders.get(chainKey) ?? createLogDecoder({ lookup: lookupOn(network), chainId });
      decoders.set(chainKey, decoder);
      return decoder;
    },
    nameOf: (address, chainId) => names.nameOf(address, chainId)?.name,
    findAddressesByName(text, chainId) {
      const query = text.toLowerCase();
      const [base = ''] = query.split('@', 1);
      const isPicked = query !== base;
      const shownName = ({ name, address }: NamedAddress) =>
        isPicked && name.toLowerCase().endsWith(base) ? (names.nameOf(address, chainId)?.name ?? name) : name;
      const named = names.all(chainId).filter((one) => shownName(one).toLowerCase().includes(query));
      return named.slice(0, MAX_NAMED_ADDRESSES).map(({ address }) => address);
    },
    unitsOf: (token, network) => units.unitsOf(token, network),
    fetchUnits: (tokens, endpoint) => units.fetch(tokens, endpoint),
    prefetchEvents: (logs, { network }) => void verified.prefetch(logs, network),
    signatures: verified.signatures,
    prefetchSelectors: verified.prefetchSelectors,
    createdAt: creations.at,
    identityAt: creations.identityAt,
    prefetchCreations: creations.prefetch,
    verifiedOn: (address, network) => verified.verifiedOn(address, network),
    canOpen: (origin) => origin.verified !== undefined || findOriginFile(origin, contracts) !== undefined,
    async openOrigin(origin, text) {
      const { verified: verifiedOrigin, contract } = origin;
      if (!verifiedOrigin) return openOrigin({ origin, text }, contracts);
      if (await reader.openDeclaration(verifiedOrigin, { contract, text })) return;
      const message = vscode.l10n.t(
        'The source of {0} is no longer available from {1}. It was removed there, or your settings do not allow the request.',
        toChecksumAddress(verifiedOrigin.address),
        verifiedOrigin.source.origin,
      );
      await showMessage('information', message);
    },
    // An error is shown on the rows that need the history.
    prefetchVersions(logs, endpoint, { signal }) {
      noteAddresses(listAddresses(logs), endpoint.network);
      void readHistories(logs, endpoint, { most: MAX_VISIBLE_CONTRACTS, signal }).catch(() => undefined);
    },
    async fetchMeaning({ logs, contracts: calledContracts, ...endpoint }) {
      noteAddresses([...calledContracts, ...listAddresses(logs)], endpoint.network);
      await verified.prefetch(logs, endpoint.network);
      await verified.prefetchAbis(new Set(calledContracts), endpoint.network);
      await readHistories(logs, endpoint, { most: MAX_VISIBLE_CONTRACTS }).catch(() => undefined);
    },
    async fetchImplementations(address, { network, client }) {
      const { chainId } = network;
      const chainKey = getChainKey(network);
      const createdAt = () => contracts.known?.deploymentsAt(address, chainId)[0]?.block;
      const endpoint = { chainId, chainKey, client, createdAt };
      await histories
        .read(new Map([[address, 0n]]), endpoint, { signal: ended.signal })
        .catch(() => undefined);
      const history = histories.historyOf({ address, chainId, chainKey });
      return [...new Set(history?.all.map(({ address: implementation }) => implementation))];
    },
    fetchVersions: (logs, endpoint) => readHistories(logs, endpoint, { most: MAX_EXPORTED_CONTRACTS }),
    onDidChange: changed.event,
    dispose() {
      ended.abort();
      subscriptions.dispose();
      changed.dispose();
    },
  };
}

interface LogDecodingInputs extends Pick<LogDecodingDeps, 'noteAddresses'> {
  readonly lookup: VersionLookup;
  readonly histories: HistoryCache;
  readonly verified: VerifiedEvents & { readonly onDidChange: vscode.Event<void> };
  readonly reader: VerifiedReader;
  readonly creations: CreationCache;
  readonly contracts: WorkspaceContracts;
  readonly names: AddressNames;
  readonly units: TokenUnitsCache;
}

/** The emitters of logs, and topics that may be addresses: a factory logs what it creates. */
function listAddresses(logs: readonly PositionedLog[]): readonly Address[] {
  return logs.flatMap(({ address, topics }) => [
    address,
    ...topics.flatMap((topic) => {
      const [, digits] = TOPIC_OF_ADDRESS.exec(topic ?? '') ?? [];
      return digits === undefined ? [] : [`0x${digits}` as const];
    }),
  ]);
}

/** Smaller ones are numbers. */
const TOPIC_OF_ADDRESS = /^0x0{24}(?!0{16})([0-9a-f]{40})$/;

/** Each address of a name costs a comparison with every word of every row. */
const MAX_NAMED_ADDRESSES = 64;
/** Contracts whose upgrades are loaded: of visible rows, and of a page of an export. */
const MAX_VISIBLE_CONTRACTS = 50;
const MAX_EXPORTED_CONTRACTS = 500;

/**
 * Loads symbol and decimals of token contracts, once each, from the network of their logs. Where a request fails,
 * raw integers stay.
 *
 * @param contracts has the names of tokens.
 */
export function createTokenUnitsCache(
  contracts?: Pick<WorkspaceContracts, 'known'>,
): TokenUnitsCache & vscode.Disposable {
  const cache = new Map<string, TokenUnits | undefined>();
  /** The requests on their way, by the keys of their contracts. */
  const reading = new Map<string, Promise<void>>();
  const changed = new vscode.EventEmitter<void>();

  const ended = new AbortController();

  async function read(tokens: readonly string[], { network, client }: ChainEndpoint): Promise<void> {
    const { signal } = ended;
    let found = false;
    const readOne = async (token: string): Promise<void> => {
      const key = keyOf(token, network);
      try {
        const place = { client, chainId: network.chainId, index: contracts?.known };
        const { units } = await findNamedToken(token, place, { signal });
        if (signal.aborted || !units) return;
        cache.set(key, units);
        found = true;
      } catch (error) {
        // A transient failure is retried when the contract is next visible.
        if (isRetryable(asAppError(error))) cache.delete(key);
      }
    };
    await forEachLimited(tokens, readOne, { limit: MAX_CONCURRENT_READS });
    if (found && !signal.aborted) changed.fire();
  }

  return {
    clear: () => cache.clear(),
    unitsOf: (token, network) => cache.get(keyOf(token, network)),
    forgetNames() {
      for (const key of cache.keys()) if (!ENDS_IN_ADDRESS.test(key)) cache.delete(key);
    },
    async fetch(tokens, endpoint) {
      const missing = new Map<string, string>();
      const keys = new Set<string>();
      for (const token of tokens) {
        const key = keyOf(token, endpoint.network);
        keys.add(key);
        if (cache.has(key) || cache.size >= MAX_CACHED_TOKENS || missing.size >= MAX_REQUESTED_TOKENS)
          continue;
        cache.set(key, undefined);
        missing.set(key, token);
      }
      const pending = read([...missing.values()], endpoint);
      for (const key of missing.keys()) reading.set(key, pending);
      await Promise.all([...keys].map((key) => reading.get(key)));
      for (const key of missing.keys()) reading.delete(key);
    },
    onDidChange: changed.event,
    dispose() {
      ended.abort();
      changed.dispose();
    },
  };
}

/** Units of tokens, loaded once each. */
interface TokenUnitsCache {
  clear(): void;
  unitsOf(token: string, network: ChainPlace): TokenUnits | undefined;
  fetch(tokens: Iterable<string>, endpoint: ChainEndpoint): Promise<void>;
  /** Looks names of tokens up again: another contract may have them now. */
  forgetNames(): void;
  readonly onDidChange: vscode.Event<void>;
}

const ENDS_IN_ADDRESS = / 0x[0-9a-f]{40}$/;

/** Contracts that are requested at a time. */
const MAX_CONCURRENT_READS = 4;
/** Contracts whose units are cached; others keep raw integers. */
const MAX_CACHED_TOKENS = 2000;
/** Contracts that are requested for one view. */
const MAX_REQUESTED_TOKENS = 100;

function keyOf(token: string, network: ChainPlace): string {
  return `${getChainKey(network)} ${token}`;
}
