import assert from 'node:assert/strict';
import { batchChanges, cachePerVersion } from '../../../src/host/timing.ts';

describe('changes that are told in one go', () => {
  let passed: (readonly string[] | undefined)[];
  let tell: (change: string | undefined) => void;
  beforeEach(() => {
    passed = [];
    tell = batchChanges<string>((changes) => passed.push(changes));
  });

  it('are passed on together, each once', async () => {
    for (const change of ['a', 'b', 'a']) tell(change);
    assert.deepEqual(passed, []);
    await Promise.resolve();
    assert.deepEqual(passed, [['a', 'b']]);
  });

  it('are one change of everything where one of them is', async () => {
    for (const change of ['a', undefined, 'b', undefined]) tell(change);
    await Promise.resolve();
    assert.deepEqual(passed, [undefined]);
  });

  it('have nothing of those before', async () => {
    tell(undefined);
    await Promise.resolve();
    tell('a');
    await Promise.resolve();
    assert.deepEqual(passed, [undefined, ['a']]);
  });
});

describe('What is made of a document', () => {
  it('is made once for each version of its text, also where it is nothing', () => {
    const reads: string[] = [];
    const made = cachePerVersion((document: { version: number; text: string }) => {
      reads.push(document.text);
      return document.text === 'none' ? undefined : document.text.length;
    });
    const document = { version: 1, text: 'abc' };
    assert.deepEqual([made(document), made(document)], [3, 3]);
    Object.assign(document, { version: 2, text: 'none' });
    assert.deepEqual([made(document), made(document)], [undefined, undefined]);
    assert.equal(made({ version: 2, text: 'other' }), 5);
    assert.deepEqual(reads, ['abc', 'none', 'other']);
  });
});
