import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Plugin } from 'esbuild';

const NAMED_EXPORT = /^export (?:type )?\{([^}]*)\} from '\.\/([^']+)';$/gm;
const NAMED_IMPORT = /^import \{([^}]*)\} from '(\.[^']+)';/gm;

/**
 * Has what is imported through `door`, a file that only re-exports, imported from where it is made. esbuild splits a
 * bundle by files: whoever imports one thing through a door would get all that is behind it, also what is wanted late.
 */
export function pastDoor(door: string): Plugin {
  return {
    name: 'past the door',
    setup({ onLoad }) {
      onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        const places = placesBehind(await readFile(door, 'utf8'));
        const contents = source.replace(NAMED_IMPORT, (statement, names: string, from: string) => {
          if (resolve(dirname(path), from) !== door) return statement;
          const folder = from.slice(0, from.lastIndexOf('/'));
          const imports = valuesIn(names).map(
            (name) => `import { ${name} } from '${folder}/${places.get(name)}';`,
          );
          // What follows stays on its line.
          return imports.join(' ') + statement.replace(/[^\n]/g, '');
        });
        return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts', watchFiles: [path, door] };
      });
    },
  };
}

/** The file of each name, relative to the door. */
function placesBehind(door: string): ReadonlyMap<string, string> {
  const exports = [...door.matchAll(NAMED_EXPORT)];
  return new Map(
    exports.flatMap(([, names = '', file = '']) => valuesIn(names).map((name) => [name, file] as const)),
  );
}

/** The names of a list that are no types alone. */
function valuesIn(names: string): readonly string[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));
}
