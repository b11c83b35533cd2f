import { AppError } from '../errors.ts';

/**
 * `error` with the key in none of its texts. The server's words keep their sense with the key struck out; a cause
 * that holds the key, anywhere down its chain, is dropped, since the words of a library are not ours to rewrite.
 */
export function redactKey(error: AppError, key: string): AppError {
  const forms = [key, encodeURIComponent(key)];
  const holdsKey = (text: unknown) => typeof text === 'string' && forms.some((form) => text.includes(form));
  const { serverMessage, cause, ...details } = error.details;
  if (!holdsKey(error.message) && !holdsKey(serverMessage) && !causeHolds(cause, holdsKey)) return error;
  const strike = (text: string) => forms.reduce((left, form) => left.replaceAll(form, '(key)'), text);
  return new AppError(error.kind, strike(error.message), {
    ...details,
    ...(serverMessage === undefined ? {} : { serverMessage: strike(serverMessage) }),
    ...(causeHolds(cause, holdsKey) ? {} : { cause }),
  });
}

function causeHolds(cause: unknown, holdsKey: (text: unknown) => boolean): boolean {
  for (let error = cause; error !== undefined && error !== null; error = (error as Error).cause) {
    if (!(error instanceof Error)) return holdsKey(String(error));
    if (holdsKey(error.message) || holdsKey(error.stack)) return true;
  }
  return false;
}
