// Controls, format characters (bidi and zero-width marks among them), what Unicode says to ignore by default
// (soft hyphen, fillers, variation selectors, tags), line and paragraph separators, the blank Braille pattern.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;
const SPACES = /\p{Zs}+/gu;
const LONE_SURROGATE = /\p{Cs}/gu;
const COMBINING_RUN = /(\p{M}{3})\p{M}+/gu;

/**
 * Text from a chain or a server made safe to read: control, bidi and zero-width characters become visible
 * as `<U+202E>`, spaces of every width and number become one plain space, piles of combining marks are cut to three,
 * length is bounded with an ellipsis.
 *
 * @param maxLength in characters (code points) of the result before the ellipsis; default 64.
 */
export function plainText(text: string, maxLength = 64): string {
  const bounded = text.slice(0, maxLength * 8);
  const visible = bounded
    .replace(LONE_SURROGATE, '\ufffd')
    .replace(COMBINING_RUN, '$1')
    .replace(SPACES, ' ')
    .replace(INVISIBLE, (character) => `<U+${codePoint(character)}>`)
    .trim();
  const characters = [...visible];
  const cut = characters.length > maxLength || bounded.length < text.length;
  return cut ? `${characters.slice(0, maxLength).join('')}…` : visible;
}

function codePoint(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
