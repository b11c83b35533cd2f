import { EnvHttpProxyAgent, fetch as undiciFetch } from 'undici';
import {
  badInput,
  createOriginGates,
  englishMessage,
  explorerApiUrl,
  type FetchLike,
  getGatewayChain,
  type HttpDeps,
  listUrlVariables,
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
import type { CliContext, ProgramInputs } from './context.ts';
import type { Output } from './output.ts';
import { listStartFolders } from './queryPaths.ts';
import type { Env } from './terminal.ts';

/**
 * Adds the key of the JSON-RPC endpoint, from its URL or the environment, to the requests of `http`.
 *
 * @throws AppError `badInput` with the missing or invalid option as `field`; never with the key.
 */
export function withRpcKey(
  http: HttpDeps,
  { rpcUrl, rpcKey, rpcKeyEnv, rpcAuth }: Partial<CommandLine>,
  env: Env,
): HttpDeps {
  if (rpcUrl === undefined) return http;
  const endpoint: SecretEndpoint = { rpcUrl, rpcAuth };
  const missing = listUrlVariables(rpcUrl).find((name) => !env[name]?.trim());
  if (missing !== undefined)
    throw badInput('rpc', englishMessage`The environment variable ${missing} is not set.`);
  if (rpcKey !== undefined) return withKey(rpcKey);
  if (!requiresSecret(endpoint)) {
    if (rpcKeyEnv === undefined) return withKey(undefined);
    throw badInput(
      'rpc-key-in',
      `The key has no place. Set --rpc-key-in bearer or header:NAME, or put ${SECRET_PLACEHOLDER} into --rpc.`,
    );
  }
  if (rpcKeyEnv === undefined) {
    throw badInput(
      'rpc-key-env',
      'The key of --rpc is missing. Name its environment variable with --rpc-key-env NAME.',
    );
  }
  const secret = env[rpcKeyEnv];
  if (!secret)
    throw badInput('rpc-key-env', englishMessage`The environment variable ${rpcKeyEnv} is not set.`);
  return withKey(requireEndpointSecret(secret));

  function withKey(key: string | undefined): HttpDeps {
    const secretReader = { read: async () => key };
    return withEndpointSecret(
      http,
      endpoint,
      () => secretReader,
      (name) => env[name],
    );
  }
}

/**
 * Opens the first provider of `port` that the endpoint itself serves without a key; undefined if it serves none.
 *
 * @throws AppError `badInput` without an endpoint; other kinds if its capabilities cannot be read.
 */
export async function openEndpointProvider<Port extends keyof ProviderPorts>(
  http: HttpDeps,
  port: Port,
  { rpcUrl, chainId = NO_CHAIN_ID, signal }: EndpointOptions,
): Promise<ProviderPorts[Port] | undefined> {
  if (rpcUrl === undefined) throw badInput('rpc', 'The JSON-RPC endpoint is missing. Set it with --rpc URL.');
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
    const provider: ProviderPorts[Port] | undefined = opened[port];
    if (provider) return provider;
  }
  return undefined;
}

