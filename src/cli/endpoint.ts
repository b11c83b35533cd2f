import { EnvHttpProxyAgent, fetch as undiciFetch } from 'undici';
import {
  badInput,
  explorerApiUrl,
  type FetchLike,
  getGatewayChain,
  type HttpDeps,
  type Network,
  type ProviderPorts,
  providers,
  requireEndpointSecret,
  requiresSecret,
  SECRET_PLACEHOLDER,
  type SecretEndpoint,
  systemClock,
  withEndpointSecret,
} from '../core/index.ts';
import { type CommandLine, NO_CHAIN_ID } from './commandLine.ts';

export interface EndpointOptions {
  readonly rpcUrl: string | undefined;
  readonly chainId?: number | undefined;
  readonly signal: AbortSignal;
}

/** The endpoint of a command line, as a network that nobody has named. */
export function toNetwork({ rpcUrl, chainId = NO_CHAIN_ID }: Omit<EndpointOptions, 'signal'>): Network {
  return { id: '', name: '', chainId, rpcUrl: rpcUrl ?? '', symbol: '', decimals: 18 };
}

/**
 * The first source of a port that the endpoint itself is, without a key; undefined where it is none.
 *
 * @throws AppError `badInput` without an endpoint, and as the endpoint fails that is asked what it can do.
 */
export async function openEndpointProvider<Port extends keyof ProviderPorts>(
  http: HttpDeps,
  port: Port,
  { rpcUrl, chainId = NO_CHAIN_ID, signal }: EndpointOptions,
): Promise<ProviderPorts[Port] | undefined> {
  if (rpcUrl === undefined) throw badInput('rpc', 'Give the JSON-RPC endpoint with --rpc URL.');
  const network = toNetwork({ rpcUrl, chainId });
  for (const kind of providers) {
    const url = kind.urlFor(network);
    if (url === undefined || kind.takesKey || kind.offers[port] === undefined) continue;
    const throttle = kind.createThrottle(http);
    const opened = await kind.open({
      ...http,
      url,
      chainId,
      key: undefined,
      throttle,
      revoked: signal,
    });
    const source: ProviderPorts[Port] | undefined = opened[port];
    if (source) return source;
  }
  return undefined;
}

/**
 * `http` with the key of the JSON-RPC endpoint in its place: that which stood in its URL, or out of the environment.
 *
 * @throws AppError `badInput` naming the argument that is missing or not usable; never with the key.
 */
export function withRpcKey(http: HttpDeps, { rpcUrl, rpcKey, rpcKeyEnv, rpcAuth }: CommandLine): HttpDeps {
  if (rpcUrl === undefined) return http;
  const endpoint: SecretEndpoint = { rpcUrl, rpcAuth };
  if (rpcKey !== undefined) return withKey(rpcKey);
  if (!requiresSecret(endpoint)) {
    if (rpcKeyEnv === undefined) return http;
    throw badInput(
      'rpc-key-in',
      `Say where the key goes with --rpc-key-in bearer or header:NAME, or put ${SECRET_PLACEHOLDER} into --rpc.`,
    );
  }
  if (rpcKeyEnv === undefined) {
    throw badInput(
      'rpc-key-env',
      'Name the environment variable that holds the key of --rpc with --rpc-key-env NAME.',
    );
  }
  const written = process.env[rpcKeyEnv];
  if (!written) throw badInput('rpc-key-env', `The environment variable ${rpcKeyEnv} is not set.`);
  return withKey(requireEndpointSecret(written));

  function withKey(key: string): HttpDeps {
    const kept = { read: async () => key };
    return withEndpointSecret(http, endpoint, () => kept);
  }
}

/**
 * What helps where an explorer that was asked without a key refuses, as those that Blockscout hosts do since 2026:
 * https://docs.blockscout.com/devs/apis/requests-and-limits. Undefined where that is not the matter.
 */
export function formatKeyHint({ rpcUrl, rpcKey, rpcKeyEnv, chainId }: CommandLine): string | undefined {
  if (rpcUrl === undefined || rpcKey !== undefined || rpcKeyEnv !== undefined) return undefined;
  if (getGatewayChain(rpcUrl) !== undefined)
    return 'The gateway takes a key: --rpc-key-env NAME --rpc-key-in bearer';
  if (!explorerApiUrl(rpcUrl, '/api')) return undefined;
  const gateway = `https://api.blockscout.com/${chainId ?? 'CHAIN_ID'}/json-rpc`;
  return `An explorer may want a key by now. Blockscout's gateway takes one: --rpc ${gateway} --rpc-key-env NAME --rpc-key-in bearer`;
}

/**
 * The chain that is asked: as the command line says, as the server tells, undefined where neither does.
 *
 * @throws AppError `badInput` for `chain-id` where the two are not the same.
 */
export function reconcileChainId(given: number | undefined, told: number | undefined): number | undefined {
  if (given !== undefined && told !== undefined && given !== told)
    throw badInput('chain-id', `The server is of chain ${told}, not of chain ${given}.`);
  return given ?? told;
}

const proxySchemes = ['http:', 'https:', 'socks5:', 'socks:'];

/**
 * HTTP for a process of its own: undici, through the proxy that HTTP_PROXY, HTTPS_PROXY and NO_PROXY name, in lower
 * case or in capitals.
 *
 * @throws AppError `badInput` naming the variable that names no proxy; never with its value, which may hold a password.
 */
export function createHttp(): HttpDeps & { close(): Promise<void> } {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY']) requireProxy(name);
  const dispatcher = new EnvHttpProxyAgent();
  const fetch: FetchLike = async (url, init) =>
    (await undiciFetch(url, { ...init, dispatcher })) as unknown as Response;
  return { fetch, clock: systemClock, close: () => dispatcher.close() };
}

/** undici reads the name in lower case first, and takes an empty value for none. */
function requireProxy(capitals: string): void {
  const lower = capitals.toLowerCase();
  const name = process.env[lower] === undefined ? capitals : lower;
  const value = process.env[name];
  if (!value || isProxy(value)) return;
  throw badInput(
    name,
    `${name} is not the address of a proxy. Write http://HOST:PORT, with https or socks5 too.`,
  );
}

function isProxy(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, username, password } = new URL(value);
  return proxySchemes.includes(protocol) && hostname !== '' && [username, password].every(isDecodable);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
