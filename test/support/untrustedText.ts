import type { MarkdownString } from 'vscode';

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

/** What the editor would make of a Markdown text, the extension's own commands and icons left out. */
export function findUnsafeMarkdown({ value, supportHtml, isTrusted }: MarkdownString): readonly string[] {
  const trusted = typeof isTrusted === 'object' ? isTrusted.enabledCommands : [String(isTrusted)];
  const own = /\]\(command:chainside\.\w+\?[\w%.~!-]+\)$/;
  return [
    ...findLinks(value).filter((link) => !own.test(link)),
    ...trusted.filter((command) => !command.startsWith('chainside.')),
    ...(value.match(/(?<!\\)<[a-z!/]/gi) ?? []),
    ...(supportHtml ? ['HTML'] : []),
    ...findUnsafeParts(
      value
        .replace(/\n(?:\n| *(?=- ))/g, ' ')
        .replaceAll('](', '] (')
        .replace(/(^| )\$\([a-z~-]+\)/g, ''),
    ),
  ];
}
