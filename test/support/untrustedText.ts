import type { MarkdownString } from 'vscode';

/** How a link of notifications, prompts, progress and list descriptions begins and ends (VS Code's `linkedText.ts`). */
const LINK_START = /^\]\((?:https?:\/\/|command:|file:)(?=[^)\s])/i;
const LINK_END = /^(?: (["']).+?\1)?\)/;
/** What VS Code makes an icon in lists, lenses and the status bar (its `iconLabels.ts`). */
const ICON = /\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g;

/** The parts of a shown text that the editor would act on or hide; none where it is harmless. */
export function findUnsafeParts(text: string): readonly string[] {
  return [...findLinks(text), ...(text.match(ICON) ?? []), ...findHiddenCharacters(text)];
}

/**
 * The links that the editor makes of a text. No pattern repeats over a target, which may have millions of characters: once V8
 * has compiled many patterns it no longer optimizes them, and each repetition then takes stack.
 */
export function findLinks(text: string): readonly string[] {
  return text
    .split('[')
    .slice(1)
    .flatMap((part) => {
      const titleEnd = part.indexOf(']');
      const start = titleEnd > 0 ? LINK_START.exec(part.slice(titleEnd)) : null;
      if (start === null) return [];
      const target = titleEnd + start[0].length;
      const length = part.slice(target).search(/[)\s]/);
      const end = length < 0 ? null : LINK_END.exec(part.slice(target + length));
      return end === null ? [] : [`[${part.slice(0, target + length)}${end[0]}`];
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

/** Whether a link runs a command of the extension, with arguments that are all encoded. */
function isOwnLink(link: string): boolean {
  const target = link.slice(link.indexOf('](') + 2, -1);
  const command = /^command:chainside\.\w+\?(?=.)/.exec(target)?.[0];
  return command !== undefined && !/[^\w%.~!-]/.test(target.slice(command.length));
}

/** What the editor would make of a Markdown text, the extension's own commands and icons left out. */
export function findUnsafeMarkdown({ value, supportHtml, isTrusted }: MarkdownString): readonly string[] {
  const trusted = typeof isTrusted === 'object' ? isTrusted.enabledCommands : [String(isTrusted)];
  return [
    ...findLinks(value).filter((link) => !isOwnLink(link)),
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
