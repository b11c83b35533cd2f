import assert from 'node:assert/strict';
import { type ExplorerServer, startExplorer } from '../../../localnet/explorer/server.ts';
import type { NodeProfileName } from '../../../localnet/node/nodeProfiles.ts';
import { type NodeServer, startNode } from '../../../localnet/node/server.ts';
import { type PortalServer, startPortal } from '../../../localnet/portal/server.ts';
import { forwardHeaders, TIMED_ADDRESS, timedChain, timeOfBlock } from '../../support/chains.ts';
import { createRow } from '../../support/fakeFetch.ts';
import { addresses, dataSets } from '../../support/logDataSets.ts';
import { expectedKeys } from '../../support/logReading.ts';
import { startLoopbackServer, startRpcServer } from '../../support/loopbackServer.ts';
import { parseLines, runCli } from '../../support/runCli.ts';

const query = { address: addresses[0] ?? '' };
const keys = 'address blockHash blockNumber data logIndex topics transactionHash transactionIndex'.split(' ');

describe('headless log query', () => {
  const set = dataSets.uneven();
  let server: ExplorerServer;
  before(async () => {
    server = await startExplorer({ index: set.index, dialect: 'v5.1.4' });
  });
  after(() => server.stop());

  const read = (input: string, ...args: readonly string[]) =>
    runCli(['logs', '--rpc', server.rpcUrl, '--query', '-', ...args], { input });

  it('prints a log a line, in normal form, and the verdict last', async () => {
    const { code, stdout } = await read(JSON.stringify(query), '--all');
    const logs = parseLines(stdout);
    const { verdict } = logs.pop();
    assert.equal(code, 0);
    const wanted = expectedKeys(set, query);
    assert.deepEqual([verdict.state, verdict.reasons, verdict.rows], ['complete', [], wanted.length]);
    assert.deepEqual(
      logs.map(({ blockNumber, logIndex }) => `${Number(blockNumber)}:${Number(logIndex)}`),
      wanted,
    );
    assert.deepEqual(Object.keys(logs[0]), keys);
  });

  it('prints the newest first where it is asked to, through the pages that were asked for', async () => {
    const input = JSON.stringify({ ...query, fromBlock: -160 });
    const { code, stdout } = await read(input, '--newest-first', '--pages', '1');
    const logs = parseLines(stdout);
    const { verdict } = logs.pop();
    assert.equal(code, 0);
    assert.deepEqual([verdict.state, verdict.order, verdict.rows], ['more', 'newestFirst', logs.length]);
    assert.deepEqual([verdict.fromBlock, verdict.toBlock], [`${set.head - 159}`, `${set.head}`]);
    assert.deepEqual(
      logs.map(({ blockNumber, logIndex }) => `${Number(blockNumber)}:${Number(logIndex)}`),
      expectedKeys(set, query, 'newestFirst').slice(0, logs.length),
    );
  });

  it('says in JSON what is wrong with the query, and ends with 2', async () => {
    const { code, stdout } = await read('{"address":');
    const { error } = JSON.parse(stdout);
    assert.deepEqual([code, error.kind, error.field], [2, 'badInput', 'query']);
  });
});

describe('headless logs', () => {
  it('print the error of a server after the first rows with what these are worth', async () => {
    await using server = await startRpcServer(({ id, method, params }) => {
      const reply = (result: unknown) => ({ jsonrpc: '2.0', id, result });
      if (method === 'eth_blockNumber') return reply('0x2710');
      if (method !== 'eth_getLogs') return { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } };
      const { fromBlock, toBlock } = params[0] as { readonly fromBlock: string; readonly toBlock: string };
      const from = Number(fromBlock);
      if (from >= 5000) return { jsonrpc: '2.0', id, error: { code: -32000, message: 'gone for good' } };
      const length = Math.min(1000, Number(toBlock) - from + 1);
      return reply(Array.from({ length }, (_, index) => createRow(from + index, 0)));
    });
    const { code, stdout } = await runCli(['logs', '--pages', '9', '--rpc', server.url]);
    const lines = parseLines(stdout);
    const last = lines.pop();
    assert.equal(code, 3);
    assert.deepEqual(Object.keys(last), ['error', 'verdict']);
    assert.deepEqual([last.error.kind, last.error.serverMessage], ['rpc', 'gone for good']);
    assert.deepEqual([last.verdict.state, last.verdict.rows], ['uncertain', lines.length]);
    assert.equal(last.verdict.reasons.at(-1), last.error.message);
    assert.ok(lines.length > 0);
  });
});

