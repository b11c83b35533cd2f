import type { AppError } from '../../base/errors.ts';
import { plainText } from '../../values/plainText.ts';
import type { JsonObject } from './answer.ts';
import { chainText } from './chainValues.ts';

const LONGEST_WORDS = 1500;

/** A failure in our own words, and beside them what the server said, as data. */
export interface FailureForAgent {
  readonly words: string;
  readonly said: { readonly serverSaid: JsonObject } | undefined;
}

/** @example failureForAgent(error).words // 'The server refused the call (see serverSaid)' */
export function failureForAgent({ message, details }: AppError): FailureForAgent {
  const { serverMessage = '' } = details;
  if (serverMessage === '') return { words: plainText(message, LONGEST_WORDS), said: undefined };
  const [own = ''] = message.split(serverMessage, 1);
  const words = own.trimEnd().replace(/[:.]$/, '') || 'The server refused';
  return {
    words: `${plainText(words, LONGEST_WORDS)} (see serverSaid)`,
    said: { serverSaid: chainText(serverMessage) },
  };
}
