import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fromRoot } from '../../../scripts/support/paths.ts';
import { createTimeSlices, systemClock } from '../../../src/core/index.ts';

const FUNCTION = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport (?:async )?function\*? ?(\w+)/g;

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

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;

describe('examples in the comments of core', () => {
  const root = fromRoot('src', 'core');

  for (const file of globSync('**/*.ts', { cwd: root }).sort()) {
    const path = join(root, file);
    const source = readFileSync(path, 'utf8');
    const examples = [...source.matchAll(FUNCTION)].map(([, comment = '', name = '']) =>
      exampleOf(comment, name),
    );
    const shown = examples.filter((example) => example !== undefined);
    if (shown.some(({ value }) => value !== undefined)) {
      it(`are true in ${file}`, async () => {
        const names = {
          ...(await import('../../../src/core/index.ts')),
          ...(await import(pathToFileURL(path).href)),
          slices: createTimeSlices(systemClock),
        };
        const evaluate = (text: string): Promise<unknown> =>
          new AsyncFunction(...Object.keys(names), `return (${text});`)(...Object.values(names));
        for (const { expression, value } of shown) {
          if (value !== undefined)
            assert.deepEqual(await evaluate(expression), await evaluate(value), expression);
        }
      });
    }
  }
});
