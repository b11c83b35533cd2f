import type { HexMeaning } from '../abi/hex/hexMeaning.ts';
import type { SourceCause } from '../contracts/sources/revertLines.ts';

/**
 * What to look for in sources for a revert: the error that it is, or the text of a `require`; undefined where no line
 * of a source tells of it, as of a panic.
 *
 * @param revert as `explainTransaction` gives it.
 * @param words of the server, where only they are known.
 * @example revertCause([], 'execution reverted: Not the owner') // { message: 'Not the owner' }
 */
export function revertCause(
  revert: readonly HexMeaning[],
  words: string | undefined,
): SourceCause | undefined {
  const [meaning] = revert;
  if (!meaning || !('item' in meaning)) {
    const message = reasonIn(words ?? '');
    return message === '' ? undefined : { message };
  }
  const { signature, name } = meaning.item;
  if (signature === 'Panic(uint256)') return undefined;
  if (signature !== 'Error(string)') return { error: name };
  const message = 'values' in meaning ? meaning.values[0] : undefined;
  return typeof message === 'string' && message !== '' ? { message } : undefined;
}

/** `execution reverted: …` of most nodes, `reverted with reason string '…'` of Hardhat. */
function reasonIn(words: string): string {
  for (const begin of ["reverted with reason string '", 'reverted: ']) {
    const at = words.indexOf(begin);
    if (at >= 0)
      return words
        .slice(at + begin.length)
        .replace(/'$/, '')
        .trim();
  }
  return '';
}
