// What is kept, and what is shown. Kept: a pictograph with its variation selector or skin tone, some of them joined,
// and a keycap. Shown: controls, format characters (bidi and zero-width marks among them), what Unicode says to ignore
// by default (soft hyphen, fillers, variation selectors, tags), line and paragraph separators, the blank Braille pattern.
const EMOJI_OR_INVISIBLE =
  /(\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?){0,7}|[0-9#*]\ufe0f\u20e3)|[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;
/** What a cut through an emoji leaves of it that would be invisible. */
const BROKEN_END = /\u200d$|[0-9#*]\ufe0f$/;
const SPACES = /\p{Zs}+/gu;
const LONE_SURROGATE = /\p{Cs}/gu;
const COMBINING_RUN = /(\p{M}{3})\p{M}+/gu;

/**
 * Text from a chain or a server made safe to read: control, bidi and zero-width characters become visible
 * as `<U+202E>`, but for those that make an emoji of what stands on both sides (UTS 51); spaces of every width and number
 * become one plain space, piles of combining marks are cut to three, length is bounded with an ellipsis.
 *
 * @param maxLength in characters (code points) of the result before the ellipsis; default 64.
 * @example plainText('US\u202eD') // 'US<U+202E>D'
 */
export function plainText(text: string, maxLength = 64): string {
  const bounded = text.slice(0, maxLength * 8);
  const visible = bounded
    .replace(LONE_SURROGATE, '\ufffd')
    .replace(COMBINING_RUN, '$1')
    .replace(SPACES, ' ')
    .replace(EMOJI_OR_INVISIBLE, (found, emoji?: string) => emoji ?? `<U+${codePoint(found)}>`)
    .trim();
  const characters = [...visible];
  const cut = characters.length > maxLength || bounded.length < text.length;
  return cut ? `${characters.slice(0, maxLength).join('').replace(BROKEN_END, '')}…` : visible;
}

function codePoint(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
