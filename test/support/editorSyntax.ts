/** What VS Code makes a link in notifications, prompts, progress and list descriptions (its `linkedText.ts`). */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;
/** What VS Code makes an icon in lists, lenses and the status bar (its `iconLabels.ts`). */
const ICON = /\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g;
/** What a reader cannot see, or what moves or joins what a reader does see. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** The parts of a shown text that the editor would act on or hide; none where it is harmless. */
export function harmIn(text: string): readonly string[] {
  const hidden = HIDDEN.exec(text)?.[0];
  const hiddenName = hidden === undefined ? [] : [`U+${hidden.codePointAt(0)?.toString(16)}`];
  return [...linksIn(text), ...(text.match(ICON) ?? []), ...hiddenName];
}

/** The links that the editor makes of a text. */
export function linksIn(text: string): readonly string[] {
  return text.match(LINK) ?? [];
}
