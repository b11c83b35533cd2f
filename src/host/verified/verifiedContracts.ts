import {
  type AbiLookup,
  type AbiProvider,
  type AbiResolver,
  type Address,
  type AppError,
  chainAbiProviders,
  createDelegateProvider,
  createLogDecoder,
  createSignatureCache,
  createVerifiedCache,
  ETHERSCAN_URL,
  fetchVerifiedChains,
  type Hex,
  type HttpDeps,
  type Identity,
  type IdentityProvider,
  listUnknownSelectors,
  mergeLookups,
  type Network,
  type PositionedLog,
  type ProviderPorts,
  prefetchAbis,
  type SignatureProvider,
  thirdPartyProviders,
  toChecksumAddress,
  type VerifiedContract,
  type VerifiedContractStore,
  type VerifiedProvider,
} from '../../core/index.ts';
import type { Session } from '../session/session.ts';
import type { SettingsService } from '../settings/settings.ts';
import { isUnknownToService, type ThirdParty, type ThirdPartyConsent } from './consent.ts';

export function createVerifiedEvents(deps: VerifiedEventsDeps): VerifiedEvents {
  const { providers, consent, localLookup, store, log, onDidChange } = deps;
  // Aborted by `clear`, since the provider may no longer be allowed.
  let controller = new AbortController();
  let isDisposed = false;
  const contracts = createVerifiedCache();
  const signatureCache = createSignatureCache();
  let hasOfferedKey = false;
  const lookup = mergeLookups(localLookup, contracts.lookup, signatureCache.lookup);

  const logError = ({ kind, details }: AppError) =>
    log.debug(`${details.provider?.name ?? 'source'} ${details.provider?.origin ?? ''}: ${kind}`);

  /** The number of pending reads: another one may still explain a log. */
  let pendingReads = 0;
  async function countPending<T>(task: () => Promise<T>): Promise<T> {
    pendingReads++;
    try {
      return await task();
    } finally {
      pendingReads--;
    }
  }

  async function readAbis(addresses: ReadonlySet<Address>, network: Network): Promise<boolean> {
    const { signal } = controller;
    const provider = addresses.size > 0 ? await providers.abiProvider(network) : undefined;
    if (!provider || signal.aborted) return false;
    let hasNew = false;
    const onFound = () => {
      hasNew = true;
    };
    const { chainId, rpcUrl: endpoint } = network;
    const options = { chainId, endpoint, provider, signal, onFound, onFailure: logError };
    await countPending(() => contracts.prefetch(addresses, options));
    if (signal.aborted || !hasNew) return false;
    onDidChange();
    await store.save().catch((error: unknown) => log.debug(String(error)));
    return true;
  }

  async function read(logs: readonly PositionedLog[], network: Network): Promise<void> {
    const { signal } = controller;
    const { chainId, rpcUrl: endpoint } = network;
    const [abiProvider, signatureProvider] = await Promise.all([
      providers.abiProvider(network),
      providers.signatures(),
    ]);
    if (signal.aborted) return;
    await countPending(() =>
      prefetchAbis(logs, {
        chainId,
        endpoint,
        lookup,
        signal,
        contracts: abiProvider && { store: contracts, source: abiProvider },
        signatures: signatureProvider && { store: signatureCache, source: signatureProvider },
        onFound: () => !signal.aborted && onDidChange(),
        onFailure: logError,
      }),
    );
    if (signal.aborted) return;
    await store.save();
    if (pendingReads === 0) await offerThirdParties(logs, network);
  }

  /** Offers a third party where logs remain unexplained. */
  async function offerThirdParties(logs: readonly PositionedLog[], network: Network): Promise<void> {
    const decoder = createLogDecoder({ lookup, chainId: network.chainId });
    const unknown = logs.find((one) => 'reason' in decoder.decode(one));
    if (!unknown) return;
    const [topic0] = unknown.topics;
    if (consent.urlOf('sourcify') === undefined) {
      await consent.requestConsent('sourcify', toChecksumAddress(unknown.address), network);
    }
    if (topic0 !== undefined && consent.urlOf('signatures') === undefined) {
      await consent.requestConsent('signatures', topic0, network);
    }
    if (hasOfferedKey || !(await providers.mayOfferEtherscan(network))) return;
    hasOfferedKey = true;
    deps.offerEtherscanKey();
  }

  async function readSelectors(
    selectors: readonly Hex[],
    network: Network,
    mayAsk: boolean,
  ): Promise<boolean> {
    const { signal } = controller;
    const unknown = listUnknownSelectors(selectors, lookup);
    const [first] = unknown;
    if (first === undefined) return false;
    if (mayAsk && consent.urlOf('signatures') === undefined) {
      // What is shown does not wait for the answer.
      void consent.requestConsent('signatures', first, network);
      return false;
    }
    const source = await providers.signatures();
    if (!source || signal.aborted) return false;
    let hasNew = false;
    const onFound = () => {
      hasNew = true;
    };
    const requested = { events: new Map(), selectors: unknown };
    await signatureCache.prefetch(requested, { source, signal, onFound, onFailure: logError });
    if (hasNew && !signal.aborted) onDidChange();
    return hasNew;
  }

  return {
    lookup: mergeLookups(contracts.lookup, signatureCache.lookup),
    signatures: signatureCache.lookup,
    prefetchSelectors: (selectors, network, { mayAsk }) =>
      readSelectors(selectors, network, mayAsk).catch((error: unknown) => {
        log.debug(String(error));
        return false;
      }),
    abiAt: contracts.abiAt,
    prefetch: (logs, network) => read(logs, network).catch((error: unknown) => log.debug(String(error))),
    prefetchAbis: (addresses, network) =>
      readAbis(addresses, network).catch((error: unknown) => {
        log.debug(String(error));
        return false;
      }),
    contractAt(address, chainId) {
      const [contract] = contracts.at({ address, chainId })?.contracts ?? [];
      return contract?.address === address ? contract : undefined;
    },
    async verifiedOn(address, network) {
      try {
        const verifiedProviders = await providers.contractsOf(network);
        const chainIds = await fetchVerifiedChains(verifiedProviders, address, controller);
        return chainIds.filter((chainId) => chainId !== network.chainId);
      } catch (error) {
        log.debug(String(error));
        return [];
      }
    },
    clear() {
      controller.abort();
      if (!isDisposed) controller = new AbortController();
      contracts.clear();
      signatureCache.clear();
      onDidChange();
    },
    dispose() {
      isDisposed = true;
      controller.abort();
    },
  };
}

