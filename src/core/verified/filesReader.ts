import type { TimeSlices } from '../base/timeSlices.ts';
import { LONGEST_SOURCE } from '../contracts/sources/limits.ts';
import { readSourceInSlices } from '../contracts/sources/readSource.ts';
import type { SourceFacts } from '../contracts/sources/sourceFacts.ts';
import type { VerifiedFile } from './verifiedContract.ts';

/** Reads what the files of a verified source declare, each once, and finds what they import. */
export interface FilesReader {
  /** Of Solidity and Vyper. */
  readonly paths: readonly string[];
  /** Undefined where there is no such file, or one that is too long to be read. */
  read(path: string): Promise<SourceFacts | undefined>;
  resolve(from: string, imported: string): readonly string[];
}

/**
 * A reader of files that have nothing read yet.
 *
 * @example
 * const reader = createFilesReader(files, { slices });
 * await declaredIn(reader, { contract: 'Shop', text: 'event Paid(address indexed by)' });
 */
export function createFilesReader(
  files: readonly VerifiedFile[],
  { slices }: { readonly slices: TimeSlices },
): FilesReader {
  const sources = new Map(
    files
      .filter(({ path, text }) => /\.(?:sol|vyi?)$/.test(path) && text.length <= LONGEST_SOURCE)
      .map((file) => [file.path, file]),
  );
  const paths = [...sources.keys()];
  const known = new Map<string, Promise<SourceFacts>>();
  return {
    paths,
    async read(path) {
      const file = sources.get(path);
      const facts = known.get(path) ?? (file && readSourceInSlices(file, slices));
      if (facts) known.set(path, facts);
      return facts;
    },
    resolve(from, imported) {
      const beside = joined(from, imported);
      return [beside, ...paths.filter((path) => isMapped(path, beside))];
    },
  };
}

/** A path beside that of the file that names it: of an import that begins with a dot. */
function joined(from: string, imported: string): string {
  if (!imported.startsWith('.')) return imported;
  const parts = from.split('/').slice(0, -1);
  for (const part of imported.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** Whether a file may be what a remapping makes of an import: `@lib/token/A.sol` is `node_modules/@lib/token/A.sol`. */
function isMapped(path: string, imported: string): boolean {
  const below = imported.slice(imported.indexOf('/') + 1);
  return path.endsWith(`/${imported}`) || path.endsWith(`/${below}`);
}
