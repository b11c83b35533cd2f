import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { fromRoot, projectRoot } from '../../scripts/support/paths.ts';

/** An import as it is written, types included, and the file that it leads to when it is no package. */
export interface SourceImport {
  readonly from: string;
  readonly written: string;
  readonly file: string | undefined;
  /** Whether it imports types alone, and so loads nothing. */
  readonly isType: boolean;
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
  return [...code.matchAll(STATIC), ...code.matchAll(DYNAMIC)].map(([statement, written = '']) => ({
    from,
    written,
    isType: /^\W?(?:import|export)\s+type\s/.test(statement),
    file: written.startsWith('.') ? join(dirname(from), written) : undefined,
  }));
}

/** The groups of nodes from each of which every other of the group is reached; one by itself is no group. */
export function findCycles(edges: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const circles: string[][] = [];
  const visit = (node: string): number => {
    const place = order.size;
    order.set(node, place);
    lowest.set(node, place);
    path.push(node);
    for (const next of edges.get(node) ?? []) {
      const reached = order.has(next) ? (path.includes(next) ? order.get(next) : undefined) : visit(next);
      lowest.set(node, Math.min(lowest.get(node) ?? place, reached ?? place));
    }
    const low = lowest.get(node) ?? place;
    if (low === place) {
      const circle = path.splice(path.indexOf(node));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return low;
  };
  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return circles;
}
