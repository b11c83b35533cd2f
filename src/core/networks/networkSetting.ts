import * as z from 'zod/mini';
import { isRecord } from '../base/records.ts';
import { plainText } from '../values/plainText.ts';
import { builtInNetworks, isHttpUrl, type Network } from './network.ts';
import { readRpcAuth, secretMarkIn } from './rpcAuth.ts';

/**
 * Why a network, or a field of one, cannot be used. `tooLong`: a name of more than {@link longestTexts} says.
 * `notDecimals`: no whole number from 0 to 77. `badId`: not of letters, digits, dot, dash and underscore.
 * `keyElsewhere`: `${key}` is not in the path or query of the URL. `notRpcAuth`: no place for a secret.
 */
export type NetworkFault =
  | 'notText'
  | 'empty'
  | 'tooLong'
  | 'notWhole'
  | 'notAboveZero'
  | 'tooLarge'
  | 'notHttp'
  | 'keyElsewhere'
  | 'notRpcAuth'
  | 'notDecimals'
  | 'missing'
  | 'badId'
  | 'notAnObject'
  | 'notNetworks';

/** A part of the networks setting that cannot be used, and why. The rest of the setting still holds. */
export interface NetworkProblem {
  /** Empty where the whole setting is meant. */
  readonly networkId: string;
  /** Empty where the whole network is meant. */
  readonly field: FieldName | '';
  readonly fault: NetworkFault;
}

const NETWORK_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

function httpUrl() {
  return z.string(fault('notHttp')).check(
    z.trim(),
    z.refine((text) => isHttpUrl(text), fault('notHttp')),
  );
}

function endpointUrl() {
  return httpUrl().check(z.refine((url) => secretMarkIn(url) !== 'elsewhere', fault('keyElsewhere')));
}

function secretPlace() {
  return z.pipe(
    z
      .string(fault('notRpcAuth'))
      .check(z.refine((written) => readRpcAuth(written) !== undefined, fault('notRpcAuth'))),
    z.transform((written) => readRpcAuth(written)),
  );
}

/** What a schema says of what it refuses: a fault in place of words. */
function fault(what: NetworkFault): NetworkFault {
  return what;
}

/** Text that is shown wherever the network is: read as plain text, which is longer where it makes the hidden visible. */
function shownText(longest: number) {
  const text = z
    .string(fault('notText'))
    .check(z.trim(), z.minLength(1, fault('empty')), z.maxLength(longest, fault('tooLong')));
  return z.pipe(
    text,
    z.transform((written) => plainText(written, 80)),
  );
}

/** Characters that the texts of a network may have. */
export const longestTexts = { name: 80, symbol: 12 } as const;

const networkFields = {
  name: shownText(longestTexts.name),
  chainId: z
    .int(fault('notWhole'))
    .check(z.positive(fault('notAboveZero')), z.maximum(Number.MAX_SAFE_INTEGER, fault('tooLarge'))),
  rpcUrl: endpointUrl(),
  rpcAuth: secretPlace(),
  dataApiUrl: httpUrl(),
  explorerUrl: httpUrl(),
  symbol: shownText(longestTexts.symbol),
  decimals: z
    .int(fault('notDecimals'))
    .check(z.minimum(0, fault('notDecimals')), z.maximum(77, fault('notDecimals'))),
} as const;

type FieldName = keyof typeof networkFields;
const fieldNames = Object.keys(networkFields) as readonly FieldName[];

/**
 * What is wrong with one field of a network; undefined if nothing is.
 *
 * @example findNetworkFault('rpcUrl', 'ftp://node.example') // 'notHttp'
 */
export function findNetworkFault(field: FieldName, value: unknown): NetworkFault | undefined {
  const parsed = readField(field, value);
  return 'fault' in parsed ? parsed.fault : undefined;
}

function readField(
  field: FieldName,
  value: unknown,
): { readonly value: unknown } | { readonly fault: NetworkFault } {
  const parsed = z.safeParse(networkFields[field] as z.ZodMiniType<unknown>, value);
  if (parsed.success) return { value: parsed.data };
  return { fault: parsed.error.issues[0]?.message as NetworkFault };
}

/**
 * The built-in networks with the setting `chainside.networks` laid over them field by field.
 * A field of the wrong type keeps its built-in value; a new network that lacks name, chain id or RPC URL is left
 * out; each is a problem.
 *
 * @param setting the setting as it was read: of any shape, since a person or a tool wrote it.
 *
 * @example resolveNetworks({ mine: { chainId: 7, rpcUrl: 'http://127.0.0.1:8545' } }).networks.length // 4
 */
export function resolveNetworks(setting: unknown): {
  readonly networks: readonly Network[];
  readonly problems: readonly NetworkProblem[];
} {
  const networks = new Map(builtInNetworks.map((network) => [network.id, network]));
  const problems: NetworkProblem[] = [];
  if (setting !== undefined && !isRecord(setting)) {
    problems.push({ networkId: '', field: '', fault: 'notNetworks' });
    return { networks: [...networks.values()], problems };
  }
  for (const [id, entry] of Object.entries(setting ?? {})) {
    const networkId = plainText(id);
    const report: Report = (field, fault) => problems.push({ networkId, field, fault });
    if (!NETWORK_ID.test(id)) {
      report('', 'badId');
      continue;
    }
    if (!isRecord(entry)) {
      report('', 'notAnObject');
      continue;
    }
    const fields = readFields(entry, report);
    const base = networks.get(id);
    const network = base ? { ...base, ...fields } : newNetwork(id, fields, report);
    if (network) networks.set(id, network);
  }
  return { networks: [...networks.values()], problems };
}

type Report = (field: FieldName | '', fault: NetworkFault) => void;

function readFields(entry: Record<string, unknown>, report: Report) {
  const fields: Partial<Record<FieldName, unknown>> = {};
  for (const name of fieldNames) {
    if (entry[name] === undefined || entry[name] === null) continue;
    const read = readField(name, entry[name]);
    if ('fault' in read) report(name, read.fault);
    else fields[name] = read.value;
  }
  return fields as Partial<Omit<Network, 'id'>>;
}

function newNetwork(id: string, fields: Partial<Omit<Network, 'id'>>, report: Report): Network | undefined {
  const { chainId, rpcUrl } = fields;
  if (chainId === undefined) report('chainId', 'missing');
  if (rpcUrl === undefined) report('rpcUrl', 'missing');
  if (chainId === undefined || rpcUrl === undefined) return undefined;
  return { symbol: 'ETH', decimals: 18, name: id, ...fields, id, chainId, rpcUrl };
}
