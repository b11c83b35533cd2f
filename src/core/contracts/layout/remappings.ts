import { tidyPath } from './paths.ts';

/** An import that begins with `prefix` means the file below `target`, in the files below `context` if there is one. */
export interface Remapping {
  readonly context: string | undefined;
  /** As it stands in imports: `@openzeppelin/`. */
  readonly prefix: string;
  /** From the root of the project, without a slash at its end. */
  readonly target: string;
}

/** More than any project has; each import is held against all of them. */
export const MOST_REMAPPINGS = 1_000;

/**
 * A remapping as the compiler takes it, `context:prefix=target`; undefined if it is none.
 * https://docs.soliditylang.org/en/latest/path-resolution.html#import-remapping
 *
 * @example readRemapping('@oz/=lib/oz/contracts/') // { context: undefined, prefix: '@oz/', target: 'lib/oz/contracts' }
 */
export function readRemapping(text: string): Remapping | undefined {
  const line = text.trim();
  const equals = line.indexOf('=');
  if (equals <= 0) return undefined;
  const target = tidyPath(line.slice(equals + 1).trim());
  const left = line.slice(0, equals).trim();
  const colon = left.indexOf(':');
  const prefix = left.slice(colon + 1);
  if (target === undefined || prefix === '') return undefined;
  return { context: colon > 0 ? tidyPath(left.slice(0, colon)) : undefined, prefix, target };
}

/** The remappings of a `remappings.txt`, one a line; lines that are none are passed over. */
export function readRemappingLines(text: string): readonly Remapping[] {
  return remappingsOf(text.slice(0, LONGEST_FILE).split('\n'));
}

/** Those of `texts` that are remappings, up to {@link MOST_REMAPPINGS}. */
export function remappingsOf(texts: readonly string[]): readonly Remapping[] {
  const found: Remapping[] = [];
  for (const text of texts) {
    const remapping = readRemapping(text);
    if (remapping) found.push(remapping);
    if (found.length === MOST_REMAPPINGS) break;
  }
  return found;
}

/** Characters: hundreds of times what a real one has. */
const LONGEST_FILE = 256 * 1_024;
