import * as z from 'zod/mini';
import { sanitizeText } from '../base/text.ts';
import { isRecord } from '../base/values.ts';
import { builtInNetworks, findSecretPlaceholder, isHttpUrl, type Network, parseRpcAuth } from './network.ts';

/**
 * Why a network, or a field of one, cannot be used. `tooLong`: a name of more than {@link maxTextChars} says.
 * `notDecimals`: no whole number from 0 to 77. `badId`: not of letters, digits, dot, dash and underscore.
 * `keyElsewhere`: `${key}` is not in the path or query of the URL. `notRpcAuth`: no place for a secret.
 */
export type NetworkFieldError =
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
export interface NetworkValidationError {
  /** Empty where the whole setting is meant. */
  readonly networkId: string;
  /** Empty where the whole network is meant. */
  readonly field: FieldName | '';
  readonly fault: NetworkFieldError;
}

const NETWORK_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

function httpUrl() {
  return z.string(asFieldError('notHttp')).check(
    z.trim(),
    z.refine((text) => isHttpUrl(text), asFieldError('notHttp')),
  );
}

function endpointUrl() {
  return httpUrl().check(
    z.refine((url) => findSecretPlaceholder(url) !== 'elsewhere', asFieldError('keyElsewhere')),
  );
}

function secretPlace() {
  return z.pipe(
    z
      .string(asFieldError('notRpcAuth'))
      .check(z.refine((written) => parseRpcAuth(written) !== undefined, asFieldError('notRpcAuth'))),
    z.transform((written) => parseRpcAuth(written)),
  );
}

/** What a schema says of what it refuses: a fault in place of words. */
function asFieldError(what: NetworkFieldError): NetworkFieldError {
  return what;
}

/** Text that is shown wherever the network is: read as plain text, which is longer where it makes the hidden visible. */
function createTextField(longest: number) {
  const text = z
    .string(asFieldError('notText'))
    .check(z.trim(), z.minLength(1, asFieldError('empty')), z.maxLength(longest, asFieldError('tooLong')));
  return z.pipe(
    text,
    z.transform((written) => sanitizeText(written, 80)),
  );
}

/** Characters that the texts of a network may have. */
export const maxTextChars = { name: 80, symbol: 12 } as const;

const networkFields = {
  name: createTextField(maxTextChars.name),
  chainId: z
    .int(asFieldError('notWhole'))
    .check(
      z.positive(asFieldError('notAboveZero')),
      z.maximum(Number.MAX_SAFE_INTEGER, asFieldError('tooLarge')),
    ),
  rpcUrl: endpointUrl(),
  rpcAuth: secretPlace(),
  dataApiUrl: httpUrl(),
  explorerUrl: httpUrl(),
  symbol: createTextField(maxTextChars.symbol),
  decimals: z
    .int(asFieldError('notDecimals'))
    .check(z.minimum(0, asFieldError('notDecimals')), z.maximum(77, asFieldError('notDecimals'))),
} as const;

type FieldName = keyof typeof networkFields;
const fieldNames = Object.keys(networkFields) as readonly FieldName[];

/**
 * What is wrong with one field of a network; undefined if nothing is.
 *
 * @example validateNetworkField('rpcUrl', 'ftp://node.example') // 'notHttp'
 */
export function validateNetworkField(field: FieldName, value: unknown): NetworkFieldError | undefined {
  const parsed = readField(field, value);
  return 'fault' in parsed ? parsed.fault : undefined;
}

function readField(
  field: FieldName,
  value: unknown,
): { readonly value: unknown } | { readonly fault: NetworkFieldError } {
  const parsed = z.safeParse(networkFields[field] as z.ZodMiniType<unknown>, value);
  if (parsed.success) return { value: parsed.data };
  return { fault: parsed.error.issues[0]?.message as NetworkFieldError };
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
  readonly problems: readonly NetworkValidationError[];
} {
  const networks = new Map(builtInNetworks.map((network) => [network.id, network]));
  const problems: NetworkValidationError[] = [];
  if (setting !== undefined && !isRecord(setting)) {
    problems.push({ networkId: '', field: '', fault: 'notNetworks' });
    return { networks: [...networks.values()], problems };
  }
  for (const [id, entry] of Object.entries(setting ?? {})) {
    const networkId = sanitizeText(id);
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

type Report = (field: FieldName | '', fault: NetworkFieldError) => void;

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
