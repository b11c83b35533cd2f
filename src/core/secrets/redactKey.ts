import { AppError } from '../base/errors.ts';
import { causesOf, codeOf } from '../base/networkFailure.ts';
import { type KeyForms, keyForms } from './keyForms.ts';

/** A key under this is in many texts by chance: where it was struck out would tell it. */
const SHORTEST_STRUCK = 8;
const DEEPEST_DATA = 16;
const MOST_LOOKED_AT = 10_000;

/**
 * `error` with the key in none of its texts, in no writing of it. The server's words keep their sense with the key
 * struck out; a cause that holds the key, anywhere down its chain, is dropped but for the system's short code, since
 * the words of a library are not ours to rewrite. A short key takes all words that are not ours with it.
 *
 * @example
 * throw redactKey(asAppError(error), key);
 */
export function redactKey(error: AppError, key: string): AppError {
  if (key.length < SHORTEST_STRUCK) return withOwnWordsOnly(error);
  const forms = keyForms(key);
  if (!isInAny(error, forms)) return error;
  const { serverMessage, data, cause, ...details } = error.details;
  const kept = isInAny(cause, forms) ? bareCause(cause, forms) : cause;
  return new AppError(error.kind, forms.strike(error.message), {
    ...details,
    ...(serverMessage === undefined ? {} : { serverMessage: forms.strike(serverMessage) }),
    ...(data === undefined ? {} : { data: strikeData(data, forms) }),
    ...(kept === undefined ? {} : { cause: kept }),
  });
}

function withOwnWordsOnly(error: AppError): AppError {
  const { serverMessage, data, cause, ...details } = error.details;
  const redirected = error.kind === 'redirected';
  const bare = bareCause(cause);
  return new AppError(error.kind, redirected ? 'The server redirects to another address.' : error.message, {
    ...details,
    ...(bare === undefined ? {} : { cause: bare }),
  });
}

/** The system's code for a failure, such as ECONNREFUSED, as an error that says nothing else. */
function bareCause(cause: unknown, forms?: KeyForms): Error | undefined {
  const codes = causesOf(cause).map(codeOf);
  const code = codes.findLast((one) => one !== undefined && !forms?.isIn(one));
  return code === undefined ? undefined : Object.assign(new Error(code), { code });
}

/** Whether the key is in any text of `value`, names of properties and errors' own ones included. */
function isInAny(value: unknown, forms: KeyForms): boolean {
  const left: unknown[] = [value];
  const met = new Set<unknown>();
  for (let next = left.pop(); next !== undefined || left.length > 0; next = left.pop()) {
    if ((typeof next === 'string' || typeof next === 'number') && forms.isIn(`${next}`)) return true;
    if (typeof next !== 'object' || next === null || met.has(next)) continue;
    // What is too much to look through may hold it.
    if (ArrayBuffer.isView(next) || met.add(next).size + left.length > MOST_LOOKED_AT) return true;
    if (next instanceof Error) left.push(next.message, next.stack, next.cause);
    const own: Record<string, PropertyDescriptor> = Object.getOwnPropertyDescriptors(next);
    for (const [name, property] of Object.entries(own)) left.push(name, property.value);
  }
  return false;
}

function strikeData(data: unknown, forms: KeyForms, depth = 0): unknown {
  if (typeof data === 'string') return forms.strike(data);
  if (typeof data === 'number') return forms.isIn(`${data}`) ? undefined : data;
  if (typeof data !== 'object' || data === null) return data;
  if (depth === DEEPEST_DATA) return undefined;
  if (Array.isArray(data)) return data.map((item) => strikeData(item, forms, depth + 1));
  return Object.fromEntries(
    Object.entries(data).map(([name, item]) => [forms.strike(name), strikeData(item, forms, depth + 1)]),
  );
}
