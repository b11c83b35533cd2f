import { type AbiItem, MAX_ITEM_CHARS } from '../abi/item.ts';
import type { AbiParameter } from '../abi/type.ts';
import type { AppError } from '../base/errors.ts';
import { formatMessage, type Message, sanitizeText } from '../base/text.ts';
import { formatIsoTime } from '../eth/time.ts';

declare const isOwn: unique symbol;

/**
 * A text that may stand in a result as it is: written by Chainside or its user, or without room for a sentence. Any
 * other text is from a server, a file or the chain and becomes {@link untrustedText}: the type leaves no third way.
 */
export type OwnText = string & { readonly [isOwn]: true };

/** Only literals: a `string`, also as a part of a template, may come from anywhere. */
type Literal<Text extends string> = Record<never, never> extends Record<Text, unknown> ? never : Text;

/**
 * A word of Chainside's own.
 *
 * @example ownWord('known') // 'known'
 */
export function ownWord<const Text extends string>(word: Text & Literal<Text>): OwnText {
  return asOwn(word);
}

/**
 * A sentence of Chainside's own, as a template with numbers, hex and other texts of its own.
 *
 * @example ownText`Stopped after ${7} seconds.` // 'Stopped after 7 seconds.'
 */
export function ownText(
  parts: TemplateStringsArray,
  ...values: readonly (OwnText | bigint | number | `0x${string}`)[]
): OwnText {
  return asOwn(String.raw({ raw: parts }, ...values));
}

/** A reason of core: a template with numbers and words of its own. */
export function messageText(message: Message): OwnText {
  return asOwn(sanitizeText(formatMessage(message), MAX_MESSAGE_CHARS));
}

/** The message of an error without the server's, which `AppError` has apart. */
export function errorText(message: AppError['message']): OwnText {
  return asOwn(sanitizeText(message, MAX_ERROR_CHARS));
}

/** What the user chose or the caller sent: a name of a network, a path, a parameter. */
export function userText(text: string, maxChars = 200): OwnText {
  return asOwn(sanitizeText(text, maxChars));
}

/** An integer in decimal. */
export function decimal(value: bigint | number): OwnText {
  return asOwn(value.toString());
}

/** A time in ISO 8601; undefined without one. */
export function timeText(time: number | undefined): OwnText | undefined {
  const text = formatIsoTime(time);
  return text === undefined ? undefined : asOwn(text);
}

/**
 * A text of the ABI grammar: names in it are identifiers, since an item with others is not parsed.
 *
 * @example const signature = abiText(item, item.signature);
 */
export function abiText(_parsed: AbiItem | AbiParameter | readonly AbiParameter[], text: string): OwnText {
  return asOwn(sanitizeText(text, MAX_DECLARATION_CHARS));
}

/** The names that are single words, for a sentence. The others are data: see {@link untrustedText}. */
export function pickPlainNames(names: readonly string[]): readonly OwnText[] {
  return names.filter((name) => WORD.test(name)).map(asOwn);
}

/** A word of a server, as a type or a standard, if it is one; undefined if it may be a sentence. */
export function wordText(text: string): OwnText | undefined {
  return WORD.test(text) ? asOwn(text) : undefined;
}

export function joinTexts(texts: readonly OwnText[], separator: string): OwnText {
  return asOwn(texts.join(separator));
}

/**
 * Untrusted text, marked as data: sanitized, and marked if it is cut.
 *
 * @example untrustedText('USDC') // { chainText: 'USDC' }
 */
export function untrustedText(text: string, maxChars = MAX_TEXT_CHARS): UntrustedText {
  const plain = sanitizeText(text, maxChars);
  const isCut = plain.endsWith('…') && (text.length > maxChars || !text.trimEnd().endsWith('…'));
  return { chainText: asOwn(plain), ...(isCut && { truncated: true }) };
}

export type UntrustedText = { readonly chainText: OwnText; readonly truncated?: true };

const MAX_TEXT_CHARS = 200;
/** Of the message of a reason. */
export const MAX_MESSAGE_CHARS = 400;
const MAX_ERROR_CHARS = 1500;
/** As long as a declaration may be; a longer result is cut as a whole, and says so. */
const MAX_DECLARATION_CHARS = MAX_ITEM_CHARS;
const WORD = /^[\w$.-]{1,40}$/;

function asOwn(text: string): OwnText {
  return text as OwnText;
}
