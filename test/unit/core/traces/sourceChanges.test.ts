import assert from 'node:assert/strict';
import { hashText } from '../../../../src/core/index.ts';
import { compareSources, findCompiled, type SourceFile } from '../../../../src/core/traces/sourceChanges.ts';
import { slicing } from '../../../support/clocks.ts';

const compare = (text: SourceFile | undefined, keccak256: string) =>
  compareSources(
    { project: '', source: 'src/A.sol' },
    {
      hashes: { 'src/A.sol': { keccak256 } },
      at: (source) => source,
      readText: async (path) => (path === 'src/A.sol' ? text : undefined),
      files: { list: async () => [] },
    },
    slicing,
  );

/** How many texts are hashed meanwhile. */
async function countHashed(run: () => Promise<unknown>): Promise<number> {
  const { encode } = TextEncoder.prototype;
  let count = 0;
  TextEncoder.prototype.encode = function counted(text) {
    count++;
    return encode.call(this, text);
  };
  try {
    await run();
  } finally {
    TextEncoder.prototype.encode = encode;
  }
  return count;
}

describe('a source and the one that was compiled', () => {
  it('are the same with other line ends, and without a byte order mark', async () => {
    const compiled = { keccak256: hashText('a\nb\n') };
    for (const text of ['a\nb\n', 'a\r\nb\r\n'])
      assert.equal(await findCompiled(text, compiled, slicing), 'a\nb\n');
    assert.equal(await findCompiled('a', { keccak256: hashText('\ufeffa') }, slicing), '\ufeffa');
    assert.equal(await findCompiled('a\r\n', { keccak256: hashText('a\r\n') }, slicing), 'a\r\n');
    assert.equal(await findCompiled('a', compiled, slicing), undefined);
    assert.equal(await findCompiled('a\r\n', { content: 'a\n' }, slicing), 'a\n');
  });

  it('are hashed once where the text has no line ends of Windows', async () => {
    const [one, none] = [{ keccak256: hashText('a\nb') }, { keccak256: hashText('') }];
    assert.equal(await countHashed(() => findCompiled('a\nb', one, slicing)), 1);
    assert.equal(await countHashed(() => findCompiled('a\nb', none, slicing)), 2);
    assert.equal(await countHashed(() => findCompiled('a\r\nb', none, slicing)), 4);
  });

  it('are not compared above 1 MiB, which is said', async () => {
    const changes = { changed: [], deleted: [], isPartial: false };
    assert.deepEqual(await compare({ text: 'a' }, hashText('a')), changes);
    assert.deepEqual(await compare({ text: 'b' }, hashText('a')), { ...changes, changed: ['src/A.sol'] });
    assert.deepEqual(await compare('tooLarge', hashText('a')), { ...changes, isPartial: true });
  });
});
