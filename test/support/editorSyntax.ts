import { findHiddenCharacters } from './hiddenCharacters.ts';

/** What VS Code makes a link in notifications, prompts, progress and list descriptions (its `linkedText.ts`). */
const LINK_TARGET = /^\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\2))?\)/i;
/** What VS Code makes an icon in lists, lenses and the status bar (its `iconLabels.ts`). */
const ICON = /\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g;

/** The parts of a shown text that the editor would act on or hide; none where it is harmless. */
export function findUnsafeParts(text: string): readonly string[] {
  return [...findLinks(text), ...(text.match(ICON) ?? []), ...findHiddenCharacters(text)];
}

/** The links that the editor makes of a text. */
export function findLinks(text: string): readonly string[] {
  return text
    .split('[')
    .slice(1)
    .flatMap((part) => {
      // Found first: a pattern for all would go back over megabytes of a label without end.
      const end = part.indexOf(']');
      const target = end > 0 ? LINK_TARGET.exec(part.slice(end))?.[0] : undefined;
      return target === undefined ? [] : [`[${part.slice(0, end)}${target}`];
    });
}
