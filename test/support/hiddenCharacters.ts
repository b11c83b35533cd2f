/** What a reader cannot see, or what moves or joins what a reader does see. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|\p{M}{4}/gu;
/** The invisible parts of an emoji: each with what must stand before and after it to be one (UTS 51). */
const EMOJI_PARTS =
  /(?<=\p{Extended_Pictographic})\ufe0f|(?<=[0-9#*])\ufe0f(?=\u20e3)|(?<=\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)\u200d(?=\p{Extended_Pictographic})/gu;

/** The names of the characters of a shown text that hide from its reader or hide others, besides those of emoji. */
export function findHiddenCharacters(text: string): readonly string[] {
  const found = text.replace(EMOJI_PARTS, '').match(HIDDEN) ?? [];
  return found.map((hidden) => `U+${hidden.codePointAt(0)?.toString(16).toUpperCase()}`);
}
