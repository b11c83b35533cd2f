import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fromRoot } from '../../../scripts/support/paths.ts';
import { badInput, createLogFilter, isAppError, parseEventSignature } from '../../../src/core/index.ts';
import type { Localizer } from '../../../src/host/l10n.ts';
import { formatValidationError, getValidationMessages } from '../../../src/host/validationErrors.ts';

/** Another language: every text in brackets. */
const l10n: Localizer = { t: (message) => `«${message}»` };

function problemOf(act: () => unknown) {
  try {
    act();
  } catch (error) {
    if (isAppError(error, 'badInput')) return error;
  }
  return assert.fail('It can be used.');
}

describe('words for inputs', () => {
  it('are in the language of the editor, with what they speak of', () => {
    const reversed = problemOf(() =>
      createLogFilter({ addresses: [], topics: [], fromBlock: 9n, toBlock: 7n }),
    );
    assert.equal(formatValidationError(reversed, l10n), '«The first block (9) is above the last block (7).»');
    const unknown = problemOf(() => parseEventSignature('Made(Token token)'));
    assert.match(formatValidationError(unknown, l10n), /^«Made\(Token token\) has an unknown type/);
    assert.equal(formatValidationError(badInput('key', 'Not a key.'), l10n), 'Not a key.');
  });

  it('stand for every code that core has, and none besides', () => {
    const files = globSync('src/{core,features}/**/*.ts', { cwd: fromRoot('.') });
    const sources = files.map((file) => readFileSync(fromRoot(file), 'utf8'));
    const thrown = sources
      .filter((source) => source.includes('badInput('))
      .flatMap((source) => [...source.matchAll(/\bcode: '(\w+)'/g)].map(([, code]) => code));
    assert.deepEqual([...new Set(thrown)].sort(), Object.keys(getValidationMessages(l10n)).sort());
  });
});