describe('headless times', () => {
  const index = timedChain(100);
  let server: ExplorerServer;
  before(async () => {
    server = await startExplorer({ index, dialect: 'v11.2', forward: forwardHeaders(index) });
  });
  after(() => server.stop());

  const run = (...args: readonly string[]) =>
    runCli([...args, '--rpc', server.rpcUrl], { input: JSON.stringify({ address: TIMED_ADDRESS }) });

  it('tell the block at a time, when it was made and what told; without a time the newest, as ever', async () => {
    const at = await run('block', '--at', '2026-11-01T00:08:25Z');
    assert.deepEqual([at.code, at.stderr], [0, '']);
    assert.deepEqual(parseLines(at.stdout), [
      { block: '50', timestamp: '2026-11-01T00:08:20Z', source: 'getblocknobytime' },
    ]);
    const seconds = String(Date.parse('2026-11-01T00:08:25Z') / 1000);
    assert.equal((await run('block', '--at', seconds)).stdout, at.stdout);
    assert.deepEqual(parseLines((await run('block')).stdout), [{ block: '99' }]);
    const long = await run('block', '--at', '-999999999w');
    const [first] = parseLines(long.stdout);
    assert.deepEqual([first.block, first.outside], ['0', 'beforeFirst']);
    assert.match(long.stderr, /begins after that time/);
    const late = await run('block', '--at', '2100-01-01');
    const [last] = parseLines(late.stdout);
    assert.deepEqual([last.block, last.outside, late.code], ['99', 'afterHead', 3]);
    assert.match(late.stderr, /not reached that time/);
  });

  it('are the bounds of a query in place of its own, and the verdict has the blocks', async () => {
    const { stdout, stderr } = await run(
      ...['logs', '--query', '-', '--all'],
      ...['--from', '2026-11-01T00:08:15Z', '--to', '2026-11-01 00:09'],
    );
    const lines = parseLines(stdout);
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
      /from 2026-11-01T00:08:15Z: block 50 at 2026-11-01T00:08:20Z \(source: getblocknobytime\)/,
    );
  });

  describe('of rows', () => {
    const isoOf = (block: number) => `${new Date(timeOfBlock(block)).toISOString().slice(0, 19)}Z`;
    /** The rows that a server of `profile` gives, and whether it was asked for the header of a block. */
    async function rowsOf(profile: NodeProfileName, ...flags: readonly string[]) {
      const node = await startNode({ index, profile });
      try {
        const { stdout, stderr } = await runCli(
          ['logs', '--query', '-', '--all', ...flags, '--rpc', node.rpcUrl],
          { input: JSON.stringify({ address: TIMED_ADDRESS, fromBlock: 0 }) },
        );
        const isAsked = node.requests.some(({ body }) =>
          body.includes('eth_getBlockByNumber","params":["0x2a"'),
        );
        return { rows: parseLines(stdout).slice(0, -1), stderr, isAsked };
      } finally {
        await node.stop();
      }
    }

    it('stand there on request only, and are asked for where the node does not give them with its logs', async () => {
      for (const profile of ['geth', 'besu'] as const) {
        const plain = await rowsOf(profile);
        assert.deepEqual([plain.rows.length, Object.keys(plain.rows[0])], [100, keys]);
        const { rows, isAsked } = await rowsOf(profile, '--times');
        assert.deepEqual([plain.isAsked, isAsked], [false, profile === 'besu']);
        assert.deepEqual(Object.keys(rows[0]), [...keys, 'time']);
        assert.deepEqual(
          rows.map(({ time }) => time),
          rows.map((_, block) => isoOf(block)),
        );
      }
    });

    it('are null where nothing tells, which is said once', async () => {
      const { rows, stderr } = await rowsOf('gateway', '--times');
      assert.deepEqual([rows.length, new Set(rows.map(({ time }) => time))], [100, new Set([null])]);
      assert.equal(stderr.match(/does not report block times/g)?.length, 1);
    });
  });

  it('that are none are refused with what to write', async () => {
    for (const args of [
      ['block', '--at', 'yesterday'],
      ['block', '--at', '50'],
      ['logs', '--query', '-', '--from', '2026-11-31'],
    ]) {
      const { code, stdout } = await run(...args);
      assert.equal(code, 2);
      const { kind, message } = parseLines(stdout)[0].error;
      assert.deepEqual([kind, /^Not a time\. Enter 2026-11-01/.test(message)], ['badInput', true]);
    }
  });

  it('that end a query before the first block are refused in one line', async () => {
    const { code, stdout } = await run('logs', '--query', '-', '--to', '2026-10-31');
    const [{ error }, ...others] = parseLines(stdout);
    assert.deepEqual([code, others, error.kind], [2, [], 'badInput']);
    assert.match(
      error.message,
      /^The range ends before the first block of the chain \(2026-11-01T00:00:00Z\)/,
    );
  });

  it('are not to be had of an endpoint that tells none, which says so', async () => {
    const node = await startNode({ index, profile: 'gateway' });
    try {
      const { code, stdout } = await runCli(['block', '--at', '2026-11-01', '--rpc', node.rpcUrl]);
      assert.deepEqual([code, parseLines(stdout)[0].error.kind], [3, 'notServed']);
    } finally {
      await node.stop();
    }
  });
});

