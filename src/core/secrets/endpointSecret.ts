import { badInput } from '../base/errors.ts';

/**
 * A secret as it is sent, without white space around it.
 *
 * @throws AppError `badInput` for what cannot stand in a header and in a URL, without the text itself.
 * @example requireEndpointSecret(' abc123 ') // 'abc123'
 */
export function requireEndpointSecret(text: string): string {
  const secret = text.trim();
  // As a part of a path, dots alone would be taken for a step in it.
  if (/^[\x21-\x7e]{1,512}$/.test(secret) && !/^\.{1,512}$/.test(secret)) return secret;
  throw badInput('secret', 'Not a secret: expected up to 512 letters, digits and signs without spaces.');
}
