import type { Attribution, CallSuffix } from '../abi/callSuffix.ts';
import type { Origin } from '../abi/candidates.ts';
import { describeUndecoded } from '../abi/eventDecoder.ts';
import { formatNestedPath, type HexMeaning } from '../abi/hexMeaning.ts';
import type { DecodedLog } from '../abi/logDecoder.ts';
import { type AbiParameter, type AbiType, type AbiValue, isHashed } from '../abi/type.ts';
import { formatExactNumber } from '../abi/value.ts';
import { type AppError, safeUrl } from '../base/errors.ts';
import { decimal, type OwnText, ownText, ownWord } from '../base/ownText.ts';
import { isRecord } from '../base/values.ts';
import type { Hex } from '../eth/hex.ts';
import type { IdentityJson } from '../identity/identity.ts';
import { getServerName } from '../logs/engine/dialect.ts';
import { getOwnMessage } from '../secrets/redactKey.ts';
import {
  abiText,
  errorText,
  listQuotes,
  messageJson,
  messageText,
  untrustedText,
  userText,
  wordText,
} from './agentText.ts';
import type { OperationDeps } from './operation.ts';

export function toOperationResult(
  { network, client }: Pick<OperationDeps, 'client' | 'network'>,
  chainId: number | undefined,
  { complete, reasons, head, found }: Finding,
): OperationResult {
  const server = getServerName(client.dialect());
  return {
    complete,
    reasons,
    network: {
      chainId: chainId ?? null,
      ...(network.name !== undefined && { name: userText(network.name, 64) }),
    },
    head: head === undefined ? null : decimal(head),
    source: {
      rpc: userText(safeUrl(network.rpcUrl)),
      ...(server !== undefined && { server: untrustedText(server, 60) }),
    },
    ...found,
  };
}

export type OperationResult = JsonObject & {
  readonly complete: boolean | 'unknown';
  /** Why it is not complete. */
  readonly reasons: readonly OwnText[];
  readonly network: JsonObject;
  /** The newest block while the operation ran; null if it was not requested. */
  readonly head: OwnText | null;
  readonly source: JsonObject;
};

/** What an operation finds, without the network and endpoint that {@link toOperationResult} adds. */
export type Finding = Completion & { readonly head?: bigint | undefined; readonly found: JsonObject };

declare const isJudged: unique symbol;

/** Whether a result has all that was wanted. Only {@link toCompletion} makes one that has: without a reason against it. */
export type Completion =
  | { readonly complete: true; readonly reasons: readonly []; readonly [isJudged]: true }
  | { readonly complete: false | 'unknown'; readonly reasons: readonly OwnText[] };

/**
 * @param complete what the result would be without reasons.
 * @example toCompletion(true, [ownText`A row could not be decoded.`]).complete // 'unknown'
 */
export function toCompletion(complete: boolean | 'unknown', reasons: readonly OwnText[] = []): Completion {
  if (complete === true && reasons.length > 0) return { complete: 'unknown', reasons };
  return { complete, reasons } as Completion;
}

/** Has no text from servers, files or the chain but as `chainText`. */
export type Json = OwnText | Hex | 'unknown' | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

const encoder = new TextEncoder();
const countBytes = (text: string) => encoder.encode(text).length;

/**
 * The bytes of a result as it is sent, in both forms.
 *
 * @example countSentBytes({}) // 134
 */
export function countSentBytes(result: Json): number {
  const json = JSON.stringify(result);
  return countBytes(json) + countBytes(JSON.stringify(json)) + ENVELOPE_BYTES;
}

/** Bytes around both forms. */
const ENVELOPE_BYTES = 128;

/** The first rows that fit into `maxBytes`, in both forms; one row at least. */
export function takeFittingRows<T extends Json>(rows: readonly T[], maxBytes: number): readonly T[] {
  const none = countSentBytes([]);
  let bytes = 0;
  const end = rows.findIndex((row) => {
    bytes += countSentBytes(row) - none + COMMA_BYTES;
    return bytes > maxBytes;
  });
  return end < 0 ? rows : rows.slice(0, Math.max(1, end));
}

/** Brackets and a comma, in both forms. */
const COMMA_BYTES = 6;

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
  const isCutHere = rest.length === 0;
  return {
    ...object,
    [key]: replaceAt(object[key] ?? null, rest),
    ...(isCutHere && { truncated: true }),
  };
}