describe('headless logs with a second opinion', () => {
  const set = dataSets.uneven();
  const wanted = expectedKeys(set, query);
  let portal: PortalServer;
  let node: NodeServer;
  before(async () => {
    portal = await startPortal({ index: set.index, limits: { blocks: 90 } });
    node = await startNode({ index: set.index, profile: 'geth' });
  });
  after(async () => {
    await portal.stop();
    await node.stop();
  });
  afterEach(() => portal.setIntercept(undefined));

  async function ask(...args: readonly string[]) {
    const { code, stdout, stderr } = await runCli(['logs', '--query', '-', ...args], {
      input: JSON.stringify(query),
    });
    const lines = parseLines(stdout);
    const last = lines.pop();
    const codes = { agree: 0, differ: 1, unknown: 3 } as const;
    assert.equal(code, codes[last.verdict.second.state as keyof typeof codes], stderr);
    return { ...last, rows: lines.length, stderr };
  }

  it('says that two sources agree, of which blocks, in the verdict', async () => {
    for (const order of [[], ['--newest-first']]) {
      const { verdict } = await ask('--rpc', node.rpcUrl, '--all', '--second', portal.rpcUrl, ...order);
      assert.deepEqual(verdict.second, {
        ...{ origin: portal.origin, state: 'agree', onlyHere: 0, onlyThere: 0, different: 0 },
        ...{ reasons: [], fromBlock: '0', toBlock: '209', sample: false },
      });
    }
  });

  it('compares what was printed where that is a part', async () => {
    const { verdict, rows } = await ask('--rpc', node.rpcUrl, '--newest-first', '--second', portal.rpcUrl);
    assert.equal(verdict.state, 'more');
    assert.ok(rows < wanted.length);
    assert.equal(verdict.second.state, 'agree');
    assert.ok(Number(verdict.second.fromBlock) > 0);
    assert.equal(verdict.second.toBlock, '209');
  });

  it('shows the difference where one of both has lost a row', async () => {
    let isLost = false;
    // The first stream is the header of block 0, which has no logs.
    const lose = (body: string) => {
      const edited = isLost ? body : body.replace(/("logs":\[)\{[^}]*\},/, '$1');
      isLost ||= edited !== body;
      return edited;
    };
    portal.setIntercept(({ url }) => (url.endsWith('/stream') ? { kind: 'edit', change: lose } : undefined));
    const { verdict, stderr } = await ask('--rpc', node.rpcUrl, '--all', '--second', portal.rpcUrl);
    const { state, onlyHere, onlyThere, different } = verdict.second;
    assert.deepEqual([state, onlyHere, onlyThere, different], ['differ', 1, 0, 0]);
    assert.equal(verdict.state, 'uncertain');
    assert.match(verdict.reasons.join(), /returned different logs .* 1 only here, .* Either may be wrong/);
    assert.match(stderr, /second opinion, blocks 0 to 209: differ \(\d+ equal logs, 1 only here/);
  });

  it('claims nothing where the other endpoint cannot be asked', async () => {
    const nowhere = `${portal.origin}/datasets/other`;
    const { verdict } = await ask('--rpc', node.rpcUrl, '--all', '--second', nowhere);
    assert.equal(verdict.state, 'complete');
    assert.equal(verdict.second.state, 'unknown');
    assert.match(verdict.second.reasons.join(), /The other endpoint failed: .*404/);
    assert.deepEqual([verdict.second.fromBlock, verdict.second.toBlock], [null, null]);
  });

  it('looks at a part where it is asked for a sample of a long range', async () => {
    const { verdict } = await ask('--rpc', node.rpcUrl, '--all', '--second', portal.rpcUrl, '--sample', '5');
    // Five windows of a thousand blocks are more than all blocks here.
    assert.deepEqual([verdict.second.state, verdict.second.sample], ['agree', false]);
  });
});

describe('headless log query that is asked to wait', () => {
  it('says until when on standard error, and can be ended then', async () => {
    const cancellation = new AbortController();
    await using server = await startLoopbackServer((_request, response) => {
      response.writeHead(429, { 'retry-after': '10' }).end();
    });
    const onMessage = () => cancellation.abort();
    const options = { signal: cancellation.signal, onMessage };
    const { code, stdout, stderr } = await runCli(['logs', '--rpc', server.url], options);
    const [first] = stderr.split('\n');
    assert.match(first ?? '', /^The server requires a wait until \d\d:\d\d:\d\d\.$/);
    assert.equal(stderr.match(/requires a wait/g)?.length, 1);
    assert.deepEqual([code, JSON.parse(stdout).error.kind], [3, 'aborted']);
  });
});
