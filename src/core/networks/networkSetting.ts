import * as z from 'zod/mini';
import { sanitizeText } from '../base/text.ts';
import { isRecord } from '../base/values.ts';
import { builtInNetworks, findSecretPlaceholder, isHttpUrl, type Network, parseRpcAuth } from './network.ts';

/**
 * The built-in networks, overridden and extended by the setting `chainside.networks` field by field. An invalid field
 * keeps its built-in value. A new network without chain ID or RPC URL is omitted. Each is reported in `problems`.
 *
 * @param setting untrusted, of any shape.
 * @example resolveNetworks({ mine: { chainId: 7, rpcUrl: 'http://127.0.0.1:8545' } }).networks.length // 4
 */
export function resolveNetworks(setting: unknown): {
  readonly networks: readonly Network[];
  readonly errors: readonly NetworkValidationError[];
} {
  const networks = new Map(builtInNetworks.map((network) => [network.id, network]));
  const errors: NetworkValidationError[] = [];
  if (setting !== undefined && !isRecord(setting)) {
    errors.push({ networkId: '', field: '', error: 'notNetworks' });
    return { networks: [...networks.values()], errors };
  }
  for (const [id, entry] of Object.entries(setting ?? {})) {
    const networkId = sanitizeText(id);
    const report: Report = (field, fault) => errors.push({ networkId, field, error: fault });
    if (!NETWORK_ID.test(id)) {
      report('', 'badId');
      continue;
    }
    if (!isRecord(entry)) {
      report('', 'notAnObject');
      continue;
    }
    const fields = parseFields(entry, report);
    const base = networks.get(id);
    const network = base ? { ...base, ...fields } : createNetwork(id, fields, report);
    if (network) networks.set(id, network);
  }
  return { networks: [...networks.values()], errors };
}

/** An invalid part of the networks setting. The rest of the setting still applies. */
export interface NetworkValidationError {
  /** Empty for an error in the setting as such. */
  readonly networkId: string;
  /** Empty for an error in the network as such. */
  readonly field: FieldName | '';
  readonly error: NetworkFieldError;
}

/**
 * Why a network, or a field of one, cannot be used. `tooLong`: longer than {@link maxTextChars}. `notDecimals`: no
 * integer from 0 to 77. `badId`: anything but letters, digits, dot, dash and underscore. `keyElsewhere`: `${key}` is
 * not in the path or query of the URL. `notRpcAuth`: no place for a secret.
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

const NETWORK_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * The error in one field of a network; undefined if it is valid.
 *
 * @example validateNetworkField('rpcUrl', 'ftp://node.example') // 'notHttp'
 */
export function validateNetworkField(field: FieldName, value: unknown): NetworkFieldError | undefined {
  const parsed = parseField(field, value);
  return 'error' in parsed ? parsed.error : undefined;
}

type Report = (field: FieldName | '', fault: NetworkFieldError) => void;

function parseFields(entry: Record<string, unknown>, report: Report) {
  const fields: Partial<Record<FieldName, unknown>> = {};
  for (const name of fieldNames) {
    if (entry[name] === undefined || entry[name] === null) continue;
    const parsed = parseField(name, entry[name]);
    if ('error' in parsed) report(name, parsed.error);
    else fields[name] = parsed.value;
  }
  return fields as Partial<Omit<Network, 'id'>>;
}

function createNetwork(
  id: string,
  fields: Partial<Omit<Network, 'id'>>,
  report: Report,
): Network | undefined {
  const { chainId, rpcUrl } = fields;
  if (chainId === undefined) report('chainId', 'missing');
  if (rpcUrl === undefined) report('rpcUrl', 'missing');
  if (chainId === undefined || rpcUrl === undefined) return undefined;
  return { symbol: 'ETH', decimals: 18, name: id, ...fields, id, chainId, rpcUrl };
}

function parseField(
  field: FieldName,
  value: unknown,
): { readonly value: unknown } | { readonly error: NetworkFieldError } {
  const parsed = z.safeParse(networkFields[field] as z.ZodMiniType<unknown>, value);
  if (parsed.success) return { value: parsed.data };
  return { error: parsed.error.issues[0]?.message as NetworkFieldError };
}

function createHttpUrlField() {
  return z.string(asFieldError('notHttp')).check(
    z.trim(),
    z.refine((text) => isHttpUrl(text), asFieldError('notHttp')),
  );
}

function createEndpointUrlField() {
  return createHttpUrlField().check(
    z.refine((url) => findSecretPlaceholder(url) !== 'elsewhere', asFieldError('keyElsewhere')),
  );
}

function createRpcAuthField() {
  return z.pipe(
    z
      .string(asFieldError('notRpcAuth'))
      .check(z.refine((text) => parseRpcAuth(text) !== undefined, asFieldError('notRpcAuth'))),
    z.transform((text) => parseRpcAuth(text)),
  );
}

/** The message of a schema is a code. */
function asFieldError(error: NetworkFieldError): NetworkFieldError {
  return error;
}

/** Text that is shown with the network. Sanitized, it is longer if hidden characters become visible. */
function createTextField(maxChars: number) {
  const text = z
    .string(asFieldError('notText'))
    .check(z.trim(), z.minLength(1, asFieldError('empty')), z.maxLength(maxChars, asFieldError('tooLong')));
  return z.pipe(
    text,
    z.transform((text) => sanitizeText(text, 80)),
  );
}

export const maxTextChars = { name: 80, symbol: 12 } as const;

const networkFields = {
  name: createTextField(maxTextChars.name),
  chainId: z
    .int(asFieldError('notWhole'))
    .check(
      z.positive(asFieldError('notAboveZero')),
      z.maximum(Number.MAX_SAFE_INTEGER, asFieldError('tooLarge')),
    ),
  rpcUrl: createEndpointUrlField(),
  rpcAuth: createRpcAuthField(),
  dataApiUrl: createHttpUrlField(),
  explorerUrl: createHttpUrlField(),
  symbol: createTextField(maxTextChars.symbol),
  decimals: z
    .int(asFieldError('notDecimals'))
    .check(z.minimum(0, asFieldError('notDecimals')), z.maximum(77, asFieldError('notDecimals'))),
} as const;

type FieldName = keyof typeof networkFields;
const fieldNames = Object.keys(networkFields) as readonly FieldName[];