/** Verified contracts and names by hash from third parties, fetched once each when they are visible. */
export interface VerifiedEvents extends AbiResolver {
  /** Synchronous, over what is loaded. */
  readonly lookup: AbiLookup;
  /** The part of {@link lookup} that knows names by hash alone. */
  readonly signatures: AbiLookup;
  /**
   * Fetches the names of functions and errors that nothing explains. Resolves to whether there is something new. Never
   * rejects.
   *
   * @param options.mayAsk whether the user may be asked to allow it; otherwise it has to be allowed.
   */
  prefetchSelectors(
    selectors: readonly Hex[],
    network: Network,
    options: { readonly mayAsk: boolean },
  ): Promise<boolean>;
  /** Resolves once all providers have responded and the user has decided about others. */
  prefetch(logs: readonly PositionedLog[], network: Network): Promise<void>;
  /**
   * Fetches ABIs of contracts, such as former implementations of a proxy. Resolves to whether there is something
   * new. Never rejects.
   */
  prefetchAbis(addresses: ReadonlySet<Address>, network: Network): Promise<boolean>;
  /** The verified contract at an address itself (not at a twin), once it is loaded. */
  contractAt(address: Address, chainId: number): VerifiedContract | undefined;
  /** Other chains on which a contract is verified at the address; empty where no service is allowed. */
  verifiedOn(address: Address, network: Network): Promise<readonly number[]>;
  /** Drops everything and cancels pending requests. */
  clear(): void;
  dispose(): void;
}

