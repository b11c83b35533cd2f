import assert from 'node:assert/strict';
import { type ExplorerServer, startExplorer } from '../../../localnet/explorer/server.ts';
import type { NodeProfileName } from '../../../localnet/node/nodeProfiles.ts';
import { startNode } from '../../../localnet/node/server.ts';
import { runCli } from '../../support/runHeadless.ts';
import { forwardHeaders, TIMED_ADDRESS, timedChain, timeOfBlock } from '../../support/timedChain.ts';

describe('headless times', () => {
  const index = timedChain(100);
  let server: ExplorerServer;
  before(async () => {
    server = await startExplorer({ index, dialect: 'v11.2', forward: forwardHeaders(index) });
  });
  after(() => server.stop());

  const run = (...args: readonly string[]) =>
    runCli([...args, '--rpc', server.rpcUrl], { input: JSON.stringify({ address: TIMED_ADDRESS }) });
  const objectsOf = (stdout: string) =>
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('tell the block at a time, when it was made and what told; without a time the newest, as ever', async () => {
    const at = await run('block', '--at', '2026-11-01T00:08:25Z');
    assert.deepEqual([at.code, at.stderr], [0, '']);
    assert.deepEqual(objectsOf(at.stdout), [
      { block: '50', timestamp: '2026-11-01T00:08:20Z', source: 'getblocknobytime' },
    ]);
    const seconds = String(Date.parse('2026-11-01T00:08:25Z') / 1000);
    assert.equal((await run('block', '--at', seconds)).stdout, at.stdout);
    assert.deepEqual(objectsOf((await run('block')).stdout), [{ block: '99' }]);
    const long = await run('block', '--at', '-999999999w');
    const [first] = objectsOf(long.stdout);
    assert.deepEqual([first.block, first.outside], ['0', 'beforeFirst']);
    assert.match(long.stderr, /begins after that time/);
    const late = await run('block', '--at', '2100-01-01');
    const [last] = objectsOf(late.stdout);
    assert.deepEqual([last.block, last.outside], ['99', 'afterHead']);
    assert.match(late.stderr, /not come to that time/);
  });

  it('are the bounds of a query in place of its own, and the verdict has the blocks', async () => {
    const { stdout, stderr } = await run(
      ...['logs', '--query', '-', '--all'],
      ...['--from', '2026-11-01T00:08:15Z', '--to', '2026-11-01 00:09'],
    );
    const lines = objectsOf(stdout);
    const { verdict } = lines.pop();
    assert.deepEqual(
      lines.map(({ blockNumber }) => Number(blockNumber)),
      [50, 51, 52, 53, 54],
    );
    assert.deepEqual([verdict.state, verdict.fromBlock, verdict.toBlock], ['complete', '50', '54']);
    assert.equal(verdict.found.from.timestamp, '2026-11-01T00:08:20Z');
    assert.equal(verdict.found.from.asked, '2026-11-01T00:08:15Z');
    assert.match(
      stderr,
      /from 2026-11-01T00:08:15Z: block 50, made 2026-11-01T00:08:20Z \(by getblocknobytime\)/,
    );
  });

  describe('of rows', () => {
    const keys = [
      ...['address', 'blockHash', 'blockNumber', 'data', 'logIndex', 'topics', 'transactionHash'],
      'transactionIndex',
    ];
    const isoOf = (block: number) => `${new Date(timeOfBlock(block)).toISOString().slice(0, 19)}Z`;
    const known = new Map<string, ReturnType<typeof readRows>>();
    /** The rows that a server of `profile` gives, and what it was asked; each run is made once. */
    function rowsOf(profile: NodeProfileName, ...flags: readonly string[]) {
      const name = [profile, ...flags].join(' ');
      const rows = known.get(name) ?? readRows(profile, flags);
      known.set(name, rows);
      return rows;
    }
    async function readRows(profile: NodeProfileName, flags: readonly string[]) {
      const node = await startNode({ index, profile });
      try {
        const { stdout, stderr } = await runCli(
          ['logs', '--query', '-', '--all', ...flags, '--rpc', node.rpcUrl],
          { input: JSON.stringify({ address: TIMED_ADDRESS, fromBlock: 0 }) },
        );
        const asked = node.requests.map(({ body }) => body);
        return { rows: objectsOf(stdout).slice(0, -1), stderr, asked };
      } finally {
        await node.stop();
      }
    }

    it('stand there on request only, whether or not the node gives them with its logs', async () => {
      for (const profile of ['geth', 'besu'] as const) {
        const plain = await rowsOf(profile);
        assert.deepEqual([plain.rows.length, Object.keys(plain.rows[0])], [100, keys]);
        const { rows } = await rowsOf(profile, '--times');
        assert.deepEqual(Object.keys(rows[0]), [...keys, 'time']);
        assert.deepEqual(
          rows.map(({ time }) => time),
          rows.map((_, block) => isoOf(block)),
        );
      }
    });

    it('are asked for where the rows do not bring them along, and not elsewhere', async () => {
      const asks = ({ asked }: Awaited<ReturnType<typeof rowsOf>>) =>
        asked.some((body) => body.includes('eth_getBlockByNumber","params":["0x2a"'));
      assert.equal(asks(await rowsOf('geth', '--times')), false);
      assert.equal(asks(await rowsOf('besu', '--times')), true);
      assert.equal(asks(await rowsOf('besu')), false);
    });

    it('are of every row of an explorer too', async () => {
      const { stdout } = await run('logs', '--query', '-', '--all', '--times', '--newest-first');
      const rows = objectsOf(stdout).slice(0, -1);
      assert.deepEqual(
        rows.map(({ time }) => time),
        rows.map((_, place) => isoOf(99 - place)),
      );
    });

    it('are null where nothing tells, which is said once', async () => {
      const { rows, stderr } = await rowsOf('gateway', '--times');
      assert.deepEqual([rows.length, new Set(rows.map(({ time }) => time))], [100, new Set([null])]);
      assert.equal(stderr.match(/does not tell when blocks were made/g)?.length, 1);
    });
  });

  it('that are none are refused with what to write', async () => {
    for (const args of [
      ['block', '--at', 'yesterday'],
      ['block', '--at', '50'],
      ['logs', '--query', '-', '--from', '2026-11-31'],
    ]) {
      const { code, stdout } = await run(...args);
      assert.equal(code, 1);
      const { kind, message } = objectsOf(stdout)[0].error;
      assert.deepEqual([kind, /^Not a time: write 2026-11-01/.test(message)], ['badInput', true]);
    }
  });

  it('that end a query before the first block are refused in one line', async () => {
    const { code, stdout } = await run('logs', '--query', '-', '--to', '2026-10-31');
    const [{ error }, ...others] = objectsOf(stdout);
    assert.deepEqual([code, others, error.kind], [1, [], 'badInput']);
    assert.match(
      error.message,
      /^The range ends before the first block of the chain \(2026-11-01T00:00:00Z\)/,
    );
  });

  it('are not to be had of an endpoint that tells none, which says so', async () => {
    const node = await startNode({ index, profile: 'gateway' });
    try {
      const { code, stdout } = await runCli(['block', '--at', '2026-11-01', '--rpc', node.rpcUrl]);
      assert.deepEqual([code, objectsOf(stdout)[0].error.kind], [1, 'notServed']);
    } finally {
      await node.stop();
    }
  });
});
