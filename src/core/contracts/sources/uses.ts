import { LONGEST_DECLARATION } from './limits.ts';
import type { Token } from './solidityTokens.ts';
import type { SourceUse } from './sourceFacts.ts';

type Found = Omit<SourceUse, 'line' | 'contract'>;

/** Finds `emit Name(`, `revert Errors.Name(`, `require(…, Name(` and their like among the tokens of a body. */
export function createUseReader(
  words: Readonly<Record<string, SourceUse['kind']>>,
  found: (use: Found) => void,
): { take(token: Token): void } {
  const kinds = new Map(Object.entries(words));
  let use: { -readonly [Key in keyof Found]: Found[Key] } | undefined;
  /** Parentheses that are open in `require(`; undefined outside. */
  let required: number | undefined;

  /** Whether what follows is the second argument of `require`. */
  function isReason(text: string): boolean {
    if (text === 'require') required = 0;
    else if (required === undefined) return false;
    else if (text === '(') required++;
    else if (text === ')' && required > 0) required--;
    const found = required === 1 && text === ',';
    if (found || (required === 0 && text !== 'require')) required = undefined;
    return found;
  }

  function goOn({ kind, text, offset }: Token): void {
    if (!use) return;
    if (text === '(') {
      if (use.name !== '') found(use);
      use = undefined;
    } else if ((kind === 'word' || text === '.') && use.name.length < LONGEST_DECLARATION) {
      if (use.offset < 0) use.offset = offset;
      use.name += text;
      use.end = offset + text.length;
    } else use = undefined;
  }

  return {
    take(token) {
      const { kind, text, offset } = token;
      const begun = kind === 'word' ? kinds.get(text) : undefined;
      // No word is before an error in `require`: it begins with its name.
      if (isReason(text)) use = { kind: 'error', name: '', offset: -1, end: offset };
      else if (begun) use = { kind: begun, name: '', offset, end: offset };
      else goOn(token);
    },
  };
}
