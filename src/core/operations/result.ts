import { formatUndecodedReason } from '../abi/eventDecoder.ts';
import { formatNestedPath, type HexMeaning } from '../abi/hexMeaning.ts';
import type { DecodedLog } from '../abi/logDecoder.ts';
import { type AbiParameter, type AbiType, type AbiValue, isHashed } from '../abi/type.ts';
import { type AppError, safeUrl } from '../base/errors.ts';
import { sanitizeText } from '../base/text.ts';
import type { IdentityJson } from '../identity/identity.ts';
import { getServerName } from '../logs/engine/dialect.ts';
import type { OperationDeps } from './operation.ts';

/** A value as JSON has it. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** What every answer of an operation carries, whatever else it says. */
export type OperationResult = JsonObject & {
  /** Whether the answer is the whole one; `unknown` where nobody can tell. */
  readonly complete: boolean | 'unknown';
  /** Why it is not complete, or what is to be known about it. */
  readonly reasons: readonly string[];
  readonly network: JsonObject;
  /** The newest block that the server told while this was answered; null where it was not asked. */
  readonly head: string | null;
  /** Who was asked. */
  readonly source: JsonObject;
};

/** What an operation finds out; who was asked about which network is put around it. */
export interface Finding {
  readonly complete: boolean | 'unknown';
  readonly reasons?: readonly string[];
  readonly head?: bigint | undefined;
  readonly found: JsonObject;
}

/** A finding with the network and the source that it is of. */
export function toOperationResult(
  { network, client }: Pick<OperationDeps, 'client' | 'network'>,
  chainId: number | undefined,
  { complete, reasons = [], head, found }: Finding,
): OperationResult {
  const server = getServerName(client.dialect());
  return {
    ...{ complete, reasons: reasons.map((reason) => sanitizeText(reason, 400)) },
    network: {
      chainId: chainId ?? null,
      ...(network.name !== undefined && { name: sanitizeText(network.name) }),
    },
    head: head?.toString() ?? null,
    source: {
      rpc: safeUrl(network.rpcUrl),
      ...(server !== undefined && { server: productName(server) }),
    },
    ...found,
  };
}

/** What a server calls itself: of that what names and versions are written with. */
function productName(words: string): string {
  return sanitizeText(words.replaceAll(/[^\w ./+-]+/g, ' '), 60);
}

/** Bytes of everything that an answer is sent with: by MCP it goes as JSON, and once more as text of that JSON. */
export const MAX_RESULT_BYTES = 16 * 1024;
/** Of what stands around both. */
const FRAME_BYTES = 256;
/** Each takes half of the longest part away: a megabyte has become nothing after fewer. */
const MAX_CUTS = 400;
const MIN_TEXT_CHARS = 64;

const encoder = new TextEncoder();
const bytesOf = (text: string) => encoder.encode(text).length;

/**
 * Bytes that an answer takes, both forms of it counted.
 *
 * @example countSentBytes({}) // 262
 */
export function countSentBytes(answer: Json): number {
  const json = JSON.stringify(answer);
  return bytesOf(json) + bytesOf(JSON.stringify(json)) + FRAME_BYTES;
}

/**
 * The answer if it fits, else with its longest lists and texts cut until it does, and `truncated`.
 *
 * @example fitResult({ rows: [1, 2] }) // { rows: [1, 2] }
 */
export function fitResult<T extends JsonObject>(answer: T, most = MAX_RESULT_BYTES): T {
  if (countSentBytes(answer) <= most) return answer;
  let cut: Json = { ...answer, truncated: true };
  for (let step = 0; step < MAX_CUTS && countSentBytes(cut) > most; step++) cut = cutLongest(cut);
  return cut as T;
}

type Path = readonly (string | number)[];

function cutLongest(json: Json): Json {
  const { path } = longestPart(json, []);
  return path === undefined ? json : replaceAt(json, path);
}

/** The list or text, or object of many keys, that takes the most; of one within another the inner one if that is most of it. */
function longestPart(json: Json, at: Path): { readonly size: number; readonly path: Path | undefined } {
  if (typeof json === 'string') {
    return { size: json.length, path: json.length > MIN_TEXT_CHARS ? at : undefined };
  }
  if (typeof json !== 'object' || json === null) return { size: 5, path: undefined };
  const isList = Array.isArray(json);
  const parts = Object.entries(json).map(([key, value]) => {
    const part = longestPart(value as Json, [...at, isList ? Number(key) : key]);
    return { ...part, size: part.size + (isList ? 1 : key.length + 4) };
  });
  const size = parts.reduce((sum, part) => sum + part.size, 2);
  const longest = parts.reduce<(typeof parts)[number] | undefined>(
    (best, part) => (part.path && part.size > (best?.size ?? 0) ? part : best),
    undefined,
  );
  const mayCut = at.length > 0 && parts.length > 1;
  if (longest && (!mayCut || longest.size * 2 > size)) return { size, path: longest.path };
  return { size, path: mayCut ? at : longest?.path };
}

function replaceAt(json: Json, [key, ...rest]: Path): Json {
  if (key === undefined) return half(json);
  if (Array.isArray(json)) return json.map((item, place) => (place === key ? replaceAt(item, rest) : item));
  const object = json as JsonObject;
  return { ...object, [key]: replaceAt(object[key] ?? null, rest) };
}

function half(json: Json): Json {
  if (typeof json === 'string') {
    const kept = [...json].slice(0, Math.floor(json.length / 2)).join('');
    return kept.endsWith('…') ? kept : `${kept}…`;
  }
  if (Array.isArray(json)) return json.slice(0, Math.floor(json.length / 2));
  const entries = Object.entries(json as JsonObject);
  return { ...Object.fromEntries(entries.slice(0, Math.floor(entries.length / 2))), truncated: true };
}

