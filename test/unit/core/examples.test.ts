import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fromRoot } from '../../../scripts/support/paths.ts';

/** Folders of which every exported function has an example. */
const shownFolders = ['abi', 'export', 'logs/query', 'values'];
const FUNCTION = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport (?:async )?function\*? ?(\w+)/g;
const ALL_FUNCTIONS = /^export (?:async )?function\*? ?(\w+)/gm;

interface Example {
  readonly name: string;
  readonly expression: string;
  /** Undefined where the example only shows a call. */
  readonly value: string | undefined;
}

/** The text behind `@example`, up to the next tag; what it gives stands behind the last `//`. */
function exampleOf(comment: string, name: string): Example | undefined {
  const lines = comment.split('\n').map((line) => line.replace(/^ \* ?/, ''));
  const first = lines.findIndex((line) => line.startsWith('@example'));
  if (first < 0) return undefined;
  const last = lines.findIndex(
    (line, index) => index > first && (line.startsWith('@') || line.trim() === ''),
  );
  const text = lines
    .slice(first, last < 0 ? undefined : last)
    .join(' ')
    .replace('@example', '')
    .trim();
  const [, expression = text, value] = /^(.*[^;]) \/\/ (.*)$/.exec(text) ?? [];
  return { name, expression, value };
}

describe('examples in the comments of core', () => {
  const root = fromRoot('src', 'core');

  it('are there for every function that goes out of the door', () => {
    const door = readFileSync(join(root, 'index.ts'), 'utf8');
    const lacking = [...door.matchAll(/^export \{([^}]*)\} from '([^']+)'/gm)].flatMap(
      ([, names = '', file = '']) => {
        const source = readFileSync(join(root, file), 'utf8');
        const given = new Set(names.split(',').map((name) => name.trim()));
        const shown = new Set(
          [...source.matchAll(FUNCTION)]
            .map(([, comment = '', name = '']) => exampleOf(comment, name)?.name)
            .filter((name) => name !== undefined),
        );
        return [...source.matchAll(ALL_FUNCTIONS)]
          .map(([, name = '']) => name)
          .filter((name) => given.has(name) && !shown.has(name))
          .map((name) => `${file}: ${name}`);
      },
    );
    assert.deepEqual(lacking, []);
  });

  for (const file of globSync('**/*.ts', { cwd: root }).sort()) {
    const path = join(root, file);
    const source = readFileSync(path, 'utf8');
    const examples = [...source.matchAll(FUNCTION)].map(([, comment = '', name = '']) =>
      exampleOf(comment, name),
    );
    const shown = examples.filter((example) => example !== undefined);
    if (shownFolders.includes(dirname(file).replaceAll('\\', '/'))) {
      it(`are there in ${file}`, () => {
        const exported = [...source.matchAll(ALL_FUNCTIONS)].map(([, name]) => name);
        assert.deepEqual(
          shown.map(({ name }) => name),
          exported,
        );
      });
    }
    if (shown.some(({ value }) => value !== undefined)) {
      it(`are true in ${file}`, async () => {
        const names = {
          ...(await import('../../../src/core/index.ts')),
          ...(await import(pathToFileURL(path).href)),
        };
        const evaluated = (text: string) =>
          new Function(...Object.keys(names), `return (${text});`)(...Object.values(names));
        for (const { expression, value } of shown) {
          if (value !== undefined) assert.deepEqual(evaluated(expression), evaluated(value), expression);
        }
      });
    }
  }
});
