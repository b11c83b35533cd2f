import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { fromRoot, projectRoot } from '../../scripts/support/paths.ts';

/** An import as it is written, types included, and the file that it leads to when it is no package. */
export interface SourceImport {
  readonly from: string;
  readonly written: string;
  readonly file: string | undefined;
}

/** Every import of every TypeScript file under the folders; paths are from the root, with `/`. */
export function readImports(folders: readonly string[]): readonly SourceImport[] {
  const files = globSync(
    folders.map((folder) => `${folder}/**/*.{ts,tsx}`),
    { cwd: projectRoot },
  );
  return files
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
    .flatMap((from) => importsIn(readFileSync(fromRoot(from), 'utf8'), from));
}

const STATIC = /(?:^|[;}\s])(?:import|export)\s+(?:[\w$*\s{},]+\sfrom\s+)?'([^'\n]+)'/g;
const DYNAMIC = /\bimport\(\s*'([^'\n]+)'/g;

/** The imports of one text; `from` is where it would stand. */
export function importsIn(text: string, from: string): readonly SourceImport[] {
  const code = text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  return [...code.matchAll(STATIC), ...code.matchAll(DYNAMIC)].map(([, written = '']) => ({
    from,
    written,
    file: written.startsWith('.') ? join(dirname(from), written) : undefined,
  }));
}
