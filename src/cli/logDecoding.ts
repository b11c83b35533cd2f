import {
  type AbiLookup,
  type AbiProvider,
  type AbiResolver,
  type Address,
  badInput,
  type ChainAddress,
  type ChainClient,
  type ContractIndex,
  chainAbiProviders,
  createDelegateProvider,
  createHistoryCache,
  createLogDecoder,
  createSignatureCache,
  createVerifiedCache,
  createVersionLookup,
  englishMessage,
  explainHex,
  getProviderId,
  type Hex,
  type LogDecoder,
  loadStandardLookup,
  mergeAbiResolvers,
  mergeLookups,
  type PositionedLog,
  type Provider,
  type ProviderId,
  type ProviderPorts,
  parseAttribution,
  prefetchAbis,
  providers,
  type SignatureProvider,
  systemClock,
  thirdPartyProviders,
} from '../core/index.ts';
import { type CommandLine, NO_CHAIN_ID } from './commandLine.ts';
import type { CliContext } from './context.ts';
import { openEtherscan, toNetwork } from './endpoint.ts';

/** Decodes logs. Call `prepare` first. */
export interface LogDecoding extends LogDecoder {
  readonly lookup: AbiLookup;
  /**
   * Fetches the ABIs that these logs need, and the implementation histories of contracts that may have several
   * versions.
   */
  prepare(logs: readonly PositionedLog[]): Promise<void>;
  /** Fetches the verified ABIs of contracts, if a provider for them is open. */
  prefetchAbis(addresses: readonly Address[]): Promise<void>;
  /** Fetches the names of selectors, if a provider for them is open. */
  prefetchSelectors(selectors: readonly Hex[]): Promise<void>;
  /** Asks a contract what the value of its `Transfer` is. */
  readonly fetchTransferStandard: ChainClient['fetchTransferStandard'];
}

/**
 * Creates the log decoding: ABIs of the projects of a folder first, then of the providers, then the bundled
 * standards. Logs of upgraded contracts are decoded with the code in force at each log.
 */
export async function openLogDecoding(
  client: ChainClient,
  knowledge: {
    readonly index: ContractIndex | undefined;
    readonly abiProviders: AbiProviders | undefined;
    readonly chainId: number;
  },
  options: { readonly signal: AbortSignal },
): Promise<LogDecoding> {
  const { index, abiProviders, chainId } = knowledge;
  const createdAt = (address: Address) => index?.deploymentsAt(address, chainId)[0]?.block;
  const context = { chainId, client, createdAt };
  const histories = createHistoryCache(systemClock);
  const lookups: readonly (AbiLookup | undefined)[] = [index?.lookup, abiProviders?.lookup];
  const lookup = createVersionLookup({
    lookups: [...lookups.filter((one) => one !== undefined), await loadStandardLookup()],
    known: mergeAbiResolvers(...[index, abiProviders?.code].filter((one) => one !== undefined)),
    histories,
  });
  let decoder = createLogDecoder({ lookup, chainId });
  const resetDecoder = () => {
    lookup.refresh();
    decoder = createLogDecoder({ lookup, chainId });
  };
  return {
    lookup,
    fetchTransferStandard: client.fetchTransferStandard,
    decode: (log) => decoder.decode(log),
    async prefetchAbis(addresses) {
      await abiProviders?.prefetchCode(addresses);
      if (abiProviders) resetDecoder();
    },
    prefetchSelectors: async (selectors) => abiProviders?.prefetchSelectors(selectors),
    async prepare(logs) {
      await abiProviders?.prefetch(logs, lookup);
      const missing = lookup.missingHistories(logs, chainId);
      const hasMore =
        missing.size > 0 && (await histories.read(missing, context, { ...options, most: missing.size }));
      await abiProviders?.prefetchCode(lookup.missingAbis(logs, chainId));
      if (hasMore || abiProviders) resetDecoder();
    },
  };
}

/** ABI providers besides the endpoint, as `--sources` names them. */
const providerNames = [
  'explorer',
  'sourcify',
  'signatures',
  'etherscan',
] as const satisfies readonly ProviderId[];
type ProviderName = (typeof providerNames)[number];

/** Parses `--sources`. The key of Etherscan is used last, for what the others do not have. @throws AppError `badInput`. */
function parseProviderNames(list: string): readonly ProviderName[] {
  const words = new Set(list.split(',').map((word) => word.trim()));
  const names = [...words].map((word) => {
    const name = providerNames.find((one) => one === word);
    if (!name)
      throw badInput('sources', englishMessage`--sources must be a list of ${providerNames.join(', ')}.`);
    return name;
  });
  return names.sort((a, b) => Number(a === 'etherscan') - Number(b === 'etherscan'));
}

/** Whether Etherscan is one of the `--sources`. @throws AppError `badInput`. */
export function usesEtherscan({ providers: list }: CommandLine): boolean {
  return list !== undefined && parseProviderNames(list).includes('etherscan');
}

