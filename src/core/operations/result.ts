import { describeUndecoded } from '../abi/eventDecoder.ts';
import { formatNestedPath, type HexMeaning } from '../abi/hexMeaning.ts';
import type { DecodedLog } from '../abi/logDecoder.ts';
import { type AbiParameter, type AbiType, type AbiValue, isHashed } from '../abi/type.ts';
import { type AppError, safeUrl } from '../base/errors.ts';
import { formatMessage, sanitizeText } from '../base/text.ts';
import type { IdentityJson } from '../identity/identity.ts';
import { getServerName } from '../logs/engine/dialect.ts';
import type { OperationDeps } from './operation.ts';

export function toOperationResult(
  { network, client }: Pick<OperationDeps, 'client' | 'network'>,
  chainId: number | undefined,
  { complete, reasons = [], head, found }: Finding,
): OperationResult {
  const server = getServerName(client.dialect());
  return {
    complete,
    reasons: reasons.map((reason) => sanitizeText(reason, 400)),
    network: {
      chainId: chainId ?? null,
      ...(network.name !== undefined && { name: sanitizeText(network.name) }),
    },
    head: head?.toString() ?? null,
    source: {
      rpc: safeUrl(network.rpcUrl),
      ...(server !== undefined && { server: sanitizeProductName(server) }),
    },
    ...found,
  };
}

/** Reduces the product name of a server to the characters of names and versions. */
function sanitizeProductName(name: string): string {
  return sanitizeText(name.replaceAll(/[^\w ./+-]+/g, ' '), 60);
}

export type OperationResult = JsonObject & {
  readonly complete: boolean | 'unknown';
  /** Why it is not complete, and other facts about it. */
  readonly reasons: readonly string[];
  readonly network: JsonObject;
  /** The newest block while the operation ran; null if it was not requested. */
  readonly head: string | null;
  readonly source: JsonObject;
};

/** What an operation finds, without the network and endpoint that {@link toOperationResult} adds. */
export interface Finding {
  readonly complete: boolean | 'unknown';
  readonly reasons?: readonly string[];
  readonly head?: bigint | undefined;
  readonly found: JsonObject;
}

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

const encoder = new TextEncoder();
const countBytes = (text: string) => encoder.encode(text).length;

/**
 * The bytes of a result as it is sent, in both forms.
 *
 * @example countSentBytes({}) // 262
 */
export function countSentBytes(result: Json): number {
  const json = JSON.stringify(result);
  return countBytes(json) + countBytes(JSON.stringify(json)) + ENVELOPE_BYTES;
}

/** Bytes around both forms. */
const ENVELOPE_BYTES = 256;

/**
 * Fits a result into `maxBytes`: if necessary, cuts its longest lists and texts and sets `truncated`.
 *
 * @example fitResult({ rows: [1, 2] }) // { rows: [1, 2] }
 */
export function fitResult<T extends JsonObject>(result: T, maxBytes = MAX_RESULT_BYTES): T {
  if (countSentBytes(result) <= maxBytes) return result;
  let cut: Json = { ...result, truncated: true };
  for (let step = 0; step < MAX_CUT_STEPS && countSentBytes(cut) > maxBytes; step++) cut = cutLongest(cut);
  return cut as T;
}

/** Of a result in both forms: MCP sends it as JSON, and again as text of that JSON. */
export const MAX_RESULT_BYTES = 16 * 1024;

/** Each step halves the longest part, so a megabyte is gone after fewer. */
const MAX_CUT_STEPS = 400;

type Path = readonly (string | number)[];

function cutLongest(json: Json): Json {
  const { path } = findLongestPart(json, []);
  return path === undefined ? json : replaceAt(json, path);
}

