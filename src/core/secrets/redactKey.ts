import { AppError } from '../base/errors.ts';
import { getErrorCode, listCauses } from '../base/networkErrors.ts';
import { runInSlices, type TimeSlices } from '../base/timeSlices.ts';
import { createKeyMatcher, type KeyMatcher, MIN_REDACTED_CHARS } from './keyMatcher.ts';

/**
 * `error` without the key in any of its texts, however it is encoded there. The key is redacted in the server's
 * message. A cause that contains the key, anywhere down its chain, is dropped except for the short code of the system,
 * since Chainside cannot edit texts of a library. For a short key, all texts from elsewhere are removed.
 *
 * @example
 * throw redactKey(asAppError(error), key);
 */
export function redactKey(error: AppError, key: string): AppError {
  if (key.length < MIN_REDACTED_CHARS) return withoutForeignTexts(error);
  const matcher = createKeyMatcher(key);
  if (!containsKey(error, matcher)) return error;
  const { serverMessage, data, cause, ...details } = error.details;
  const safeCause = containsKey(cause, matcher) ? toBareCause(cause, matcher) : cause;
  return new AppError(error.kind, matcher.redact(error.message), {
    ...details,
    ...(serverMessage === undefined ? {} : { serverMessage: matcher.redact(serverMessage) }),
    ...(data === undefined ? {} : { data: redactData(data, matcher) }),
    ...(safeCause === undefined ? {} : { cause: safeCause }),
  });
}

/**
 * The body of a response without the key, as it is or encoded. Hex data stays as it is: there, a key would be a
 * coincidence.
 *
 * @example await redactText('no project at /v3/0123456789ab', '0123456789ab', slices) // 'no project at /v3/(key)'
 */
export async function redactText(text: string, key: string, slices: TimeSlices): Promise<string> {
  if (key.length < MIN_REDACTED_CHARS) return text;
  return runInSlices(createKeyMatcher(key).redactInPieces(text, createHexDataTest), { slices });
}

/** Parsed JSON without the key in any text or name of a property. Changes `json` itself, in slices of time. */
export async function redactJson(json: unknown, key: string, slices: TimeSlices): Promise<unknown> {
  if (key.length < MIN_REDACTED_CHARS) return json;
  const matcher = createKeyMatcher(key);
  const redact = (text: string) => runInSlices(matcher.redactInPieces(text), { slices });
  const root: Record<string, unknown> = { json };
  const pending = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const [name, value] of Object.entries(next)) {
      const safeName = Array.isArray(next) ? name : await redact(name);
      if (safeName !== name) delete next[name];
      if (safeName !== name || typeof value === 'string')
        next[safeName] = typeof value === 'string' ? await redact(value) : value;
      if (typeof value === 'object' && value !== null) pending.push(value as Record<string, unknown>);
      if (slices.isOver()) await slices.rest();
    }
  }
  return root.json;
}

/** Whether the text at a place is within the digits after a `0x`. Places must not decrease. */
function createHexDataTest(text: string): (start: number) => boolean {
  let checked = { from: 0, to: 0 };
  return (start) => {
    let first = start;
    while (first > checked.to && isHexDigit(text.charCodeAt(first - 1))) first--;
    // The digits before `checked.to` were gone through for the last place.
    if (first === checked.to) first = checked.from;
    checked = { from: first, to: start };
    return /^0x$/i.test(text.slice(Math.max(0, first - 2), first));
  };
}

function isHexDigit(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
}

function withoutForeignTexts(error: AppError): AppError {
  const { serverMessage, data, cause, ...details } = error.details;
  const isRedirect = error.kind === 'redirected';
  const bare = toBareCause(cause);
  const ownMessage = isRedirect ? 'The server redirects to another address.' : getOwnMessage(error);
  return new AppError(error.kind, ownMessage, { ...details, ...(bare === undefined ? {} : { cause: bare }) });
}

/**
 * The message of an error without that of the server, which stands at its end.
 *
 * @example
 * getOwnMessage(new AppError('rpc', 'It refused: no key', { serverMessage: 'no key' })); // 'It refused'
 */
export function getOwnMessage({ message, details: { serverMessage = '' } }: AppError): string {
  const end = serverMessage === '' ? -1 : message.lastIndexOf(serverMessage);
  return end < 0 ? message : message.slice(0, end).trimEnd().replace(/[:.]$/, '');
}

/** The code of the system for a failure, such as ECONNREFUSED, as an error without any other text. */
function toBareCause(cause: unknown, matcher?: KeyMatcher): Error | undefined {
  const codes = listCauses(cause).map(getErrorCode);
  const code = codes.findLast((candidate) => candidate !== undefined && !matcher?.isIn(candidate));
  return code === undefined ? undefined : Object.assign(new Error(code), { code });
}

/** Whether the key is in any text of `value`, including names of properties and the own properties of errors. */
function containsKey(value: unknown, matcher: KeyMatcher): boolean {
  const pending: unknown[] = [value];
  const visited = new Set<unknown>();
  for (let next = pending.pop(); next !== undefined || pending.length > 0; next = pending.pop()) {
    if ((typeof next === 'string' || typeof next === 'number') && matcher.isIn(`${next}`)) return true;
    if (typeof next !== 'object' || next === null || visited.has(next)) continue;
    // Data that is too large to search may contain it.
    if (ArrayBuffer.isView(next) || visited.add(next).size + pending.length > MAX_VISITED) return true;
    if (next instanceof Error) pending.push(next.message, next.stack, next.cause);
    const own: Record<string, PropertyDescriptor> = Object.getOwnPropertyDescriptors(next);
    for (const [name, property] of Object.entries(own)) pending.push(name, property.value);
  }
  return false;
}

const MAX_VISITED = 10_000;

function redactData(data: unknown, matcher: KeyMatcher, depth = 0): unknown {
  if (typeof data === 'string') return matcher.redact(data);
  if (typeof data === 'number') return matcher.isIn(`${data}`) ? undefined : data;
  if (typeof data !== 'object' || data === null) return data;
  if (depth === MAX_DATA_DEPTH) return undefined;
  if (Array.isArray(data)) return data.map((item) => redactData(item, matcher, depth + 1));
  return Object.fromEntries(
    Object.entries(data).map(([name, item]) => [matcher.redact(name), redactData(item, matcher, depth + 1)]),
  );
}

const MAX_DATA_DEPTH = 16;
