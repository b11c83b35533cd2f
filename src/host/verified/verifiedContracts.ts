import {
  type AbiLookup,
  type AbiProvider,
  type AbiResolver,
  type Address,
  type AppError,
  chainAbiProviders,
  createLogDecoder,
  createSignatureCache,
  createVerifiedCache,
  fetchVerifiedChains,
  type HttpDeps,
  type Identity,
  type IdentityProvider,
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

/** Addresses about which something is kept; the oldest go first. */
const MAX_CACHED_ADDRESSES = 500;

type CreationNetwork = Pick<Network, 'chainId' | 'rpcUrl'>;

interface CreationsDeps {
  /** What is verified at an address, as far as it is known. */
  contractAt(address: Address, chainId: number): VerifiedContract | undefined;
  /** Who of a network itself tells what is at addresses; undefined where nobody can be asked. */
  identityOf(network: Network): Promise<Pick<IdentityProvider, 'identity'> | undefined>;
}

/** What was created, and in which block. */
export interface ContractCreation {
  readonly block: bigint;
  readonly contract: string | undefined;
}

/** What is at addresses that logs are asked of, and since when: as the network itself or who verified it has told. */
export interface CreationCache {
  at(address: Address, network: CreationNetwork): ContractCreation | undefined;
  /** What the network has told of an address. */
  identityAt(address: Address, network: CreationNetwork): Identity | undefined;
  /**
   * Asks the network of addresses whose creation it has not told. What is only not known yet is asked for with each
   * look: who is asked keeps it for a while. Resolves to whether more is known then. Never rejects.
   */
  prefetch(addresses: readonly Address[], network: Network): Promise<boolean>;
}

export function createCreationCache({ contractAt, identityOf }: CreationsDeps): CreationCache {
  const told = new Map<string, Identity>();
  const asking = new Map<string, Promise<boolean>>();
  // A fork on this machine has the chain id of its original, and contracts of its own.
  const keyOf = (address: Address, { chainId, rpcUrl }: CreationNetwork) => `${chainId} ${address} ${rpcUrl}`;

  function at(address: Address, network: CreationNetwork): ContractCreation | undefined {
    const { created, name } = contractAt(address, network.chainId) ?? {};
    const block = created?.block ?? told.get(keyOf(address, network))?.created?.block;
    return block === undefined ? undefined : { block, contract: name };
  }

  /** Whether what was told is more than before. */
  function keep(key: string, identity: Identity): boolean {
    const before = told.get(key);
    told.delete(key);
    told.set(key, identity);
    const [oldest] = told.keys();
    if (told.size > MAX_CACHED_ADDRESSES && oldest !== undefined) told.delete(oldest);
    return !before || before.kind !== identity.kind || before.created?.block !== identity.created?.block;
  }

  async function ask(key: string, address: Address, network: Network): Promise<boolean> {
    try {
      const source = await identityOf(network);
      const identity = await source?.identity(address);
      return identity !== undefined && keep(key, identity);
    } catch {
      // What the network does not tell now is asked for again with the next look.
      return false;
    } finally {
      asking.delete(key);
    }
  }

  return {
    at,
    identityAt: (address, network) => told.get(keyOf(address, network)),
    async prefetch(addresses, network) {
      let isMore = false;
      for (const address of addresses) {
        if (at(address, network)) continue;
        const key = keyOf(address, network);
        const answer = asking.get(key) ?? ask(key, address, network);
        asking.set(key, answer);
        if (await answer) isMore = true;
      }
      return isMore;
    },
  };
}

interface VerifiedEventsDeps {
  readonly sources: VerifiedProviders;
  readonly consent: ThirdPartyConsent;
  /** What decodes without anybody being asked. */
  readonly beside: AbiLookup;
  readonly kept: { save(): Promise<void> };
  readonly log: { debug(words: string): void };
  /** More is known than before, or less. */
  readonly onDidChange: () => void;
}

/** What others tell of events: verified contracts, and names by their hashes. Read once each, when logs are in sight. */
export interface VerifiedEvents extends AbiResolver {
  /** Never waits. */
  readonly lookup: AbiLookup;
  /** Resolves when all has answered and the user has said who else may be asked. */
  prefetch(logs: readonly PositionedLog[], network: Network): Promise<void>;
  /** Asks for contracts, as for code that once ran behind a proxy. Resolves to whether more is known then; never rejects. */
  prefetchAbis(addresses: ReadonlySet<Address>, network: Network): Promise<boolean>;
  /** What is verified at an address itself, once it was wanted. */
  contractAt(address: Address, chainId: number): VerifiedContract | undefined;
  /** Other chains on which something is verified at an address; none where nobody may be asked. */
  verifiedOn(address: Address, network: Network): Promise<readonly number[]>;
  /** Forgets all, so that it is asked for anew; nobody is asked any further meanwhile. */
  clear(): void;
  dispose(): void;
}

export function createVerifiedEvents(deps: VerifiedEventsDeps): VerifiedEvents {
  const { sources, consent, beside, kept, log, onDidChange } = deps;
  // What is asked now ends when all is forgotten: who is asked may be somebody who may not be any more.
  let asking = new AbortController();
  let isOver = false;
  const contracts = createVerifiedCache();
  const names = createSignatureCache();
  const lookup = mergeLookups(beside, contracts.lookup, names.lookup);

  const tellFailure = ({ kind, details }: AppError) =>
    log.debug(`${details.provider?.name ?? 'source'} ${details.provider?.origin ?? ''}: ${kind}`);

  /** Reads that are on their way: what one of them waits for may explain what another has left. */
  let underWay = 0;
  async function whileUnderWay<T>(task: () => Promise<T>): Promise<T> {
    underWay++;
    try {
      return await task();
    } finally {
      underWay--;
    }
  }

  async function readCode(addresses: ReadonlySet<Address>, network: Network): Promise<boolean> {
    const { signal } = asking;
    const provider = addresses.size > 0 ? await sources.abiProvider(network) : undefined;
    if (!provider || signal.aborted) return false;
    let isFound = false;
    const onFound = () => {
      isFound = true;
    };
    const { chainId, rpcUrl: endpoint } = network;
    const asked = { chainId, endpoint, provider, signal, onFound, onFailure: tellFailure };
    await whileUnderWay(() => contracts.prefetch(addresses, asked));
    if (signal.aborted || !isFound) return false;
    onDidChange();
    await kept.save().catch((error: unknown) => log.debug(String(error)));
    return true;
  }

  async function read(logs: readonly PositionedLog[], network: Network): Promise<void> {
    const { signal } = asking;
    const { chainId, rpcUrl: endpoint } = network;
    const [source, signatures] = await Promise.all([sources.abiProvider(network), sources.signatures()]);
    if (signal.aborted) return;
    await whileUnderWay(() =>
      prefetchAbis(logs, {
        ...{ chainId, endpoint, lookup, signal },
        contracts: source && { store: contracts, source },
        signatures: signatures && { store: names, source: signatures },
        onFound: () => !signal.aborted && onDidChange(),
        onFailure: tellFailure,
      }),
    );
    if (signal.aborted) return;
    await kept.save();
    if (underWay === 0) await askWhereUnknown(logs, network);
  }

  /** Where something is left that nothing explains, a third party may know it. */
  async function askWhereUnknown(logs: readonly PositionedLog[], network: Network): Promise<void> {
    const decoder = createLogDecoder({ lookup, chainId: network.chainId });
    const unknown = logs.find((one) => 'reason' in decoder.decode(one));
    if (!unknown) return;
    const [topic0] = unknown.topics;
    if (consent.urlOf('sourcify') === undefined) {
      await consent.ask('sourcify', toChecksumAddress(unknown.address), network);
    }
    if (topic0 !== undefined && consent.urlOf('signatures') === undefined) {
      await consent.ask('signatures', topic0, network);
    }
  }

  return {
    lookup: mergeLookups(contracts.lookup, names.lookup),
    abiAt: contracts.abiAt,
    prefetch: (logs, network) => read(logs, network).catch((error: unknown) => log.debug(String(error))),
    prefetchAbis: (addresses, network) =>
      readCode(addresses, network).catch((error: unknown) => {
        log.debug(String(error));
        return false;
      }),
    contractAt(address, chainId) {
      const [contract] = contracts.at({ address, chainId })?.contracts ?? [];
      return contract?.address === address ? contract : undefined;
    },
    async verifiedOn(address, network) {
      try {
        const asked = await sources.contractsOf(network);
        const chainIds = await fetchVerifiedChains(asked, address, asking);
        return chainIds.filter((chainId) => chainId !== network.chainId);
      } catch (error) {
        log.debug(String(error));
        return [];
      }
    },
    clear() {
      asking.abort();
      if (!isOver) asking = new AbortController();
      contracts.clear();
      names.clear();
      onDidChange();
    },
    dispose() {
      isOver = true;
      asking.abort();
    },
  };
}

export interface VerifiedProvidersDeps {
  readonly session: Pick<Session, 'provider'>;
  readonly settings: Pick<SettingsService, 'current'>;
  readonly http: HttpDeps;
  readonly consent: ThirdPartyConsent;
  readonly store: VerifiedContractStore;
}

/** Who is asked about contracts of a network, and of names: those who may be asked now. */
export interface VerifiedProviders {
  /** The network's own explorer first. */
  contractsOf(network: Network): Promise<readonly VerifiedProvider[]>;
  /** Those as one, what is kept asked of nobody; undefined where nobody may be asked. */
  abiProvider(network: Network): Promise<AbiProvider | undefined>;
  signatures(): Promise<SignatureProvider | undefined>;
  /** Has third parties asked anew, also of what they told a moment ago. */
  clear(): void;
  dispose(): void;
}

export function createVerifiedProviders(deps: VerifiedProvidersDeps): VerifiedProviders {
  const { session, settings, http, consent, store } = deps;
  const ended = new AbortController();
  const opened = new Map<string, Promise<Partial<ProviderPorts>>>();
  // One pace for each service, whichever chains are asked about.
  const paces = new Map(thirdPartyProviders.map((kind) => [kind.name, kind.createThrottle(http)]));

  async function open(service: ThirdParty, chainId: number): Promise<Partial<ProviderPorts>> {
    const url = consent.urlOf(service);
    const kind = thirdPartyProviders.find(({ name }) => name === service);
    const throttle = paces.get(service);
    if (url === undefined || !kind || !throttle) return {};
    const key = `${service} ${chainId} ${url}`;
    const known =
      opened.get(key) ??
      kind.open({ ...http, url, chainId, key: undefined, throttle, revoked: ended.signal });
    opened.set(key, known);
    known.catch(() => opened.delete(key));
    return known;
  }

  async function explorerOf(network: Network): Promise<readonly VerifiedProvider[]> {
    if (!settings.current.explorerSource) return [];
    const access = await session.provider('verified', { network });
    return access.state === 'ready' ? [access.provider] : [];
  }

  async function contractsOf(network: Network): Promise<readonly VerifiedProvider[]> {
    const found = await explorerOf(network);
    const { verified } = await open('sourcify', network.chainId);
    return verified ? [...found, verified] : found;
  }

  return {
    contractsOf,
    async abiProvider(network) {
      const isAlone = isUnknownToService(settings.current.sourcifyUrl, network);
      const sources = await (isAlone ? explorerOf(network) : contractsOf(network));
      if (sources.length === 0) return undefined;
      return chainAbiProviders(sources.map((source) => store.wrap(source, network.chainId)));
    },
    // It knows of no chain.
    signatures: async () => (await open('signatures', 0)).signatures,
    clear: () => opened.clear(),
    dispose: () => ended.abort(),
  };
}