/** Characters of a text of a stranger that are given. */
const MAX_TEXT_CHARS = 200;
/** Bytes of a value that are given: more than a call with a few arguments has. */
const MAX_VALUE_BYTES = 256;
/** Items of an array that are given. */
const MAX_ARRAY_ITEMS = 20;

/**
 * Text that somebody wrote on the chain or told a server, marked as data: plain, and cut with a mark that it is.
 *
 * @example untrustedText('USDC') // { chainText: 'USDC' }
 */
export function untrustedText(text: string): JsonObject {
  const plain = sanitizeText(text, MAX_TEXT_CHARS);
  const isCut = plain.endsWith('…') && (text.length > MAX_TEXT_CHARS || !text.trimEnd().endsWith('…'));
  return { chainText: plain, ...(isCut && { truncated: true }) };
}

/**
 * Bytes as hex; of long ones the beginning.
 *
 * @example bytesToJson('0x1234') // '0x1234'
 */
export function bytesToJson(hex: string): Json {
  const bytes = (hex.length - 2) / 2;
  if (bytes <= MAX_VALUE_BYTES) return hex;
  return { hex: hex.slice(0, 2 + 2 * MAX_VALUE_BYTES), bytes, truncated: true };
}

/** A decoded value as JSON: integers as decimal strings, texts marked as data, long ones cut. */
export function untrustedValue(type: AbiType, value: AbiValue): Json {
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

/** Values by the names of their parameters; a list of both where names are missing or stand twice. */
function untrustedArguments(parameters: readonly AbiParameter[], values: readonly AbiValue[]): Json {
  const given = parameters.map((parameter, place) => {
    const value = values[place] ?? '';
    const hash = 'indexed' in parameter && isHashed(parameter as never);
    return {
      parameter,
      value: hash
        ? { hashOf: parameter.type.text, hash: String(value) }
        : untrustedValue(parameter.type, value),
    };
  });
  const names = new Set(parameters.map(({ name }) => name));
  if (names.size === parameters.length && !names.has('') && !names.has('__proto__')) {
    return Object.fromEntries(given.map(({ parameter, value }) => [parameter.name, value]));
  }
  return given.map(({ parameter: { name, type }, value }) => ({ name, type: type.text, value }));
}

/** What a log says: event, arguments and who knows it; else why that is not known. */
export function untrustedEvent(decoded: DecodedLog): JsonObject {
  if ('reason' in decoded)
    return { event: null, why: sanitizeText(formatUndecodedReason(decoded.reason), 300) };
  const { event, values, origin } = decoded;
  return {
    event: event.name,
    args: untrustedArguments(event.inputs, values),
    abi: sanitizeText(`${origin.trust}: ${origin.from}`, 160),
  };
}

const MAX_ERROR_CHARS = 1500;

/** A failure in our own words, and beside them what the server said, as data. */
export interface AgentError {
  readonly words: string;
  readonly said: { readonly serverSaid: JsonObject } | undefined;
}

/** @example toAgentError(error).words // 'The server refused the call (see serverSaid)' */
export function toAgentError({ message, details }: AppError): AgentError {
  const { serverMessage = '' } = details;
  if (serverMessage === '') return { words: sanitizeText(message, MAX_ERROR_CHARS), said: undefined };
  const [own = ''] = message.split(serverMessage, 1);
  const words = own.trimEnd().replace(/[:.]$/, '') || 'The server refused';
  return {
    words: `${sanitizeText(words, MAX_ERROR_CHARS)} (see serverSaid)`,
    said: { serverSaid: untrustedText(serverMessage) },
  };
}

/** Parts that hold names which strangers gave. */
const NAMES: readonly string[] = ['name', 'symbol'];
/** What a chain of proxies nests at most. */
const MAX_PROXY_DEPTH = 8;
const MAX_PROVIDERS = 4;

/** What is at an address, with names marked as data. */
export function identityToAgentJson({ kind, token, proxy, created, sources }: IdentityJson): JsonObject {
  return {
    kind,
    token: marked(token as Json),
    proxy: marked(proxy as unknown as Json),
    created: marked(created as Json),
    asked: sources
      .slice(0, MAX_PROVIDERS)
      .map(({ name, gap }) => ({ source: name ?? null, ...(gap && { gap }) })),
  };
}

function marked(json: Json | undefined, depth = 0): Json {
  if (json === undefined || depth > MAX_PROXY_DEPTH) return null;
  if (Array.isArray(json)) return json.map((item) => marked(item, depth + 1));
  if (typeof json !== 'object' || json === null) return json;
  const parts = Object.entries(json).map(([key, value]): [string, Json] => {
    if (NAMES.includes(key) && typeof value === 'string') return [key, untrustedText(value)];
    return [key, marked(value as Json, depth + 1)];
  });
  return Object.fromEntries(parts);
}

/** Calls within a call that are given, and how deep. */
const MAX_NESTED_CALLS = 10;
const MAX_CALL_DEPTH = 3;

/** What hex may mean, with the texts in it marked as data. */
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
    ...('nested' in meaning && meaning.nested.length > 0 && { nested: nestedIn(meaning, depth) }),
  };
}

function nestedIn(meaning: Extract<HexMeaning, { readonly nested: unknown }>, depth: number): Json {
  if (depth >= MAX_CALL_DEPTH) return { of: meaning.nested.length, truncated: true };
  const inputs = 'item' in meaning ? meaning.item.inputs : meaning.inputs;
  return meaning.nested.slice(0, MAX_NESTED_CALLS).map(({ path, meanings: [first] }) => ({
    in: sanitizeText(formatNestedPath(inputs, path)),
    meaning: first ? meaningToAgentJson(first, depth + 1) : null,
  }));
}
