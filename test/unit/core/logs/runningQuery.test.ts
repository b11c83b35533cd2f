import assert from 'node:assert/strict';
import { type ExplorerServer, startExplorer } from '../../../../localnet/explorer/server.ts';
import type { MemoryIndex } from '../../../../localnet/index/memoryIndex.ts';
import { startNode } from '../../../../localnet/node/server.ts';
import { type Hex, type Log, type LogOrder, parseLogFilter } from '../../../../src/core/index.ts';
import { anew, type InjectableServer, withServer } from '../../../support/injectFetch.ts';
import { addresses, buildChain, type LogDataSet } from '../../../support/logDataSets.ts';
import {
  createInjectClient,
  expectedKeys,
  getLogKeys,
  type QueryJson,
  readAll,
} from '../../../support/logReading.ts';

const [A = '0x', B = '0x', C = '0x'] = addresses;
const query = { address: A };
const set = buildChain(210, 12);

/** A query whose server is asked anew each time. */
function open(server: InjectableServer, order: LogOrder, asked: QueryJson = query) {
  return createInjectClient(server, anew).openLogQuery(parseLogFilter(asked), { order });
}

describe('log query', () => {
  const wanted = expectedKeys(set, query);
  let server: ExplorerServer;
  before(async () => {
    server = await startExplorer({ index: set.index, dialect: 'v11.2' });
  });
  after(() => server.stop());

  it('stops at once on cancel and goes on when asked again', async () => {
    const running = open(server, 'oldestFirst');
    const cancel = new AbortController();
    const logs: Log[] = [];
    const reading = async () => {
      for await (const page of running.rest({ signal: cancel.signal })) {
        logs.push(...page.logs);
        cancel.abort();
      }
    };
    await assert.rejects(reading, { kind: 'aborted' });
    assert.ok(logs.length > 0 && logs.length < wanted.length);
    assert.equal(running.verdict?.state, 'more');
    const before = server.requestCount;
    for (let round = 0; round < 50; round++) await new Promise(setImmediate);
    assert.equal(server.requestCount, before, 'asked on after the cancel');
    logs.push(...(await readAll(running)).logs);
    assert.deepEqual(getLogKeys(logs), wanted);
  });

  it('refuses a second caller while it is being loaded', async () => {
    const running = open(server, 'oldestFirst');
    const first = running.nextPage();
    await assert.rejects(running.nextPage(), /already loading/);
    assert.equal((await first).logs.length, 1000);
    assert.ok((await running.nextPage()).logs.length > 0);
  });

  it('reports progress up to the whole range', async () => {
    const seen: bigint[] = [];
    let blocks = 0n;
    const onProgress = (progress: { readonly blocksDone: bigint; readonly blocks: bigint }) => {
      seen.push(progress.blocksDone);
      blocks = progress.blocks;
    };
    for await (const _ of open(server, 'oldestFirst').rest({ onProgress }));
    assert.equal(blocks, BigInt(set.head) + 1n);
    assert.equal(seen.at(-1), blocks);
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => Number(a - b)),
    );
  });
});

/** Another block takes the place of the one at this height. */
function replace(index: MemoryIndex, number: number): void {
  index.orphan(index.blocksAt(number)[0]?.hash ?? assert.fail());
  index.addBlock({ number, hash: `0x${'f'.repeat(64)}`, transactions: [] });
}

for (const order of ['oldestFirst', 'newestFirst'] as const) {
  describe(`log query while the chain changes, ${order}`, () => {
    let set: LogDataSet;
    beforeEach(() => {
      set = buildChain(60, 50);
    });
    const onExplorer = <T>(use: (server: ExplorerServer) => Promise<T>) =>
      withServer(startExplorer({ index: set.index, dialect: 'v11.2' }), use);

    /** The verdict of a query where `change` happens behind its first page. */
    const readOver = (server: InjectableServer, change: (readThrough: bigint) => void) => {
      const running = open(server, order);
      return running.nextPage().then(async ({ verdict }) => {
        assert.equal(verdict.state, 'more');
        change(verdict.readThrough ?? assert.fail());
        return readAll(running);
      });
    };

    it('tells of a reorg between its answers', async () => {
      const block = order === 'oldestFirst' ? 10 : 49;
      const { verdict } = await onExplorer((server) => readOver(server, () => replace(set.index, block)));
      assert.deepEqual(verdict.reasons, [{ code: 'reorg', block: BigInt(block) }]);
      assert.equal(verdict.state, 'uncertain');
    });

    it('tells of a reorg at any height of the end, however few blocks the server gives at once', async () => {
      let lastRead = 0n;
      const limits = { maxDistance: 9 };
      const node = startNode({ index: set.index, profile: 'alchemyFree', limits });
      const { verdict } = await withServer(node, (server) =>
        readOver(server, (readThrough) => {
          lastRead = readThrough;
          replace(set.index, Number(readThrough));
        }),
      );
      assert.deepEqual(verdict.reasons, [{ code: 'reorg', block: lastRead }]);
    });

    it('tells of a reorg between the requests for several addresses', async () => {
      set = buildChain(60, 50, { head: 61 });
      const { verdict } = await onExplorer((server) => {
        let asked = 0;
        server.setIntercept(({ body }) => {
          if (body.includes('eth_getLogs')) asked++;
          const [replaced] = set.index.blocksAt(0);
          if (asked === 2 && replaced) set.index.orphan(replaced.hash);
          return undefined;
        });
        return open(server, order, { address: [B, C], toBlock: 1 }).nextPage();
      });
      assert.deepEqual([verdict.state, verdict.reasons], ['uncertain', [{ code: 'reorg', block: 0n }]]);
    });

    it('tells of a head that went back below its range', async () => {
      const goBack = () => {
        for (const number of [58, 59])
          for (const { hash } of set.index.blocksAt(number)) set.index.orphan(hash);
      };
      const { verdict } = await onExplorer((server) => readOver(server, goBack));
      assert.deepEqual([verdict.state, verdict.reasons], ['uncertain', [{ code: 'headWentBack' }]]);
    });

    it('is about the head at which it began, whatever comes after', async () => {
      const late = { logIndex: 0, address: A as Hex, topics: [], data: '0x' } as const;
      const transactions = [{ hash: `0x${'e'.repeat(64)}`, logs: [late] }] as const;
      const { logs, verdict } = await onExplorer((server) =>
        readOver(server, () => set.index.addBlock({ number: 60, hash: `0x${'d'.repeat(64)}`, transactions })),
      );
      assert.deepEqual([verdict.state, verdict.toBlock], ['complete', 59n]);
      assert.ok(logs.every(({ blockNumber }) => blockNumber <= 59n));
    });

    it('says that a range above the head has nothing yet', () =>
      onExplorer(async (server) => {
        const { logs, verdict } = await open(server, order, { ...query, fromBlock: 60 }).nextPage();
        // The head is asked again, as a lagging replica may have reported it.
        assert.deepEqual([logs, verdict.state, verdict.requests], [[], 'unreached', 5]);
        assert.equal(server.requests.filter(({ body }) => body.includes('eth_getLogs')).length, 0);
        assert.deepEqual(verdict.reasons, [{ code: 'beyondHead', block: 59n }]);
      }));
  });
}