interface EndpointOptions {
  readonly rpcUrl: string | undefined;
  readonly chainId?: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * Opens Etherscan with the key of `--etherscan-key-env`; without ports for a development chain, which it cannot know.
 *
 * @throws AppError `badInput` without a key or a chain.
 */
export async function openEtherscan(
  line: Pick<CommandLine, 'etherscanKeyEnv' | 'rpcUrl'>,
  chainId: number | undefined,
  { http, env, signal }: Pick<CliContext, 'env' | 'http' | 'signal'>,
): Promise<Partial<ProviderPorts>> {
  if (!chainId) throw badInput('chain-id', 'Etherscan needs a chain. Set it with --chain-id N.');
  const key = readEtherscanKey(line, env);
  const kind = providers.find(({ name }) => name === 'etherscan');
  const url = kind?.urlFor(toNetwork({ rpcUrl: line.rpcUrl, chainId }));
  if (!kind || url === undefined) return {};
  return kind.open({ ...http, url, chainId, key, throttle: kind.createThrottle(http), revoked: signal });
}

function readEtherscanKey({ etherscanKeyEnv: name }: Pick<CommandLine, 'etherscanKeyEnv'>, env: Env) {
  if (name === undefined) {
    throw badInput(
      'etherscan-key-env',
      'Etherscan needs a key. Name its environment variable with --etherscan-key-env NAME.',
    );
  }
  const text = env[name];
  if (text) return { text, place: 'query' } as const;
  throw badInput('etherscan-key-env', englishMessage`The environment variable ${name} is not set.`);
}

/** Wraps the endpoint of the command line in a network without a name. */
export function toNetwork({ rpcUrl, chainId = NO_CHAIN_ID }: Omit<EndpointOptions, 'signal'>): Network {
  return { id: '', name: '', chainId, rpcUrl: rpcUrl ?? '', symbol: '', decimals: 18 };
}

/**
 * The hint for an explorer that rejects requests without a key, as those hosted by Blockscout do since 2026:
 * https://docs.blockscout.com/devs/apis/requests-and-limits. Undefined if a key is set or the endpoint is not an
 * explorer.
 */
export function formatKeyHint({ rpcUrl, rpcKey, rpcKeyEnv, chainId }: CommandLine): string | undefined {
  if (rpcUrl === undefined || rpcKey !== undefined || rpcKeyEnv !== undefined) return undefined;
  if (getGatewayChain(rpcUrl) !== undefined)
    return 'The gateway accepts a key: --rpc-key-env NAME --rpc-key-in bearer';
  if (!explorerApiUrl(rpcUrl, '/api')) return undefined;
  const gateway = `https://api.blockscout.com/${chainId ?? 'CHAIN_ID'}/json-rpc`;
  return `The explorer may require a key now. Blockscout's gateway accepts one: --rpc ${gateway} --rpc-key-env NAME --rpc-key-in bearer`;
}

/**
 * Returns the chain ID of the command line, else that of the server; undefined if neither has one.
 *
 * @throws AppError `badInput` for `chain-id` if they differ.
 */
export function reconcileChainId(
  requested: number | undefined,
  reported: number | undefined,
): number | undefined {
  if (requested !== undefined && reported !== undefined && requested !== reported)
    throw badInput(
      'chain-id',
      englishMessage`The server is on chain ${reported}, not on chain ${requested}.`,
    );
  return requested ?? reported;
}

/**
 * Does work with requests to the endpoint of a command line, and closes the connections.
 *
 * @throws AppError `badInput` with an option or variable as `field`; otherwise as the work does.
 */
export async function withContext<T>(
  line: CommandLine,
  { program, output }: { readonly program: ProgramInputs; readonly output: Output },
  work: (context: CliContext) => Promise<T>,
): Promise<T> {
  const { env } = program;
  const end = new AbortController();
  const signal = AbortSignal.any([program.signal, end.signal]);
  const http = createHttp(program, output.progress.countRequest);
  try {
    const startFolders = () => listStartFolders(env);
    return await work({ ...program, output, signal, http: withRpcKey(http, line, env), startFolders });
  } finally {
    // Requests that are still in flight would delay the exit.
    end.abort();
    await http.close();
  }
}

/**
 * Creates HTTP for Node, by default with undici.
 *
 * @throws AppError `badInput` with the invalid variable of a proxy as `field`; never with its value, which may contain
 * a password.
 */
export function createHttp(
  { env, fetch }: Pick<ProgramInputs, 'env' | 'fetch'>,
  onRequest: () => void = () => undefined,
): HttpDeps & { close(): Promise<void> } {
  const { send, close } = fetch ? { send: fetch, close: async () => undefined } : createNodeFetch(env);
  return {
    fetch(url, init) {
      onRequest();
      return send(url, init);
    },
    clock: systemClock,
    gates: createOriginGates(systemClock),
    close,
  };
}

/** undici, through the proxy of HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in lower case or in capitals. */
function createNodeFetch(env: Env) {
  const proxies = {
    httpProxy: readProxy('HTTP_PROXY', env),
    httpsProxy: readProxy('HTTPS_PROXY', env),
    noProxy: env.no_proxy ?? env.NO_PROXY ?? '',
  };
  // Requests by http: go through the proxy without a tunnel, as in other programs: many proxies allow tunnels to port 443 only.
  const dispatcher = new EnvHttpProxyAgent({ proxyTunnel: false, ...proxies });
  const send: FetchLike = async (url, init) =>
    (await undiciFetch(url, { ...init, dispatcher })) as unknown as Response;
  return { send, close: () => dispatcher.close() };
}

/** The name in lower case goes first. An empty value is no proxy. */
function readProxy(capitals: string, env: Env): string {
  const lower = capitals.toLowerCase();
  const name = env[lower] === undefined ? capitals : lower;
  const value = env[name] ?? '';
  if (value === '' || isProxy(value)) return value;
  throw badInput(
    name,
    englishMessage`${name} is not the URL of a proxy. Write http://HOST:PORT, or use https or socks5.`,
  );
}

const proxySchemes = ['http:', 'https:', 'socks5:', 'socks:'];

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
