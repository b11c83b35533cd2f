import assert from 'node:assert/strict';
import { startExplorer } from '../../../../localnet/explorer/server.ts';
import {
  type BlockTag,
  createLogFilter,
  parseBlockTag,
  parseLogFilter,
  parseQueryArguments,
  parseQueryForm,
  toQueryForm,
} from '../../../../src/core/index.ts';
import { resolveRange } from '../../../../src/core/logs/engine/blockRange.ts';
import { addresses, dataSets } from '../../../support/logDataSets.ts';
import { expectedKeys, getLogKeys, openQuery, readAll } from '../../../support/logReading.ts';

const rangeOf = (fromBlock: BlockTag, toBlock: BlockTag, head: bigint) => {
  const range = resolveRange({ fromBlock, toBlock }, head);
  return [range.fromBlock, range.toBlock];
};

describe('block that counts from the latest', () => {
  it('is read however people write it', () => {
    for (const text of ['latest-1000', ' Latest - 1,000 ', 'latest-1_000']) {
      assert.equal(parseBlockTag(text, 'fromBlock'), 'latest-1000');
      assert.equal(parseBlockTag(text, 'toBlock'), 'latest-1000');
    }
    assert.equal(parseBlockTag('latest-0', 'toBlock'), 'latest');
  });

  it('is as a first block also the number of blocks to the latest', () => {
    for (const value of ['-1000', '-1,000', -1000, -1000n]) {
      assert.deepEqual(rangeOf(parseBlockTag(value, 'fromBlock'), 'latest', 5000n), [4001n, 5000n]);
    }
    assert.equal(parseBlockTag(-1, 'fromBlock'), 'latest');
  });

  it('is block 0 on a chain that is shorter', () => {
    assert.deepEqual(rangeOf('latest-1000', 'latest', 7n), [0n, 7n]);
    assert.deepEqual(rangeOf('latest-5', 'latest-2', 7n), [2n, 5n]);
  });

  it('is taken by JSON, by arguments and by forms alike', () => {
    for (const fromBlock of [-100, '-100', 'latest-99']) {
      const given = { fromBlock, toBlock: 'latest-10' };
      const wanted = { ...createLogFilter({ addresses: [], topics: [], fromBlock: 0n, toBlock: 0n }) };
      const filter = { ...wanted, fromBlock: 'latest-99', toBlock: 'latest-10' };
      assert.deepEqual(parseLogFilter(given), filter);
      assert.deepEqual(parseQueryForm(toQueryForm(parseQueryArguments(given).query)).filter, filter);
    }
  });

  it('is refused in words where it is none', () => {
    for (const text of [
      '-0',
      '--5',
      '-1.5',
      'latest-',
      'latest+5',
      'latest-0x10',
      'earliest-5',
      '-',
      '-1e3',
    ]) {
      const refused = { kind: 'badInput', message: /^Not a block: write .*latest-1000/ };
      assert.throws(() => parseBlockTag(text, 'fromBlock'), refused, text);
    }
    assert.throws(() => parseBlockTag('-50', 'toBlock'), {
      kind: 'badInput',
      message: 'A last block is not counted from the end. Write latest-50.',
    });
  });

  it('is compared with the other bound as far as that can be said, and when the head is known', () => {
    const open = (fromBlock: string, toBlock: string) => parseLogFilter({ fromBlock, toBlock });
    for (const [from, to] of [
      ['latest-5', 'latest-6'],
      ['latest', 'latest-1'],
    ] as const) {
      assert.throws(() => open(from, to), { kind: 'badInput', message: /is above the last block/ });
    }
    assert.equal(open('latest-5', '10').fromBlock, 'latest-5');
    assert.equal(open('10', 'latest-5').toBlock, 'latest-5');
    assert.deepEqual(rangeOf('latest-5', 10n, 12n), [7n, 10n]);
    const reversed = { kind: 'badInput', message: 'The first block (95) is above the last block (10).' };
    assert.throws(() => rangeOf('latest-5', 10n, 100n), reversed);
    assert.throws(() => rangeOf(95n, 'latest-90', 100n), reversed);
  });

  it('reaches servers and verdicts as a number', async () => {
    const set = dataSets.uneven();
    const server = await startExplorer({ index: set.index, dialect: 'v11.2' });
    const asked = { address: addresses[0] ?? '', fromBlock: -20, toBlock: 'latest-3' };
    const { logs, verdict } = await readAll(openQuery(server.rpcUrl, asked));
    await server.stop();
    const [fromBlock, toBlock] = [set.head - 19, set.head - 3];
    assert.deepEqual(getLogKeys(logs), expectedKeys(set, { ...asked, fromBlock, toBlock }));
    assert.deepEqual([verdict.fromBlock, verdict.toBlock], [BigInt(fromBlock), BigInt(toBlock)]);
    const bodies = server.requests.map(({ body }) => body).join();
    assert.match(bodies, new RegExp(`"fromBlock":"0x${fromBlock.toString(16)}"`));
    assert.doesNotMatch(bodies, /latest/);
  });

  it('leaves a range above the head for what it is', () => {
    assert.deepEqual(resolveRange({ fromBlock: 60n, toBlock: 'latest' }, 50n), {
      ...{ fromBlock: 60n, toBlock: 50n, head: 50n },
    });
    assert.deepEqual(resolveRange({ fromBlock: 40n, toBlock: 60n }, 50n), {
      ...{ fromBlock: 40n, toBlock: 50n, head: 50n, askedTo: 60n },
    });
  });
});
