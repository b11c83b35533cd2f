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
  createHistoryCache,
  createLogDecoder,
  createSignatureCache,
  createVerifiedCache,
  createVersionLookup,
  explainHex,
  getProviderId,
  type Hex,
  type HttpDeps,
  type LogDecoder,
  loadStandardLookup,
  mergeAbiResolvers,
  mergeLookups,
  type PositionedLog,
  type Provider,
  type ProviderId,
  type ProviderPorts,
  prefetchAbis,
  providers,
  type SignatureProvider,
  systemClock,
  thirdPartyProviders,
} from '../core/index.ts';
import { type CommandLine, NO_CHAIN_ID } from './commandLine.ts';
import { toNetwork } from './endpoint.ts';
import { printMessage } from './output.ts';

/** Decodes logs once what that needs is known of them. */
export interface LogDecoding extends LogDecoder {
  readonly lookup: AbiLookup;
  /** Asks for what these logs may mean, and reads the upgrades of contracts that may have several versions. */
  prepare(logs: readonly PositionedLog[]): Promise<void>;
}

/**
 * Decodes logs by what the projects below a folder know, by what sources tell, and by bundled lists; those of upgraded
 * contracts by the code in force at each.
 */
export async function openLogDecoding(
  client: ChainClient,
  known: {
    /** What the projects of a folder know. */
    readonly index: ContractIndex | undefined;
    readonly sources: AbiProviders | undefined;
    readonly chainId: number;
  },
  options: { readonly signal: AbortSignal },
): Promise<LogDecoding> {
  const { index, sources, chainId } = known;
  const createdAt = (address: Address) => index?.deploymentsAt(address, chainId)[0]?.block;
  const asked = { chainId, client: client, createdAt };
  const histories = createHistoryCache(systemClock);
  const lookups: readonly (AbiLookup | undefined)[] = [index?.lookup, sources?.lookup];
  const lookup = createVersionLookup({
    lookups: [...lookups.filter((one) => one !== undefined), await loadStandardLookup()],
    known: mergeAbiResolvers(...[index, sources?.code].filter((one) => one !== undefined)),
    histories,
  });
  let decoder = createLogDecoder({ lookup, chainId });
  const decodeAnew = () => {
    lookup.refresh();
    decoder = createLogDecoder({ lookup, chainId });
  };
  return {
    lookup,
    decode: (log) => decoder.decode(log),
    async prepare(logs) {
      await sources?.prefetch(logs, lookup);
      const wanted = lookup.missingHistories(logs, chainId);
      const isMore =
        wanted.size > 0 && (await histories.read(wanted, asked, { ...options, most: wanted.size }));
      await sources?.prefetchCode(lookup.missingAbis(logs, chainId));
      if (isMore || sources) decodeAnew();
    },
  };
}

/** Who is asked beside the endpoint, in the order in which they stand on the command line. */
const providerNames = ['explorer', 'sourcify', 'signatures'] as const satisfies readonly ProviderId[];
type ProviderName = (typeof providerNames)[number];

/** The sources that a command line names. @throws AppError `badInput`. */
function parseProviderNames(written: string): readonly ProviderName[] {
  return written.split(',').map((word) => {
    const name = providerNames.find((one) => one === word.trim());
    if (!name) throw badInput('sources', `--sources takes a list of ${providerNames.join(', ')}.`);
    return name;
  });
}

/** What others tell of logs and hex, once they were asked. */
export interface AbiProviders {
  /** Never waits. */
  readonly lookup: AbiLookup;
  readonly code: AbiResolver;
  /** Asks for what these logs need; who cannot answer is told of once. */
  prefetch(logs: readonly PositionedLog[], lookup: AbiLookup): Promise<void>;
  /** Asks for contracts. */
  prefetchCode(addresses: Iterable<Address>): Promise<void>;
  /** Asks for what hex needs, which was met at an address where one is given. */
  prefetchHex(
    hex: Hex,
    met: { readonly lookup: AbiLookup; readonly at: ChainAddress | undefined },
  ): Promise<void>;
}