function halve(json: Json): Json {
  if (typeof json === 'string') {
    const start = [...json].slice(0, Math.floor(json.length / 2)).join('');
    return (start.endsWith('…') ? start : `${start}…`) as OwnText;
  }
  if (Array.isArray(json)) return json.slice(0, Math.floor(json.length / 2));
  const entries = Object.entries(json as JsonObject);
  return { ...Object.fromEntries(entries.slice(0, Math.floor(entries.length / 2))), truncated: true };
}

const MIN_TEXT_CHARS = 64;

/**
 * Bytes as hex; only the beginning of long ones.
 *
 * @example bytesToJson('0x1234') // '0x1234'
 */
export function bytesToJson(hex: Hex): Json {
  const bytes = (hex.length - 2) / 2;
  if (bytes <= MAX_VALUE_BYTES) return hex;
  return { hex: hex.slice(0, 2 + 2 * MAX_VALUE_BYTES) as Hex, bytes, truncated: true };
}

/** More than a call with a few arguments has. */
const MAX_VALUE_BYTES = 256;

/**
 * A decoded value as JSON: integers as decimal strings, texts marked as data, long values cut.
 *
 * @example untrustedValue({ kind: 'uint', bits: 8, text: 'uint8' }, 7n) // '7'
 */
export function untrustedValue(type: AbiType, value: AbiValue): Json {
  if (typeof value === 'bigint') return userText(formatExactNumber(type, value));
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    if (type.kind === 'string' || !isHex(value)) return untrustedText(value);
    return type.kind === 'bytes' ? bytesToJson(value) : value;
  }
  if (type.kind === 'array') {
    const items = value.slice(0, MAX_ARRAY_ITEMS).map((item) => untrustedValue(type.item, item));
    return value.length > MAX_ARRAY_ITEMS ? { items, of: value.length, truncated: true } : items;
  }
  return type.kind === 'tuple' ? untrustedArguments(type.members, value) : null;
}

const MAX_ARRAY_ITEMS = 20;

const isHex = (text: string): text is Hex => text.startsWith('0x') && !/[^0-9a-fA-F]/.test(text.slice(2));

/** Values by the names of their parameters; a list of both if names are missing or duplicate. */
function untrustedArguments(parameters: readonly AbiParameter[], values: readonly AbiValue[]): Json {
  const entries = parameters.map((parameter, place) => {
    const value = values[place] ?? '';
    const isHash = 'indexed' in parameter && isHashed(parameter as never);
    return {
      parameter,
      value: isHash
        ? { hashOf: abiText(parameter, parameter.type.text), hash: String(value) as Hex }
        : untrustedValue(parameter.type, value),
    };
  });
  const names = new Set(parameters.map(({ name }) => name));
  if (names.size === parameters.length && !names.has('') && !names.has('__proto__')) {
    return Object.fromEntries(entries.map(({ parameter, value }) => [parameter.name, value]));
  }
  return entries.map(({ parameter, value }) => ({
    name: abiText(parameter, parameter.name),
    type: abiText(parameter, parameter.type.text),
    value,
  }));
}

/** A decoded log: event, arguments and the origin of the ABI; else why it is not decoded. */
export function untrustedEvent(decoded: DecodedLog): JsonObject {
  if ('reason' in decoded) return { event: null, why: messageJson(describeUndecoded(decoded.reason)) };
  const { event, values, origin } = decoded;
  return {
    event: abiText(event, event.name),
    args: untrustedArguments(event.inputs, values),
    abi: originToJson(origin),
  };
}

/** The path of a file, or the name of a provider or standard. */
function originToJson({ trust, from }: Origin): JsonObject {
  return untrustedText(`${trust}: ${from}`, 160);
}

/** @example toAgentError(error).message // 'The server refused the call (see serverSaid)' */
export function toAgentError(error: AppError): AgentError {
  const { serverMessage = '', validation } = error.details;
  // The host is the server's.
  if (error.kind === 'redirected')
    return {
      message: ownText`The server redirects to another address (see serverSaid)`,
      serverText: { serverSaid: untrustedText(error.message) },
    };
  const message = validation
    ? messageText(validation)
    : errorText(getOwnMessage(error) || 'The server refused');
  if (serverMessage !== '')
    return {
      message: ownText`${message} (see serverSaid)`,
      serverText: { serverSaid: untrustedText(serverMessage) },
    };
  const quotes = validation ? listQuotes(validation) : [];
  return { message, serverText: quotes.length > 0 ? { quotes } : undefined };
}

