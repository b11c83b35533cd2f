import { plainText } from '../values/plainText.ts';
import { MOST_FILES, MOST_SOURCE_CHARACTERS, type VerifiedFile } from './verifiedContract.ts';

const LONGEST_PATH = 300;

/**
 * Files of a source within the bounds, the first of each path, and how many are left out. A path becomes plain, without
 * places above and without a root: `../a.sol` and `/a.sol` are `a.sol`.
 *
 * @example readFiles([['../Shop.sol', 'contract Shop {}']])
 * // { files: [{ path: 'Shop.sol', text: 'contract Shop {}' }], left: 0 }
 */
export function readFiles(written: Iterable<readonly [path: string, text: string]>): {
  readonly files: readonly VerifiedFile[];
  readonly left: number;
} {
  const files = new Map<string, string>();
  let characters = 0;
  let left = 0;
  for (const [given, text] of written) {
    const path = safePath(given);
    const fits = files.size < MOST_FILES && characters + text.length <= MOST_SOURCE_CHARACTERS;
    if (path === '' || files.has(path) || !fits) {
      left++;
      continue;
    }
    characters += text.length;
    files.set(path, text);
  }
  return { files: [...files].map(([path, text]) => ({ path, text })), left };
}

function safePath(given: string): string {
  const parts = plainText(given, LONGEST_PATH).replaceAll('\\', '/').split('/');
  return parts.filter((part) => part !== '' && part !== '.' && part !== '..').join('/');
}