interface VerifiedEventsDeps {
  readonly providers: VerifiedProviders;
  readonly consent: ThirdPartyConsent;
  /** Decodes without requests: the workspace and the bundled lists. */
  readonly localLookup: AbiLookup;
  readonly store: { save(): Promise<void> };
  /** Lets the user use the Etherscan key that the workspace names; called once, when logs remain unexplained. */
  readonly offerEtherscanKey: () => void;
  readonly log: { debug(message: string): void };
  /** Called when the lookup has more or fewer items. */
  readonly onDidChange: () => void;
}

export function createVerifiedProviders(deps: VerifiedProvidersDeps): VerifiedProviders {
  const { session, settings, http, consent, store } = deps;
  const ended = new AbortController();
  const opened = new Map<string, Promise<Partial<ProviderPorts>>>();
  // One throttle per service, over all chains.
  const throttles = new Map(thirdPartyProviders.map((kind) => [kind.name, kind.createThrottle(http)]));

  async function open(service: ThirdParty, chainId: number): Promise<Partial<ProviderPorts>> {
    const url = consent.urlOf(service);
    const kind = thirdPartyProviders.find(({ name }) => name === service);
    const throttle = throttles.get(service);
    if (url === undefined || !kind || !throttle) return {};
    const key = `${service} ${chainId} ${url}`;
    const ports =
      opened.get(key) ??
      kind.open({ ...http, url, chainId, key: undefined, throttle, revoked: ended.signal });
    opened.set(key, ports);
    ports.catch(() => opened.delete(key));
    return ports;
  }

  async function explorerOf(network: Network): Promise<readonly VerifiedProvider[]> {
    if (!settings.current.explorerSource) return [];
    const access = await session.provider('verified', { network, name: 'blockscout' });
    return access.state === 'ready' ? [access.provider] : [];
  }

  /** Etherscan knows no development chain of this machine, whatever its ID. */
  async function accessEtherscan(network: Network) {
    if (isUnknownToService(ETHERSCAN_URL, network)) return undefined;
    return session.provider('verified', { network, name: 'etherscan' });
  }

  async function contractsOf(network: Network): Promise<readonly VerifiedProvider[]> {
    const found = await explorerOf(network);
    const { verified } = await open('sourcify', network.chainId);
    const etherscan = await accessEtherscan(network);
    return [
      ...found,
      ...(verified ? [verified] : []),
      ...(etherscan?.state === 'ready' ? [etherscan.provider] : []),
    ];
  }

  const isAlone = (network: Network) => isUnknownToService(settings.current.sourcifyUrl, network);

  return {
    contractsOf,
    mayKnow: async (network) => !isAlone(network) || (await explorerOf(network)).length > 0,
    async abiProvider(network) {
      const providers = await (isAlone(network) ? explorerOf(network) : contractsOf(network));
      if (providers.length === 0) return undefined;
      const { connection } = session;
      const isActive = connection?.network.rpcUrl === network.rpcUrl;
      return chainAbiProviders([
        ...providers.map((provider) => store.wrap(provider, network.chainId)),
        ...(isActive ? [createDelegateProvider(connection.client)] : []),
      ]);
    },
    // Signatures are the same on every chain.
    signatures: async () => (await open('signatures', 0)).signatures,
    async mayOfferEtherscan(network) {
      if (settings.current.sourcifyConsent === 'ask') return false;
      return (await accessEtherscan(network))?.state === 'noKey';
    },
    clear: () => opened.clear(),
    dispose: () => ended.abort(),
  };
}

/** The allowed providers of verified contracts and of event names. */
export interface VerifiedProviders {
  /** The network's own explorer comes first, Etherscan with the user's key last. */
  contractsOf(network: Network): Promise<readonly VerifiedProvider[]>;
  /** Whether anyone may have its contracts: those of a development chain of this machine only an explorer of its own. */
  mayKnow(network: Network): Promise<boolean>;
  /** All providers as one, with stored contracts first; undefined where there is none. */
  abiProvider(network: Network): Promise<AbiProvider | undefined>;
  signatures(): Promise<SignatureProvider | undefined>;
  /**
   * Whether Etherscan serves the network and lacks only a key. Before, the user decides about Sourcify, which needs none.
   */
  mayOfferEtherscan(network: Network): Promise<boolean>;
  /** Reopens third parties, so that their cached responses are dropped. */
  clear(): void;
  dispose(): void;
}

