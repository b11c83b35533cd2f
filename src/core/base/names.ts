import { sanitizeText } from './text.ts';

/**
 * A name or label of an address, token or contract from outside: sanitized text, without the NULs that fill up a text of
 * fixed length; undefined if it is empty, or looks like an address, since it is shown in the place of one.
 *
 * @param maxLength as for {@link sanitizeText}.
 * @example
 * sanitizeName('USD\u202eC'); // 'USD<U+202E>C'
 * sanitizeName('0x5FbD…0aa3'); // undefined
 */
export function sanitizeName(text: string, maxLength?: number): string | undefined {
  const filled = trimNuls(text);
  return looksLikeAddress(filled) ? undefined : sanitizeText(filled, maxLength) || undefined;
}

function trimNuls(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === '\0') start++;
  while (end > start && text[end - 1] === '\0') end--;
  return text.slice(start, end);
}

/**
 * Whether a reader could take a name for an address: one of its words is an address, in full or shortened, in letters and
 * digits of any script that look alike, with or without `0x`.
 *
 * @example
 * looksLikeAddress('eth:0x5FbD…0aa3'); // true
 * looksLikeAddress('0xSplits'); // false
 */
export function looksLikeAddress(name: string): boolean {
  // Most names have nothing of what the patterns need; a file may have many thousands.
  if (!/x|\.\.|\P{ASCII}|.{40}/isu.test(name)) return false;
  const plain = name
    .slice(0, MAX_NAME_READ_CHARS)
    .normalize('NFKD')
    .replace(/[\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/\p{Nd}/gu, '0')
    .replace(/[^\p{ASCII}]/gu, (character) => LOOKALIKES[character] ?? character)
    .toLowerCase()
    .replaceAll('o', '0')
    .replace(/[li]/g, '1');
  return FULL_ADDRESS.test(plain) || SHORT_ADDRESS.test(plain.replace(SPACED_DOTS, '$1'));
}

const MAX_NAME_READ_CHARS = 512;
/** Eight digits are what is left of an address that is shortened. There may be signs between them. */
const FULL_ADDRESS =
  /0[^\p{L}\p{N}]{0,3}x(?:[^\p{L}\p{N}]{0,3}[0-9a-f]){8,}(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])[0-9a-f](?:[^\p{L}\p{N}]{0,3}[0-9a-f]){39}(?![\p{L}\p{N}])/u;
/** Has a gap of any signs in a word, except a single dot, which names contain too. Without `0x`, the gap is of dots only. */
const SHORT_ADDRESS =
  /(?<![\p{L}\p{N}])(?:0x[0-9a-f]+(?!\.[0-9a-f])[^\p{L}\p{N}\s()[\]{}<>,;:|"'`]+|[0-9a-f]{4,}\.{2,})[0-9a-f]{2,}(?![\p{L}\p{N}])/u;
const SPACED_DOTS = /\s{0,4}(\.{2,9})\s{0,4}/g;
/**
 * Characters that look like `x`, `o` or a hex digit, after compatibility decomposition and without marks. Unicode lists
 * them in https://www.unicode.org/Public/17.0.0/security/confusables.txt (UTS 39); a few more are alike in many fonts.
 */
const LOOKALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    1: 'ıŁłƖƗƚǀɨɩɪɫɭΙιІіӀӏւ׀וןاٳߊᎥᏞᒪᛁᵻᵼ∣⍳⍸⏽│ⲒⲓⳐⵏꓡꓲꙇꭵ𐊊𐌉𐌠𐐛𐔦𑢣𑢲𑣃𑷚𖺪𖼖𖼨𝈪𞣇',
    2: 'ƧƻϨᒿꙄꛯꝚ',
    3: 'ƷȜЗҘӠⲜⳄⳌꝪꞫ𑣊𖼻𝈆',
    4: 'Ꮞ𑢯',
    5: 'Ƽ𑢻',
    6: 'ϬбᏮⳒⳓⳜ𑣕',
    7: '𐓒𑣆𝈒',
    8: 'Ȣȣ𐌚𞣋',
    9: 'ⳊⳋꝮ𑢬𑣌𑣖',
    a: 'ɑΑαАаᎪᗅ⍶⍺ꓮ𐊠𖽀',
    b: 'ƀƂƃƄɓΒБВЪЬвьѢѣҌҍᏏᏴᑲᑳᖯᗷⲂꓐꞴ𐊂𐊡𐌁𖺶',
    c: '¢ȼΣςϲϹСсҪҫငၚᏟᴄ₡Ⲥⲥꓚꮯ𐊢𐌂𐐕𐐽𐔜𑣲🅮🝌',
    d: 'ÐĐđƉƌɖɗԀԁᎠᏧᑯᗞᗪ₫ꓒꓓ',
    e: 'ɆɇΕεϵЕеҽҿᎬ℮⋿ⴹꓰꬲ𐊆𑢦𑢮',
    f: 'ƑƒϜքᖴᵮẝꓝꞘꞙꬵ𐊇𐊥𐔥𑢢𑣂𝈓',
    o: 'ØøƟɵΘΟθοσϭОоѲѳӨөՕօסهھہەۿଠഠတဝთჿዐᎾᏫᴏᴑ⊖⊝⍬ⲐⲑⲞⲟⴱⵁⵔ〇ꓳꝊꝋꬽꬾꭴꮎꮻ𐊒𐊫𐐄𐐬𐓂𐓪𐔖𑢵𑣈𑣗𝈚🜔',
    x: '×ΧχХхҲᕁᕽ᙭᙮ᚷ╳✕✖⤫⤬⨉⨯⨰ⲬⵝꓫꞳ𐆖𐊐𐊴𐌗𐌢𐔧𑣬',
  }).flatMap(([letter, others]) =>
    [...others, ...others.toLowerCase(), ...others.toUpperCase()].map((other) => [other, letter]),
  ),
);
