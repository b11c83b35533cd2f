import { decimal, type Literal, type OwnText } from './ownText.ts';

/**
 * Makes untrusted text safe to read. Control, bidi and zero-width characters become visible as `<U+202E>`, unless they
 * join an emoji (UTS 51). Runs of spaces of any width become one space. Runs of combining marks are cut to three. The
 * length is bounded, with an ellipsis.
 *
 * @param maxLength in characters (code points) of the result before the ellipsis; default 64.
 * @example sanitizeText('US\u202eD') // 'US<U+202E>D'
 */
export function sanitizeText(text: string, maxLength = 64): string {
  const bounded = text.slice(0, maxLength * 8);
  const visible = bounded
    .replace(LONE_SURROGATE, '\ufffd')
    .replace(COMBINING_RUN, '$1')
    .replace(SPACES, ' ')
    .replace(EMOJI_OR_INVISIBLE, (invisible, emoji?: string) => emoji ?? `<U+${codePoint(invisible)}>`)
    .trim();
  const characters = [...visible];
  const isCut = characters.length > maxLength || bounded.length < text.length;
  return isCut ? `${characters.slice(0, maxLength).join('').replace(BROKEN_END, '')}…` : visible;
}

// Group 1 is an emoji, which stays: a pictograph with its variation selector or skin tone, several of them joined, or a
// keycap. Anything else becomes visible: controls, format characters (bidi and zero-width marks among them), characters
// that Unicode ignores by default (soft hyphen, fillers, variation selectors, tags), line and paragraph separators, the
// blank Braille pattern.
const EMOJI_OR_INVISIBLE =
  /(\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?){0,7}|[0-9#*]\ufe0f\u20e3)|[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;
/** The invisible rest of an emoji that was cut. */
const BROKEN_END = /\u200d$|[0-9#*]\ufe0f$/;
const SPACES = /\p{Zs}+/gu;
const LONE_SURROGATE = /\p{Cs}/gu;
const COMBINING_RUN = /(\p{M}{3})\p{M}+/gu;

function codePoint(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

/**
 * A duration as text, rounded up, in the largest unit with at least two: "70 seconds", "3 hours", "10 years".
 *
 * @example formatDuration(70_000, 'en') // '70 seconds'
 */
export function formatDuration(ms: number, locale: string): string {
  const { name, ms: unitMs } = timeUnits.find((unit) => ms >= unit.ms * unit.from) ?? timeUnits[4];
  // Tolerates a hundredth above a whole number: ten times 365 days are 10 years.
  const count = Math.max(1, Math.ceil(ms / unitMs - 0.01));
  const format = (value: number) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'long' }).format(value);
  return name === 'year' && count > MAX_YEARS ? `> ${format(MAX_YEARS)}` : format(count);
}

const timeUnits = [
  { name: 'year', ms: 365.25 * 86_400_000, from: 2 },
  { name: 'day', ms: 86_400_000, from: 2 },
  { name: 'hour', ms: 3_600_000, from: 2 },
  { name: 'minute', ms: 60_000, from: 2 },
  { name: 'second', ms: 1000, from: 0 },
] as const;

/** Longer durations show as `> 1,000 years`. */
const MAX_YEARS = 1000;

/**
 * Number of letters to insert, delete, replace or swap with the next one to turn one word into the other (the optimal
 * string alignment distance); undefined if it is more than `most`. The time grows with the lengths and `most` only.
 *
 * @example editDistance('Tansfer', 'Transfer', 2) // 1
 */
export function editDistance(one: string, other: string, most: number): number | undefined {
  if (Math.abs(one.length - other.length) > most) return undefined;
  const far = most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    const from = Math.max(1, row - most);
    const to = Math.min(other.length, row + most);
    for (let at = 1; at <= other.length; at++) {
      if (at < from || at > to) {
        next.push(far);
        continue;
      }
      const isSame = one[row - 1] === other[at - 1];
      const substituted = (last[at - 1] ?? far) + (isSame ? 0 : 1);
      const isSwapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      const swapped = isSwapped ? (beforeLast[at - 2] ?? far) + 1 : far;
      next.push(Math.min(substituted, swapped, (last[at] ?? far) + 1, (next[at - 1] ?? far) + 1));
    }
    if (Math.min(...next) > most) return undefined;
    beforeLast = last;
    last = next;
  }
  const distance = last[other.length] ?? far;
  return distance > most ? undefined : distance;
}