/** ABIs of third-party providers, as far as they have been fetched. */
export interface AbiProviders {
  /** Finds only what has been fetched. */
  readonly lookup: AbiLookup;
  readonly code: AbiResolver;
  /** Fetches the ABIs and signatures of these logs. Each different error is printed once. */
  prefetch(logs: readonly PositionedLog[], lookup: AbiLookup): Promise<void>;
  /** Fetches the verified ABIs of contracts. */
  prefetchCode(addresses: Iterable<Address>): Promise<void>;
  /** Fetches the names of functions and errors. */
  prefetchSelectors(selectors: readonly Hex[]): Promise<void>;
  /** Fetches the signatures of hex, and the verified ABI of the contract at `at`. */
  prefetchHex(
    hex: Hex,
    context: { readonly lookup: AbiLookup; readonly at: ChainAddress | undefined },
  ): Promise<void>;
}

/**
 * Opens the providers of `--sources`.
 *
 * @throws AppError `badInput`.
 */
export async function openAbiProviders(
  providerList: string,
  place: ProviderPlace & {
    /** Of the chain of the logs, if there is an endpoint. */
    readonly client?: Pick<ChainClient, 'fetchDelegate'> | undefined;
  },
  context: ProviderContext & Pick<CliContext, 'output'>,
): Promise<AbiProviders> {
  const { chainId = NO_CHAIN_ID } = place;
  const { output, signal } = context;
  const verified: AbiProvider[] = [];
  let signatures: SignatureProvider | undefined;
  for (const name of parseProviderNames(providerList)) {
    const ports = await openProviderPorts(name, place, context);
    if (ports.verified) verified.push(ports.verified);
    signatures ??= ports.signatures;
  }
  const delegates = place.client ? [createDelegateProvider(place.client)] : [];
  const verifiedProvider = chainAbiProviders([...verified, ...delegates]);
  const store = createVerifiedCache();
  const byHash = signatures && { store: createSignatureCache(), source: signatures };
  const printed = new Set<string>();
  const options = {
    chainId,
    endpoint: place.line.rpcUrl ?? '',
    signal,
    onFailure({ message }: Error) {
      if (!printed.has(message)) output.printMessage(message);
      printed.add(message);
    },
  };
  const contracts = verified.length > 0 ? { store, source: verifiedProvider } : undefined;
  const prefetchCode = async (addresses: Iterable<Address>) => {
    if (contracts) await store.prefetch(addresses, { ...options, provider: verifiedProvider });
  };
  const prefetchNames = async (events: ReadonlyMap<Hex, ReadonlySet<number>>, selectors: readonly Hex[]) =>
    byHash?.store.prefetch({ events, selectors }, { ...options, source: byHash.source });
  return {
    lookup: mergeLookups(store.lookup, ...(byHash ? [byHash.store.lookup] : [])),
    code: store,
    prefetch: (logs, lookup) => prefetchAbis(logs, { ...options, lookup, contracts, signatures: byHash }),
    prefetchCode,
    prefetchSelectors: async (selectors) => prefetchNames(new Map(), selectors),
    async prefetchHex(hex, { lookup, at }) {
      if (at) await prefetchCode([at.address]);
      const events = hex.length === HASH_DIGITS ? new Map([[hex, new Set([1])]]) : new Map();
      const isWholeWords = (hex.length - 2) % WORD_DIGITS === 0 && !parseAttribution(hex);
      const selector =
        isWholeWords || hex.length < SELECTOR_DIGITS ? undefined : hex.slice(0, SELECTOR_DIGITS);
      const isKnown = selector === undefined || explainHex(selector as Hex, { lookup, at }).length > 0;
      const selectors = isKnown ? [] : [selector as Hex];
      await prefetchNames(events, selectors);
    },
  };
}

/** Characters of hex, with `0x`. */
const SELECTOR_DIGITS = 10;
const HASH_DIGITS = 66;
const WORD_DIGITS = 64;

interface ProviderPlace {
  readonly line: CommandLine;
  /** Undefined if unknown. */
  readonly chainId: number | undefined;
}

type ProviderContext = Pick<CliContext, 'env' | 'http' | 'signal'>;

async function openProviderPorts(
  name: ProviderName,
  { line, chainId }: ProviderPlace,
  context: ProviderContext,
): Promise<Partial<ProviderPorts>> {
  if (name === 'etherscan') return openEtherscan(line, chainId, context);
  const { http, signal } = context;
  const provider = findProvider(name);
  const url = resolveProviderUrl(name, provider, line);
  if (name === 'sourcify' && !chainId) {
    throw badInput('chain-id', 'Sourcify needs a chain. Set it with --chain-id N.');
  }
  const throttle = provider.createThrottle(http);
  return provider.open({
    ...http,
    url,
    chainId: chainId ?? NO_CHAIN_ID,
    key: undefined,
    throttle,
    revoked: signal,
  });
}

function findProvider(name: ProviderName): Provider {
  const provider = [...providers, ...thirdPartyProviders].find((one) => getProviderId(one) === name);
  if (!provider) throw badInput('sources', `There is no provider ${name}.`);
  return provider;
}

function resolveProviderUrl(name: ProviderName, provider: Provider, line: CommandLine): string {
  const chosenUrls = { sourcify: line.sourcifyUrl, signatures: line.signaturesUrl };
  const chosenUrl = name === 'sourcify' || name === 'signatures' ? chosenUrls[name] : undefined;
  const network = toNetwork(line);
  const isAvailable = name !== 'explorer' || line.rpcUrl !== undefined;
  const url = chosenUrl ?? (isAvailable ? provider.urlFor(network) : undefined);
  if (url === undefined) throw badInput('sources', 'The endpoint of --rpc is not an explorer.');
  return url;
}
