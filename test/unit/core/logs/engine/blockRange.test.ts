import assert from 'node:assert/strict';
import { startExplorer } from '../../../../../localnet/explorer/server.ts';
import { startNode } from '../../../../../localnet/node/server.ts';
import {
  createExportRecord,
  createLogStore,
  type Network,
  parseLogFilter,
  verdictToJson,
} from '../../../../../src/core/index.ts';
import { resolveRange, resolveTimes } from '../../../../../src/core/logs/engine/blockRange.ts';
import { createLog } from '../../../../support/anyLogs.ts';
import { forwardHeaders, TIMED_ADDRESS, timedChain, timeOfBlock } from '../../../../support/chains.ts';
import { withServer } from '../../../../support/injectFetch.ts';
import { createInjectClient, openInjectQuery, readAll } from '../../../../support/logReading.ts';

const HEAD = 299;
const index = timedChain(HEAD + 1);
const iso = (block: number, ms = 0) => new Date(timeOfBlock(block) + ms).toISOString().replace('.000Z', 'Z');

describe('a range that counts back from the latest block', () => {
  it('begins with the first block where it counts back to before it', () => {
    const { fromBlock, toBlock } = resolveRange({ fromBlock: 'latest-1000', toBlock: 'latest' }, 2n);
    assert.deepEqual([fromBlock, toBlock], [0n, 2n]);
  });

  it('is refused where it ends before the first block', () => {
    const message = 'The latest block is 2, so there is no block latest-1000.';
    assert.throws(() => resolveRange({ fromBlock: 'earliest', toBlock: 'latest-1000' }, 2n), {
      kind: 'badInput',
      message,
    });
  });
});