/** The longest list, text, or object with many keys; the inner one if it makes up most of the outer one. */
function findLongestPart(json: Json, path: Path): { readonly size: number; readonly path: Path | undefined } {
  if (typeof json === 'string') {
    return { size: json.length, path: json.length > MIN_TEXT_CHARS ? path : undefined };
  }
  if (typeof json !== 'object' || json === null) return { size: 5, path: undefined };
  const isList = Array.isArray(json);
  const parts = Object.entries(json).map(([key, value]) => {
    const part = findLongestPart(value as Json, [...path, isList ? Number(key) : key]);
    return { ...part, size: part.size + (isList ? 1 : key.length + 4) };
  });
  const size = parts.reduce((sum, part) => sum + part.size, 2);
  const longest = parts.reduce<(typeof parts)[number] | undefined>(
    (best, part) => (part.path && part.size > (best?.size ?? 0) ? part : best),
    undefined,
  );
  const mayCut = path.length > 0 && parts.length > 1;
  if (longest && (!mayCut || longest.size * 2 > size)) return { size, path: longest.path };
  return { size, path: mayCut ? path : longest?.path };
}

function replaceAt(json: Json, [key, ...rest]: Path): Json {
  if (key === undefined) return halve(json);
  if (Array.isArray(json)) return json.map((item, place) => (place === key ? replaceAt(item, rest) : item));
  const object = json as JsonObject;
  return { ...object, [key]: replaceAt(object[key] ?? null, rest) };
}

function halve(json: Json): Json {
  if (typeof json === 'string') {
    const start = [...json].slice(0, Math.floor(json.length / 2)).join('');
    return start.endsWith('…') ? start : `${start}…`;
  }
  if (Array.isArray(json)) return json.slice(0, Math.floor(json.length / 2));
  const entries = Object.entries(json as JsonObject);
  return { ...Object.fromEntries(entries.slice(0, Math.floor(entries.length / 2))), truncated: true };
}

const MIN_TEXT_CHARS = 64;

/**
 * Untrusted text, marked as data: sanitized, and marked if it is cut.
 *
 * @example untrustedText('USDC') // { chainText: 'USDC' }
 */
export function untrustedText(text: string): JsonObject {
  const plain = sanitizeText(text, MAX_TEXT_CHARS);
  const isCut = plain.endsWith('…') && (text.length > MAX_TEXT_CHARS || !text.trimEnd().endsWith('…'));
  return { chainText: plain, ...(isCut && { truncated: true }) };
}

const MAX_TEXT_CHARS = 200;

/**
 * Bytes as hex; only the beginning of long ones.
 *
 * @example bytesToJson('0x1234') // '0x1234'
 */
export function bytesToJson(hex: string): Json {
  const bytes = (hex.length - 2) / 2;
  if (bytes <= MAX_VALUE_BYTES) return hex;
  return { hex: hex.slice(0, 2 + 2 * MAX_VALUE_BYTES), bytes, truncated: true };
}

/** More than a call with a few arguments has. */
const MAX_VALUE_BYTES = 256;

/** A decoded value as JSON: integers as decimal strings, texts marked as data, long values cut. */
function untrustedValue(type: AbiType, value: AbiValue): Json {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    if (type.kind === 'string') return untrustedText(value);
    return type.kind === 'bytes' ? bytesToJson(value) : value;
  }
  if (type.kind === 'array') {
    const items = value.slice(0, MAX_ARRAY_ITEMS).map((item) => untrustedValue(type.item, item));
    return value.length > MAX_ARRAY_ITEMS ? { items, of: value.length, truncated: true } : items;
  }
  return type.kind === 'tuple' ? untrustedArguments(type.members, value) : null;
}

const MAX_ARRAY_ITEMS = 20;

/** Values by the names of their parameters; a list of both if names are missing or duplicate. */
function untrustedArguments(parameters: readonly AbiParameter[], values: readonly AbiValue[]): Json {
  const entries = parameters.map((parameter, place) => {
    const value = values[place] ?? '';
    const isHash = 'indexed' in parameter && isHashed(parameter as never);
    return {
      parameter,
      value: isHash
        ? { hashOf: parameter.type.text, hash: String(value) }
        : untrustedValue(parameter.type, value),
    };
  });
  const names = new Set(parameters.map(({ name }) => name));
  if (names.size === parameters.length && !names.has('') && !names.has('__proto__')) {
    return Object.fromEntries(entries.map(({ parameter, value }) => [parameter.name, value]));
  }
  return entries.map(({ parameter: { name, type }, value }) => ({ name, type: type.text, value }));
}