/**
 * Opens the sources of the command line.
 *
 * @param asked.chainId undefined where nobody tells.
 * @throws AppError `badInput`.
 */
export async function openAbiProviders(
  written: string,
  asked: {
    readonly line: CommandLine;
    readonly http: HttpDeps;
    readonly chainId: number | undefined;
    readonly signal: AbortSignal;
  },
): Promise<AbiProviders> {
  const { signal, chainId = NO_CHAIN_ID } = asked;
  const verified: AbiProvider[] = [];
  let signatures: SignatureProvider | undefined;
  for (const name of parseProviderNames(written)) {
    const ports = await openProviderPorts(name, asked);
    if (ports.verified) verified.push(ports.verified);
    signatures ??= ports.signatures;
  }
  const source = chainAbiProviders(verified);
  const store = createVerifiedCache();
  const byHash = signatures && { store: createSignatureCache(), source: signatures };
  const told = new Set<string>();
  const options = {
    chainId,
    endpoint: asked.line.rpcUrl ?? '',
    signal,
    onFailure({ message }: Error) {
      if (!told.has(message)) printMessage(message);
      told.add(message);
    },
  };
  const contracts = verified.length > 0 ? { store, source } : undefined;
  const wantCode = async (addresses: Iterable<Address>) => {
    if (contracts) await store.prefetch(addresses, { ...options, provider: source });
  };
  return {
    lookup: mergeLookups(store.lookup, ...(byHash ? [byHash.store.lookup] : [])),
    code: store,
    prefetch: (logs, lookup) => prefetchAbis(logs, { ...options, lookup, contracts, signatures: byHash }),
    prefetchCode: wantCode,
    async prefetchHex(hex, { lookup, at }) {
      if (at) await wantCode([at.address]);
      if (!byHash) return;
      const events = hex.length === HASH_DIGITS ? new Map([[hex, new Set([1])]]) : new Map();
      const areWords = (hex.length - 2) % WORD_DIGITS === 0;
      const selector = areWords || hex.length < SELECTOR_DIGITS ? undefined : hex.slice(0, SELECTOR_DIGITS);
      const isKnown = selector === undefined || explainHex(selector as Hex, { lookup, at }).length > 0;
      const selectors = isKnown ? [] : [selector as Hex];
      await byHash.store.prefetch({ events, selectors }, { ...options, source: byHash.source });
    },
  };
}

/** With `0x`. */
const SELECTOR_DIGITS = 10;
const HASH_DIGITS = 66;
const WORD_DIGITS = 64;

async function openProviderPorts(
  name: ProviderName,
  {
    line,
    http,
    chainId,
    signal,
  }: {
    readonly line: CommandLine;
    readonly http: HttpDeps;
    readonly chainId: number | undefined;
    readonly signal: AbortSignal;
  },
): Promise<Partial<ProviderPorts>> {
  const kind = findProviderKind(name);
  const url = resolveProviderUrl(name, kind, line);
  if (name === 'sourcify' && !chainId) {
    throw badInput('chain-id', 'Sourcify is asked by chain: give it with --chain-id N.');
  }
  const throttle = kind.createThrottle(http);
  return kind.open({
    ...http,
    url,
    chainId: chainId ?? NO_CHAIN_ID,
    key: undefined,
    throttle,
    revoked: signal,
  });
}

function findProviderKind(name: ProviderName): Provider {
  const kind = [...providers, ...thirdPartyProviders].find((one) => getProviderId(one) === name);
  if (!kind) throw badInput('sources', `There is no source ${name}.`);
  return kind;
}

function resolveProviderUrl(name: ProviderName, kind: Provider, line: CommandLine): string {
  const given = { explorer: undefined, sourcify: line.sourcifyUrl, signatures: line.signaturesUrl }[name];
  const network = toNetwork(line);
  const isAsked = name !== 'explorer' || line.rpcUrl !== undefined;
  const url = given ?? (isAsked ? kind.urlFor(network) : undefined);
  if (url === undefined) throw badInput('sources', 'The endpoint of --rpc is no explorer.');
  return url;
}
