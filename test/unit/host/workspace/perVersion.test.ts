import assert from 'node:assert/strict';
import { cachePerVersion } from '../../../../src/host/timing.ts';

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