/** An English template and its values, so that an editor can translate it. `{0}` stands for `args[0]`. */
export interface Message {
  readonly template: string;
  readonly args: readonly MessageArg[];
}

/** A message without a text of others. */
export interface OwnMessage extends Message {
  readonly args: readonly OwnArg[];
}

export type MessageArg = OwnArg | Foreign | Message;
type OwnArg = OwnText | `0x${string}` | number | OwnMessage;

/**
 * A text within a message that a server, a file, the chain or a user wrote. It is an object, so that the code that formats
 * the message can mark or escape it.
 */
export interface Foreign {
  readonly foreign: string;
}

/**
 * Sanitizes a text of others for a message. A message takes no other `string`.
 *
 * @param maxChars as for {@link sanitizeText}.
 * @example createMessage('The project has no contract {0}.', foreign(name, 80))
 */
export function foreign(text: string, maxChars = MAX_FOREIGN_CHARS): Foreign {
  return { foreign: sanitizeText(text, maxChars) };
}

const MAX_FOREIGN_CHARS = 1_000;

/**
 * @param template a literal, or one of several.
 * @param args texts of others by {@link foreign}, words of Chainside by `ownWord`, integers by `decimal`.
 */
export function createMessage<const Text extends string>(
  template: Text & Literal<Text>,
  ...args: readonly OwnArg[]
): OwnMessage;
export function createMessage<const Text extends string>(
  template: Text & Literal<Text>,
  ...args: readonly MessageArg[]
): Message;
export function createMessage(template: string, ...args: readonly MessageArg[]): Message {
  return { template, args };
}

/**
 * A message in English only, for the command line. It inserts every text as one of others.
 *
 * @example englishMessage`No file is called ${'a.sol'}.`.template // 'No file is called {0}.'
 */
export function englishMessage(
  parts: TemplateStringsArray,
  ...values: readonly (bigint | number | string)[]
): Message {
  const template = parts.reduce((text, part, index) => `${text}{${index - 1}}${part}`);
  const args = values.map((value) => (typeof value === 'string' ? foreign(value) : decimal(value)));
  return { template, args };
}

/**
 * A message in English.
 *
 * @example formatMessage(createMessage('Block {0} is missing.', 7)) // 'Block 7 is missing.'
 */
export function formatMessage(message: Message): string {
  return formatMessageWith(message, (text) => text);
}

/** A message in English, with what `formatForeign` makes of the texts of others. */
export function formatMessageWith(
  { template, args }: Message,
  formatForeign: (text: string) => string,
): string {
  return template.replace(/\{(\d)\}/g, (placeholder, index) => {
    const arg = args[Number(index)];
    if (arg === undefined) return placeholder;
    if (typeof arg !== 'object') return String(arg);
    return 'foreign' in arg ? formatForeign(arg.foreign) : formatMessageWith(arg, formatForeign);
  });
}

/**
 * A count with its noun, for output that is not localized: `1 log`, `5 logs`.
 *
 * @example formatQuantity(1, 'log') // '1 log'
 */
export function formatQuantity(count: bigint | number, noun: string): string {
  return `${count} ${noun}${count.toString() === '1' ? '' : 's'}`;
}

/**
 * A whole number with its digits grouped by commas: `21,345,678`.
 *
 * @example groupDigits(21_345_678) // '21,345,678'
 */
export function groupDigits(whole: bigint | number): OwnText;
export function groupDigits(whole: string | bigint | number): string;
export function groupDigits(whole: string | bigint | number): string {
  const digits = whole.toString();
  const start = digits.startsWith('-') ? 1 : 0;
  let at = start + ((digits.length - start) % 3 || 3);
  let grouped = digits.slice(0, at);
  for (; at < digits.length; at += 3) grouped += `,${digits.slice(at, at + 3)}`;
  return grouped;
}
