import {
  type AbiLookup,
  type AbiProvider,
  type AbiResolver,
  type Address,
  badInput,
  type ChainAddress,
  chainAbiProviders,
  createSignatureCache,
  createVerifiedCache,
  explainHex,
  getProviderId,
  type Hex,
  type HttpDeps,
  mergeLookups,
  type PositionedLog,
  type Provider,
  type ProviderId,
  type ProviderPorts,
  prefetchAbis,
  providers,
  type SignatureProvider,
  thirdPartyProviders,
} from '../../core/index.ts';
import { type CommandLine, NO_CHAIN } from './commandLine.ts';
import { endpointNetwork } from './openSource.ts';
import { say } from './output.ts';

/** Who is asked beside the endpoint, in the order in which they stand on the command line. */
const sourceNames = ['explorer', 'sourcify', 'signatures'] as const satisfies readonly ProviderId[];
type SourceName = (typeof sourceNames)[number];

/** The sources that a command line names. @throws AppError `badInput`. */
function namesIn(written: string): readonly SourceName[] {
  return written.split(',').map((word) => {
    const name = sourceNames.find((one) => one === word.trim());
    if (!name) throw badInput('sources', `--sources takes a list of ${sourceNames.join(', ')}.`);
    return name;
  });
}

/** What others tell of logs and hex, once they were asked. */
export interface AskedSources {
  /** Never waits. */
  readonly lookup: AbiLookup;
  readonly known: AbiResolver;
  /** Asks for what these logs need; who cannot answer is told of once. */
  want(logs: readonly PositionedLog[], lookup: AbiLookup): Promise<void>;
  /** Asks for contracts. */
  wantCode(addresses: Iterable<Address>): Promise<void>;
  /** Asks for what hex needs, which was met at an address where one is given. */
  wantHex(
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
export async function openSources(
  written: string,
  asked: {
    readonly line: CommandLine;
    readonly http: HttpDeps;
    readonly chainId: number | undefined;
    readonly signal: AbortSignal;
  },
): Promise<AskedSources> {
  const { signal, chainId = NO_CHAIN } = asked;
  const verified: AbiProvider[] = [];
  let signatures: SignatureProvider | undefined;
  for (const name of namesIn(written)) {
    const ports = await open(name, asked);
    if (ports.verified) verified.push(ports.verified);
    signatures ??= ports.signatures;
  }
  const source = chainAbiProviders(verified);
  const store = createVerifiedCache();
  const byHash = signatures && { store: createSignatureCache(), source: signatures };
  const told = new Set<string>();
  const options = {
    ...{ chainId, endpoint: asked.line.rpcUrl ?? '', signal },
    onFailure({ message }: Error) {
      if (!told.has(message)) say(message);
      told.add(message);
    },
  };
  const contracts = verified.length > 0 ? { store, source } : undefined;
  const wantCode = async (addresses: Iterable<Address>) => {
    if (contracts) await store.want(addresses, { ...options, source });
  };
  return {
    lookup: mergeLookups(store.lookup, ...(byHash ? [byHash.store.lookup] : [])),
    known: store,
    want: (logs, lookup) => prefetchAbis(logs, { ...options, lookup, contracts, signatures: byHash }),
    wantCode,
    async wantHex(hex, { lookup, at }) {
      if (at) await wantCode([at.address]);
      if (!byHash) return;
      const events = hex.length === HASH_DIGITS ? new Map([[hex, new Set([1])]]) : new Map();
      const areWords = (hex.length - 2) % WORD_DIGITS === 0;
      const selector = areWords || hex.length < SELECTOR_DIGITS ? undefined : hex.slice(0, SELECTOR_DIGITS);
      const isKnown = selector === undefined || explainHex(selector as Hex, { lookup, at }).length > 0;
      const selectors = isKnown ? [] : [selector as Hex];
      await byHash.store.want({ events, selectors }, { ...options, source: byHash.source });
    },
  };
}

/** With `0x`. */
const SELECTOR_DIGITS = 10;
const HASH_DIGITS = 66;
const WORD_DIGITS = 64;

async function open(
  name: SourceName,
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
  const kind = kindOf(name);
  const url = urlOf(name, kind, line);
  if (name === 'sourcify' && !chainId) {
    throw badInput('chain-id', 'Sourcify is asked by chain: give it with --chain-id N.');
  }
  const rateLimit = kind.createRateLimit(http);
  return kind.open({
    ...http,
    url,
    chainId: chainId ?? NO_CHAIN,
    key: undefined,
    rateLimit,
    revoked: signal,
  });
}

function kindOf(name: SourceName): Provider {
  const kind = [...providers, ...thirdPartyProviders].find((one) => getProviderId(one) === name);
  if (!kind) throw badInput('sources', `There is no source ${name}.`);
  return kind;
}

function urlOf(name: SourceName, kind: Provider, line: CommandLine): string {
  const given = { explorer: undefined, sourcify: line.sourcifyUrl, signatures: line.signaturesUrl }[name];
  const network = endpointNetwork(line);
  const isAsked = name !== 'explorer' || line.rpcUrl !== undefined;
  const url = given ?? (isAsked ? kind.urlFor(network) : undefined);
  if (url === undefined) throw badInput('sources', 'The endpoint of --rpc is no explorer.');
  return url;
}
