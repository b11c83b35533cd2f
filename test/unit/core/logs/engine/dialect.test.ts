import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fromRoot } from '../../../../../scripts/support/paths.ts';
import {
  type Dialect,
  explorerFromV12,
  genericExplorer,
  getBatchSupport,
  getFilterSupport,
  inferDialect,
  isOtherServer,
  parseExplorerVersion,
  toNodeDialect,
  unknownDialect,
} from '../../../../../src/core/logs/engine/dialect.ts';
import { createDialectMemory, learnFromBatch } from '../../../../../src/core/logs/engine/dialectMemory.ts';

/** Where families and releases have a meaning. */
const KNOWS = ['logs/engine/dialect.ts', 'providers/'];
/** What only a place that knows the kinds of servers has a reason to write. */
const KINDS = /\bfamily\b|'blockscout'|\/release\.ts'|\.release\b(?!\()|\{[^}]*\brelease \}|\brelease [!=]==/;

describe('kinds of servers', () => {
  it('are known in one place: all else asks for traits', async () => {
    const core = fromRoot('src/core');
    const files = (await readdir(core, { recursive: true })).map((file) => file.replaceAll('\\', '/'));
    const others = files.filter(
      (file) => file.endsWith('.ts') && !KNOWS.some((known) => file.startsWith(known)),
    );
    assert.ok(others.length > 100);
    for (const file of others) {
      const code = withoutComments(await readFile(join(core, file), 'utf8'));
      assert.doesNotMatch(code, KINDS, file);
    }
  });

  it('take all of a filter, parts of it, or show first which', () => {
    const is = (told: Partial<Dialect> | undefined) => getFilterSupport({ ...unknownDialect, ...told });
    assert.deepEqual(
      [is({}), is(toNodeDialect('Geth/v1.17.0')), is(toNodeDialect()), is(parseExplorerVersion('v9.1.1'))],
      ['unknown', 'whole', 'whole', 'parts'],
    );
    assert.equal(parseExplorerVersion('soon'), undefined);
  });
});

describe('another server', () => {
  const bareNumbers = inferDialect(unknownDialect, { count: 1, hasBareNumbers: true })?.dialect;
  const reported = (version: string) => parseExplorerVersion(version) ?? {};
  const isOther = (remembered: Partial<Dialect> | undefined, now: Partial<Dialect>, isConclusive = true) =>
    isOtherServer({ ...unknownDialect, ...remembered }, now, isConclusive);

  it('is not one whose release becomes known after its responses have shown its age', () => {
    assert.equal(isOther(bareNumbers, reported('v5.4.0')), false);
    assert.equal(isOther(explorerFromV12, reported('v12.1.0')), false);
  });

  it('is not one that does not report its release for once', () => {
    assert.equal(isOther(reported('v12.1.0'), explorerFromV12, false), false);
    assert.equal(isOther(reported('v11.2.7'), genericExplorer, false), false);
  });

  it('has another version, age or kind', () => {
    assert.equal(isOther(reported('v11.2.7'), reported('v11.2.8')), true);
    assert.equal(isOther(bareNumbers, reported('v9.1.0')), true);
    assert.equal(isOther(reported('v9.1.0'), explorerFromV12, false), true);
    assert.equal(isOther(reported('v11.2.7'), toNodeDialect('Geth/v1.17.0')), true);
  });
});

describe('batches', () => {
  it('are tried twice where they fail in a way that may pass, and not again once refused', () => {
    const memory = createDialectMemory();
    const support = () => getBatchSupport(memory.current());
    assert.equal(support(), 'unsure');
    learnFromBatch(memory, 'failed');
    assert.equal(support(), 'unsure');
    learnFromBatch(memory, 'failed');
    assert.equal(support(), 'refused');
    memory.forget();
    learnFromBatch(memory, 'taken');
    learnFromBatch(memory, 'failed');
    assert.equal(support(), 'taken');
    learnFromBatch(memory, 'refused');
    assert.equal(support(), 'refused');
  });
});

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}