/** A decoded log: event, arguments and the origin of the ABI; else why it is not decoded. */
export function untrustedEvent(decoded: DecodedLog): JsonObject {
  if ('reason' in decoded)
    return { event: null, why: sanitizeText(formatMessage(describeUndecoded(decoded.reason)), 300) };
  const { event, values, origin } = decoded;
  return {
    event: event.name,
    args: untrustedArguments(event.inputs, values),
    abi: sanitizeText(`${origin.trust}: ${origin.from}`, 160),
  };
}

/** @example toAgentError(error).message // 'The server refused the call (see serverSaid)' */
export function toAgentError({ message, details }: AppError): AgentError {
  const { serverMessage = '' } = details;
  if (serverMessage === '') return { message: sanitizeText(message, MAX_ERROR_CHARS), serverText: undefined };
  const [own = ''] = message.split(serverMessage, 1);
  const ownMessage = own.trimEnd().replace(/[:.]$/, '') || 'The server refused';
  return {
    message: `${sanitizeText(ownMessage, MAX_ERROR_CHARS)} (see serverSaid)`,
    serverText: { serverSaid: untrustedText(serverMessage) },
  };
}

const MAX_ERROR_CHARS = 1500;

/** An error of Chainside, and separately the server's message, as data. */
interface AgentError {
  readonly message: string;
  readonly serverText: { readonly serverSaid: JsonObject } | undefined;
}

/** What is at an address, with names marked as data. */
export function identityToAgentJson({ kind, token, proxy, created, sources }: IdentityJson): JsonObject {
  return {
    kind,
    token: markUntrusted(token as Json),
    proxy: markUntrusted(proxy as unknown as Json),
    created: markUntrusted(created as Json),
    asked: sources
      .slice(0, MAX_PROVIDERS)
      .map(({ name, gap }) => ({ source: name ?? null, ...(gap && { gap }) })),
  };
}

const MAX_PROVIDERS = 4;

function markUntrusted(json: Json | undefined, depth = 0): Json {
  if (json === undefined || depth > MAX_PROXY_DEPTH) return null;
  if (Array.isArray(json)) return json.map((item) => markUntrusted(item, depth + 1));
  if (typeof json !== 'object' || json === null) return json;
  const parts = Object.entries(json).map(([key, value]): [string, Json] => {
    if (UNTRUSTED_KEYS.includes(key) && typeof value === 'string') return [key, untrustedText(value)];
    return [key, markUntrusted(value as Json, depth + 1)];
  });
  return Object.fromEntries(parts);
}

/** Members with untrusted names. */
const UNTRUSTED_KEYS: readonly string[] = ['name', 'symbol'];
/** The longest chain of proxies. */
const MAX_PROXY_DEPTH = 8;

/** A meaning of hex, with its texts marked as data. */
export function meaningToAgentJson(meaning: HexMeaning, depth = 0): JsonObject {
  const { kind } = meaning;
  const inputs = 'item' in meaning ? meaning.item.inputs : meaning.inputs;
  return {
    kind,
    ...('item' in meaning && {
      signature: sanitizeText(meaning.item.signature, 400),
      abi: sanitizeText(`${meaning.origin.trust}: ${meaning.origin.from}`, 160),
    }),
    ...('values' in meaning && { args: untrustedArguments(inputs, meaning.values) }),
    ...('note' in meaning && meaning.note !== undefined && { note: meaning.note }),
    ...('reason' in meaning && { reason: sanitizeText(meaning.reason, 200) }),
    ...('nested' in meaning && meaning.nested.length > 0 && { nested: nestedToJson(meaning, depth) }),
  };
}

function nestedToJson(meaning: Extract<HexMeaning, { readonly nested: unknown }>, depth: number): Json {
  if (depth >= MAX_CALL_DEPTH) return { of: meaning.nested.length, truncated: true };
  const inputs = 'item' in meaning ? meaning.item.inputs : meaning.inputs;
  return meaning.nested.slice(0, MAX_NESTED_CALLS).map(({ path, meanings: [first] }) => ({
    in: sanitizeText(formatNestedPath(inputs, path)),
    meaning: first ? meaningToAgentJson(first, depth + 1) : null,
  }));
}

const MAX_NESTED_CALLS = 10;
const MAX_CALL_DEPTH = 3;
