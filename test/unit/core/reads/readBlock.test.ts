import assert from 'node:assert/strict';
import { checkAtBlock } from '../../../../src/core/queries/checkOutcome.ts';
import { fetchReadBlock, readAtBlock, resolveReadBlock } from '../../../../src/core/reads/readBlock.ts';

/** Reports these heads one after the other, and the last one again and again. */
function openClient(heads: readonly bigint[]) {
  let at = 0;
  return {
    getBlockNumber: async () => heads[Math.min(at++, heads.length - 1)] ?? 0n,
    getTaggedBlock: async () => undefined,
    findBlockAt: async () => assert.fail('No time is given.'),
    getNewerHead: (head: bigint) => {
      const newest = heads.slice(0, at).reduce((high, one) => (one > high ? one : high), 0n);
      return newest > head ? newest : undefined;
    },
  };
}

describe('a block above the reported head', () => {
  it('is on the chain if another replica has it', async () => {
    const found = await resolveReadBlock('1000', openClient([997n, 998n, 1000n]), 0);
    assert.deepEqual(found, { block: 1000n, reasons: [] });
  });

  it('is not wrong input, as all replicas may lag', async () => {
    const expected = { kind: 'blockNotSeen', message: 'The latest block is 998. Enter 998 or lower.' };
    await assert.rejects(resolveReadBlock('1000', openClient([998n, 997n]), 0), expected);
    const inField = { ...expected, kind: 'badInput', details: /block/ };
    await assert.rejects(fetchReadBlock('1000', openClient([998n, 997n]), 0), ({ kind, details }) => {
      assert.deepEqual([kind, details.field], [inField.kind, 'block']);
      return true;
    });
  });

  it('is wrong input if it can only be a time', async () => {
    await assert.rejects(resolveReadBlock('1700000000', openClient([998n]), 0), { kind: 'badInput' });
  });
});

describe('a block that counts back to before the first one', () => {
  it('is wrong input, and is not read as the first', async () => {
    const message = 'The latest block is 2, so there is no block latest-1000.';
    await assert.rejects(resolveReadBlock('latest-1000', openClient([2n]), 0), { kind: 'badInput', message });
    assert.equal((await resolveReadBlock('latest-2', openClient([2n]), 0)).block, 0n);
  });
});

describe('what is read at the latest block', () => {
  const readBlocks = async (text: string, heads: readonly bigint[], isFinal = true) => {
    const blocks: bigint[] = [];
    const client = openClient(heads);
    await readAtBlock({ text, client, now: 0, isFinal: () => isFinal }, async ({ block }) => {
      blocks.push(block);
      // As a log query does.
      if (isFinal) await client.getBlockNumber();
    });
    return blocks;
  };

  it('is read again at a newer one that is reported meanwhile', async () => {
    assert.deepEqual(await readBlocks('latest', [800n, 1000n]), [800n, 1000n]);
    assert.deepEqual(await readBlocks('latest-5', [800n, 1000n]), [795n, 995n]);
    assert.deepEqual(await readBlocks('latest', [1000n]), [1000n]);
  });

  it('is read three times at most, as a chain may be fast', async () => {
    const heads = Array.from({ length: 20 }, (_, nth) => BigInt(nth) * 1000n);
    assert.equal((await readBlocks('latest', heads)).length, 3);
  });

  it('is not read again at a block that has a number', async () => {
    assert.deepEqual(await readBlocks('800', [800n, 1000n]), [800n]);
  });

  it('is read again where a contract is not there yet', async () => {
    const client = openClient([800n, 1000n]);
    const read = async ({ block }: { readonly block: bigint }) => {
      await client.getBlockNumber();
      if (block < 900n) throw new Error('No contract.');
      return block;
    };
    assert.equal(await readAtBlock({ text: 'latest', client, now: 0 }, read), 1000n);
  });

  it('differs only if another request for the latest block reports no newer one', async () => {
    const client = openClient([800n, 1000n]);
    const withFileField = () => assert.fail('Nothing fails.');
    const place = { text: 'latest', deps: { client, now: 0 }, withFileField };
    const check = async ({ block }: { readonly block: bigint }) =>
      ({ state: block === 1000n ? 'ok' : 'differs', reasons: [] }) as const;
    assert.equal((await checkAtBlock(place, check, {})).state, 'ok');
  });
});