describe('a range that is asked for by time', () => {
  for (const [name, start] of Object.entries({
    'an explorer': () => startExplorer({ index, dialect: 'v11.2', forward: forwardHeaders(index) }),
    'an old explorer': () => startExplorer({ index, dialect: 'v5.1.4' }),
    'a node': () => startNode({ index, profile: 'geth' }),
  })) {
    describe(`of ${name}`, () => {
      let server: Awaited<ReturnType<typeof start>>;
      before(async () => {
        server = await start();
      });
      after(() => server.stop());

      async function read(fromBlock?: string, toBlock?: string, order?: 'newestFirst') {
        const filter = parseLogFilter({ address: TIMED_ADDRESS, fromBlock, toBlock });
        const { logs, verdict } = await readAll(createInjectClient(server).openLogQuery(filter, { order }));
        return { filter, blocks: logs.map(({ blockNumber }) => blockNumber), verdict };
      }

      it('holds every log from the first block in it to the last, and says which blocks those are', async () => {
        const { blocks, verdict } = await read(iso(50, -9999), iso(60, 9000));
        assert.deepEqual(
          blocks,
          Array.from({ length: 11 }, (_, place) => BigInt(50 + place)),
        );
        const { state, fromBlock, toBlock, found } = verdictToJson(verdict);
        assert.deepEqual([state, fromBlock, toBlock], ['complete', '50', '60']);
        assert.deepEqual(
          [found?.from?.block, found?.from?.timestamp, found?.to?.block, found?.to?.timestamp],
          ['50', iso(50), '60', iso(60)],
        );
      });

      it('is read from the newest end too', async () => {
        const { blocks } = await read(iso(290), undefined, 'newestFirst');
        assert.deepEqual(
          blocks,
          Array.from({ length: 10 }, (_, place) => BigInt(HEAD - place)),
        );
      });

      it('goes to the latest block where it ends later, and from the first where it begins before', async () => {
        const { verdict } = await read('2001-01-01', '2999-01-01');
        assert.deepEqual([verdict.fromBlock, verdict.toBlock, verdict.state], [0n, 299n, 'unreached']);
        assert.deepEqual(verdict.reasons, [{ code: 'endNotReached', block: 299n }]);
      });

      it('is not reached yet where it begins after the newest block', async () => {
        const { verdict, blocks } = await read('2999-01-01');
        assert.deepEqual([blocks, verdict.fromBlock], [[], 300n]);
        assert.deepEqual(verdict.reasons, [{ code: 'beyondHead', block: 299n }]);
      });

      it('is not reached yet where it ends at the time of the newest block, which the next may have too', async () => {
        const { verdict, blocks } = await read(iso(290), iso(HEAD));
        assert.deepEqual([blocks.length, verdict.toBlock], [10, 299n]);
        assert.deepEqual(verdict.reasons, [{ code: 'endNotReached', block: 299n }]);
        assert.equal((await read(iso(290), iso(HEAD, -1))).verdict.state, 'complete');
      });

      it('has no block in it where none was made, and says so', async () => {
        await assert.rejects(read(iso(50, 1000), iso(50, 2000)), {
          kind: 'badInput',
          message: 'There is no block between these times. The first block after them is 51.',
        });
      });

      it('is refused where it begins above its last block, in whichever way the two are written', async () => {
        const range = [
          [iso(50), '5', '(50) is after the last block (5)'],
          ['100', iso(50), '(100) is after the last block (50)'],
          ['400', iso(50), '(400) is after the last block (50)'],
          ['2999-01-01', '5', '(300) is after the last block (5)'],
        ] as const;
        for (const [from, to, words] of range) {
          const message = `The first block ${words}.`;
          await assert.rejects(read(from, to), { kind: 'badInput', message });
        }
      });

      it('has no block in it where it ends before the first one, and says so', async () => {
        await assert.rejects(read(undefined, iso(0, -1000)), {
          kind: 'badInput',
          message: `The range ends before the first block of the chain (${iso(0)}). Enter a later time or a block number.`,
        });
        assert.deepEqual((await read(undefined, iso(0))).blocks, [0n]);
      });

      it('is recorded by its blocks, beside what was asked for', async () => {
        const { filter, verdict } = await read(iso(50), iso(60));
        const network = { id: 'x', name: 'X', chainId: 1, rpcUrl: 'http://127.0.0.1/' } as Network;
        const at = { startedAt: 0, finishedAt: 0, version: '1' };
        const record = createExportRecord({ format: 'csv', rows: 0, filter, network, verdict, ...at });
        assert.deepEqual([record.query.fromBlock, record.query.toBlock], ['0x32', '0x3c']);
        assert.equal(JSON.parse(JSON.stringify(record)).found.from.asked, iso(50));
      });
    });
  }

  it('is refused so too where one moment is told by how long ago it is', async () => {
    const blockAt = async ({ time }: { readonly time: number }) =>
      ({ block: BigInt(time / 1000), time, source: 'eth_getBlockByNumber' }) as const;
    const settled = resolveTimes(
      { fromBlock: '-10s', toBlock: '1970-01-01T00:00:50Z' },
      { head: 100n, now: 100_000, blockAt },
    );
    const message = 'The first block (90) is after the last block (50).';
    await assert.rejects(settled, { kind: 'badInput', message });
  });

  it('cannot be asked of an endpoint that tells no times, which says so', async () => {
    await withServer(startNode({ index, profile: 'gateway' }), (server) =>
      assert.rejects(openInjectQuery(server, { fromBlock: '2026-11-01' }).nextPage(), {
        ...{ kind: 'notServed', message: /returns no block times/ },
      }),
    );
  });
});

describe('times that come with rows', () => {
  const rowsOf = (profile: 'geth' | 'besu') =>
    withServer(startNode({ index, profile }), async (server) => {
      const { logs } = await openInjectQuery(server, { address: TIMED_ADDRESS }).nextPage();
      return logs;
    });

  it('are kept once a block', async () => {
    const logs = await rowsOf('geth');
    const store = createLogStore();
    store.append(logs);
    assert.deepEqual([store.get(42).time, store.get(42)], [timeOfBlock(42), logs[42]]);
  });

  it('are not there where the node gives none, nor made up', async () => {
    const [first = assert.fail()] = await rowsOf('besu');
    assert.equal('time' in first, false);
  });

  it('stay with their blocks where only some have one', () => {
    const store = createLogStore();
    const logAt = (block: number, time?: number) => createLog(block, time === undefined ? {} : { time });
    const logs = [logAt(1), logAt(2), logAt(3, 0), logAt(4), logAt(5, 5000)];
    store.append(logs);
    assert.deepEqual(store.slice(0, 5), logs);
  });
});
