import { type AbiItem, MAX_ITEM_CHARS } from '../abi/item.ts';
import type { AbiParameter } from '../abi/type.ts';
import type { AppError } from '../base/errors.ts';
import { type OwnText, ownText } from '../base/ownText.ts';
import { formatMessage, formatMessageWith, type Message, sanitizeText } from '../base/text.ts';
import { formatIsoTime } from '../eth/time.ts';

/**
 * A message of core without the texts of others in it: only those stay that have no room for a sentence. What it leaves
 * out is in {@link listQuotes}.
 *
 * @example messageText(createMessage('{0} has changed.', foreign('src/a b.sol'))) // '“…” has changed.'
 */
export function messageText(message: Message): OwnText {
  const text = formatMessageWith(message, (part) => (isShort(part) ? part : LEFT_OUT));
  return asOwn(sanitizeText(text, MAX_MESSAGE_CHARS));
}

const LEFT_OUT = '“…”';

/** The texts of others that {@link messageText} leaves out. */
export function listQuotes(message: Message): readonly UntrustedText[] {
  const quotes: UntrustedText[] = [];
  formatMessageWith(message, (part) => {
    if (!isShort(part)) quotes.push(untrustedText(part, MAX_MESSAGE_CHARS));
    return '';
  });
  return quotes;
}

/** A message inside of data: own text, or all of it marked, if it has texts of others. */
export function messageJson(message: Message): OwnText | UntrustedText {
  return listQuotes(message).length === 0
    ? messageText(message)
    : untrustedText(formatMessage(message), MAX_MESSAGE_CHARS);
}

/** Reasons without texts of others, and as data those that have some: a name that is one word, too. */
export function splitReasons(messages: readonly Message[]): SplitReasons {
  const notes = messages.filter(hasNames);
  const own = messages.filter((message) => !notes.includes(message)).map(messageText);
  return {
    reasons: notes.length > 0 ? [...own, ownText`The notes have reasons with texts of others.`] : own,
    notes: notes.map((message) => untrustedText(formatMessage(message), MAX_MESSAGE_CHARS)),
  };
}

function hasNames(message: Message): boolean {
  let found = false;
  formatMessageWith(message, (part) => {
    found ||= !/^(?:0x[\da-f]*…?|[\d.,]*)$/i.test(part);
    return '';
  });
  return found;
}

interface SplitReasons {
  readonly reasons: readonly OwnText[];
  readonly notes: readonly UntrustedText[];
}

/** Hex, and words, types and signatures: letters, digits and signs of the ABI grammar; also a list of them. */
const isShort = (text: string) =>
  text.length <= MAX_LIST_CHARS && text.split(', ').every((part) => PART.test(part));
const PART = /^(?:[\w$.,()[\]-]{0,40}|0x[\da-fA-F]{0,64}…?)$/;
const MAX_LIST_CHARS = 300;

/** The message of an error without the server's, which `AppError` has apart. */
export function errorText(message: AppError['message']): OwnText {
  return asOwn(sanitizeText(message, MAX_ERROR_CHARS));
}

/** What the user chose or the caller sent: a name of a network, a path, a parameter. */
export function userText(text: string, maxChars = 200): OwnText {
  return asOwn(sanitizeText(text, maxChars));
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