/** An error of Chainside, and separately what others wrote, as data: the server's message, or texts in the message. */
interface AgentError {
  readonly message: OwnText;
  readonly serverText:
    | { readonly serverSaid: JsonObject }
    | { readonly quotes: readonly JsonObject[] }
    | undefined;
}

/** What is at an address, with texts of providers marked as data. */
export function identityToAgentJson({ kind, token, proxy, created, sources }: IdentityJson): JsonObject {
  return {
    kind: ownWord(kind),
    token: markUntrusted(token),
    proxy: markUntrusted(proxy),
    created: markUntrusted(created),
    asked: sources.slice(0, MAX_PROVIDERS).map(({ name, gap }) => ({
      source: name === undefined ? null : ownWord(name),
      ...(gap && { gap: markUntrusted(gap) }),
    })),
    ...(sources.length > MAX_PROVIDERS && { truncated: true }),
  };
}

const MAX_PROVIDERS = 4;

export function markUntrusted(json: unknown, depth = 0): Json {
  if (depth > MAX_PROXY_DEPTH) return { truncated: true };
  if (Array.isArray(json)) return json.map((item) => markUntrusted(item, depth + 1));
  if (isRecord(json)) {
    const parts = Object.entries(json).map(([key, value]): [string, Json] => {
      const isName = NAME_KEYS.includes(key) && typeof value === 'string';
      return [key, isName ? untrustedText(value) : markUntrusted(value, depth + 1)];
    });
    return Object.fromEntries(parts);
  }
  if (typeof json === 'string') return isHex(json) ? json : (wordText(json) ?? untrustedText(json));
  return typeof json === 'number' || typeof json === 'boolean' ? json : null;
}

/** Names that anybody can choose are data even if they are words. */
const NAME_KEYS: readonly string[] = ['name', 'symbol'];
/** The longest chain of proxies, in levels of JSON. */
const MAX_PROXY_DEPTH = 24;

/** A meaning of hex, with its texts marked as data. */
export function meaningToAgentJson(meaning: HexMeaning, depth = 0): JsonObject {
  const { kind } = meaning;
  const inputs = 'item' in meaning ? meaning.item.inputs : meaning.inputs;
  return {
    kind: ownWord(kind),
    ...('item' in meaning && {
      signature: abiText(meaning.item, meaning.item.signature),
      abi: originToJson(meaning.origin),
    }),
    ...('values' in meaning && { args: untrustedArguments(inputs, meaning.values) }),
    ...('note' in meaning && meaning.note !== undefined && { note: messageJson(meaning.note) }),
    ...('suffix' in meaning && meaning.suffix && { suffix: suffixToAgentJson(meaning.suffix) }),
    ...('reason' in meaning && { reason: messageJson(meaning.reason) }),
    ...('nested' in meaning && meaning.nested.length > 0 && { nested: nestedToJson(meaning, depth) }),
    ...('nested' in meaning && meaning.nested.length > MAX_NESTED_CALLS && { truncated: true }),
  };
}

/** The bytes behind the arguments of a call, which are no arguments. */
function suffixToAgentJson({ data, attribution }: CallSuffix): JsonObject {
  return { bytes: bytesToJson(data), ...(attribution && { erc8021: attributionToAgentJson(attribution) }) };
}

export function attributionToAgentJson({ schema, codes, registry }: Attribution): JsonObject {
  return {
    schema,
    codes: codes.map((code) => untrustedText(code)),
    ...(registry && { registry: { address: registry.address, chainId: userText(registry.chainId, 80) } }),
  };
}

function nestedToJson(meaning: Extract<HexMeaning, { readonly nested: unknown }>, depth: number): Json {
  if (depth >= MAX_CALL_DEPTH) return { of: meaning.nested.length, truncated: true };
  const inputs = 'item' in meaning ? meaning.item.inputs : meaning.inputs;
  return meaning.nested.slice(0, MAX_NESTED_CALLS).map(({ path, meanings: [first] }) => ({
    in: abiText(inputs, formatNestedPath(inputs, path)),
    meaning: first ? meaningToAgentJson(first, depth + 1) : null,
  }));
}

const MAX_NESTED_CALLS = 10;
const MAX_CALL_DEPTH = 3;
