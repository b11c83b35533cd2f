import * as z from 'zod/mini';
import { plainText } from '../values/plainText.ts';

/** A chain and where to ask about it. Chain ids exceed 2^32 but fit a safe integer. */
export interface Network {
  readonly id: string;
  readonly name: string;
  readonly chainId: number;
  /** JSON-RPC endpoint: an explorer's `…/api/eth-rpc` or a node. */
  readonly rpcUrl: string;
  /** Origin and path before `/v1/…` of the data API; undefined where none serves the chain. */
  readonly dataApiUrl?: string | undefined;
  /** Explorer website, for links. */
  readonly explorerUrl?: string | undefined;
  readonly symbol: string;
  readonly decimals: number;
}

/** A part of the networks setting that cannot be used, and why. The rest of the setting still holds. */
export interface NetworkProblem {
  readonly networkId: string;
  readonly field: string;
  readonly message: string;
}

export const builtInNetworks: readonly Network[] = [
  {
    id: 'mainnet',
    name: 'Palm',
    chainId: 11297108109,
    rpcUrl: 'https://explorer.palm.io/api/eth-rpc',
    dataApiUrl: 'https://api.covalenthq.com',
    explorerUrl: 'https://explorer.palm.io',
    symbol: 'PALM',
    decimals: 18,
  },
  {
    id: 'testnet',
    name: 'Palm Testnet',
    chainId: 11297108099,
    rpcUrl: 'https://explorer.palm-uat.xyz/api/eth-rpc',
    dataApiUrl: 'https://api.covalenthq.com',
    explorerUrl: 'https://explorer.palm-uat.xyz',
    symbol: 'PALM',
    decimals: 18,
  },
  {
    id: 'local',
    name: 'Local Node',
    chainId: 31337,
    rpcUrl: 'http://127.0.0.1:8545',
    symbol: 'ETH',
    decimals: 18,
  },
];

const NETWORK_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

function httpUrl(message: string) {
  return z.string().check(
    z.trim(),
    z.refine((text) => isHttpUrl(text), message),
  );
}

/** Text that is shown wherever the network is: read as plain text, which is longer where it makes the hidden visible. */
function shownText(longest: number) {
  const text = z
    .string('must be text')
    .check(
      z.trim(),
      z.minLength(1, 'must not be empty'),
      z.maxLength(longest, `is over ${longest} characters`),
    );
  return z.pipe(
    text,
    z.transform((written) => plainText(written, 80)),
  );
}

const urlMessage = 'must be an http or https address without user name or password';
const networkFields = {
  name: shownText(80),
  chainId: z
    .int('must be a whole number')
    .check(z.positive('must be above 0'), z.maximum(Number.MAX_SAFE_INTEGER, 'is too large')),
  rpcUrl: httpUrl(urlMessage),
  dataApiUrl: httpUrl(urlMessage),
  explorerUrl: httpUrl(urlMessage),
  symbol: shownText(12),
  decimals: z
    .int('must be a whole number')
    .check(z.minimum(0, 'must be 0 to 77'), z.maximum(77, 'must be 0 to 77')),
} as const;

type FieldName = keyof typeof networkFields;
const fieldNames = Object.keys(networkFields) as readonly FieldName[];

/** Whether `text` is an http or https URL that carries no user name or password. */
export function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return (
    (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.password === ''
  );
}

/**
 * What is wrong with one field of a network, in words that follow its name, or undefined if nothing is.
 */
export function networkFieldProblem(field: FieldName, value: unknown): string | undefined {
  const parsed = z.safeParse(networkFields[field] as z.ZodMiniType<unknown>, value);
  return parsed.success ? undefined : (parsed.error.issues[0]?.message ?? 'is not usable');
}

/**
 * The built-in networks with the setting `chainside.networks` laid over them field by field.
 * A field of the wrong type keeps its built-in value; a new network that lacks name, chain id or RPC URL is left
 * out; each is told as a problem.
 *
 * @param setting the setting as it was read: of any shape, since a person or a tool wrote it.
 */
export function resolveNetworks(setting: unknown): {
  readonly networks: readonly Network[];
  readonly problems: readonly NetworkProblem[];
} {
  const networks = new Map(builtInNetworks.map((network) => [network.id, network]));
  const problems: NetworkProblem[] = [];
  if (setting !== undefined && !isRecord(setting)) {
    problems.push({ networkId: '', field: '', message: 'must be an object of networks by id' });
    return { networks: [...networks.values()], problems };
  }
  for (const [id, entry] of Object.entries(setting ?? {})) {
    const networkId = plainText(id);
    const report = (field: string, message: string) => problems.push({ networkId, field, message });
    if (!NETWORK_ID.test(id)) {
      report('', 'has an id that is not made of letters, digits, dot, dash and underscore');
      continue;
    }
    if (!isRecord(entry)) {
      report('', 'must be an object');
      continue;
    }
    const fields = readFields(entry, report);
    const network = completeNetwork(id, networks.get(id), fields, report);
    if (network) networks.set(id, network);
  }
  return { networks: [...networks.values()], problems };
}

function readFields(entry: Record<string, unknown>, report: (field: string, message: string) => void) {
  const fields: Partial<Record<FieldName, unknown>> = {};
  for (const name of fieldNames) {
    if (entry[name] === undefined || entry[name] === null) continue;
    const parsed = z.safeParse(networkFields[name] as z.ZodMiniType<unknown>, entry[name]);
    if (parsed.success) fields[name] = parsed.data;
    else report(name, parsed.error.issues[0]?.message ?? 'is not usable');
  }
  return fields as Partial<Omit<Network, 'id'>>;
}

function completeNetwork(
  id: string,
  base: Network | undefined,
  fields: Partial<Omit<Network, 'id'>>,
  report: (field: string, message: string) => void,
): Network | undefined {
  if (base) return { ...base, ...fields };
  const { chainId, rpcUrl } = fields;
  if (chainId === undefined) report('chainId', 'is missing');
  if (rpcUrl === undefined) report('rpcUrl', 'is missing');
  if (chainId === undefined || rpcUrl === undefined) return undefined;
  return { symbol: 'ETH', decimals: 18, name: id, ...fields, id, chainId, rpcUrl };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
