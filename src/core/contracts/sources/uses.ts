import { LONGEST_DECLARATION } from './limits.ts';
import type { Token } from './solidityTokens.ts';
import type { SourceUse } from './sourceFacts.ts';

type Found = Omit<SourceUse, 'line' | 'contract'>;

/** Finds `emit Name(`, `revert Errors.Name(` and their like among the tokens of a body. */
export function createUseReader(
  words: Readonly<Record<string, SourceUse['kind']>>,
  found: (use: Found) => void,
): { take(token: Token): void } {
  const kinds = new Map(Object.entries(words));
  let use: { -readonly [Key in keyof Found]: Found[Key] } | undefined;
  return {
    take({ kind, text, offset }) {
      const begun = kind === 'word' ? kinds.get(text) : undefined;
      if (begun) use = { kind: begun, name: '', offset, end: offset };
      else if (!use) return;
      else if (text === '(') {
        if (use.name !== '') found(use);
        use = undefined;
      } else if ((kind === 'word' || text === '.') && use.name.length < LONGEST_DECLARATION) {
        use.name += text;
        use.end = offset + text.length;
      } else use = undefined;
    },
  };
}