interface VerifiedProvidersDeps {
  readonly session: Pick<Session, 'provider'> & Partial<Pick<Session, 'connection'>>;
  readonly settings: Pick<SettingsService, 'current'>;
  readonly http: HttpDeps;
  readonly consent: ThirdPartyConsent;
  readonly store: VerifiedContractStore;
}

export function createCreationCache({ contractAt, identityOf }: CreationsDeps): CreationCache {
  const identities = new Map<string, Identity>();
  const pending = new Map<string, Promise<boolean>>();
  // A local fork has the chain ID of its original, and contracts of its own.
  const keyOf = (address: Address, { chainId, rpcUrl }: CreationNetwork) => `${chainId} ${address} ${rpcUrl}`;

  function at(address: Address, network: CreationNetwork): ContractCreation | undefined {
    const { created, name } = contractAt(address, network.chainId) ?? {};
    const known = created?.block === undefined ? identities.get(keyOf(address, network))?.created : created;
    if (known?.block === undefined) return undefined;
    return { block: known.block, contract: name, transaction: known.transaction };
  }

  /** Returns whether the identity is new. */
  function store(key: string, identity: Identity): boolean {
    const before = identities.get(key);
    identities.delete(key);
    identities.set(key, identity);
    const [oldest] = identities.keys();
    if (identities.size > MAX_CACHED_ADDRESSES && oldest !== undefined) identities.delete(oldest);
    return !before || before.kind !== identity.kind || before.created?.block !== identity.created?.block;
  }

  async function fetchIdentity(key: string, address: Address, network: Network): Promise<boolean> {
    try {
      const provider = await identityOf(network);
      const identity = await provider?.identity(address);
      return identity !== undefined && store(key, identity);
    } catch {
      // A failed request is retried on next use.
      return false;
    } finally {
      pending.delete(key);
    }
  }

  return {
    at,
    clear: () => identities.clear(),
    identityAt: (address, network) => identities.get(keyOf(address, network)),
    async prefetch(addresses, network) {
      let hasNew = false;
      for (const address of addresses) {
        if (at(address, network)) continue;
        const key = keyOf(address, network);
        const request = pending.get(key) ?? fetchIdentity(key, address, network);
        pending.set(key, request);
        if (await request) hasNew = true;
      }
      return hasNew;
    },
  };
}

/**
 * The identity and creation block of addresses whose logs are shown, from the network or from a verified contract.
 */
export interface CreationCache {
  clear(): void;
  at(address: Address, network: CreationNetwork): ContractCreation | undefined;
  /** The identity from the network. */
  identityAt(address: Address, network: CreationNetwork): Identity | undefined;
  /**
   * Fetches the identity of addresses whose creation is not cached. Unknown ones are requested on each call: the
   * provider caches its responses. Resolves to whether there is something new. Never rejects.
   */
  prefetch(addresses: readonly Address[], network: Network): Promise<boolean>;
}

/** A contract creation: its block, its transaction and the name of the contract. */
export interface ContractCreation {
  readonly block: bigint;
  readonly contract: string | undefined;
  readonly transaction: Hex | undefined;
}

interface CreationsDeps {
  /** The verified contract at an address; undefined until it is loaded. */
  contractAt(address: Address, chainId: number): VerifiedContract | undefined;
  /** The provider that identifies addresses of a network; undefined where there is none. */
  identityOf(network: Network): Promise<Pick<IdentityProvider, 'identity'> | undefined>;
}

type CreationNetwork = Pick<Network, 'chainId' | 'rpcUrl'>;

/** The oldest are dropped first. */
const MAX_CACHED_ADDRESSES = 500;
