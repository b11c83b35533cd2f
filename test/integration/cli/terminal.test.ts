import assert from 'node:assert/strict';
import { createTableFormat } from '../../../src/cli/table.ts';
import { createRow } from '../../support/fakeFetch.ts';
import { type LoopbackServer, startRpcServer } from '../../support/loopbackServer.ts';
import { runCli } from '../../support/runCli.ts';

const CLEAR = '\r\u001b[K';

describe('command line in a terminal', () => {
  let server: LoopbackServer;
  let isRefused = false;

  before(async () => {
    server = await startRpcServer(({ id }) => ({
      ...{ jsonrpc: '2.0', id },
      ...(isRefused ? { error: { code: -32000, message: 'No.' } } : { result: '0x7b' }),
    }));
  });
  after(() => server.close());

  const block = (options: Parameters<typeof runCli>[1]) => runCli(['block', '--rpc', server.url], options);

  it('says how far it is in a line that is gone in the end, and prints the same JSON', async () => {
    isRefused = false;
    const { code, stdout, stderr } = await block({ isTerminal: true });
    assert.deepEqual([code, stdout], [0, '{"block":"123"}\n']);
    assert.ok(stderr.startsWith(`${CLEAR}1 request …${CLEAR}`), JSON.stringify(stderr));
    assert.ok(stderr.endsWith(CLEAR), JSON.stringify(stderr));
  });

  it('prints rows as a table that fits it, and as JSON in a pipe and with --json', async () => {
    const rows = [createRow(1, 0)];
    await using node = await startRpcServer(({ id, method }) => {
      const result = { eth_blockNumber: '0xff', eth_chainId: '0x1', eth_getLogs: rows }[method];
      if (result === undefined) return { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } };
      return { jsonrpc: '2.0', id, result };
    });
    const args = ['logs', '--rpc', node.url, '--to', '1'];
    const { stdout } = await runCli(args, { isTerminal: true });
    const [head = '', first = '', ...rest] = stdout.split('\n');
    assert.match(head, /^blockNumber {2}logIndex {2}address /);
    assert.match(first, /^1 {12}0 {9}0x[0-9a-f]{40} /);
    assert.equal(head.indexOf('address'), first.indexOf('0x'));
    assert.ok(
      [head, first].every((line) => line.length <= 100),
      stdout,
    );
    assert.deepEqual(rest, ['']);
    const piped = await runCli(args);
    assert.equal((await runCli([...args, '--json'], { isTerminal: true })).stdout, piped.stdout);
    assert.equal(JSON.parse(piped.stdout.split('\n')[0] ?? '').blockNumber, '0x1');
  });

  it('lets no text of others act on the terminal by a table', () => {
    const format = createTableFormat('state', () => 40);
    const text = format([
      { name: `a\u001b[2J\u202e\n${'x'.repeat(100)}`, more: ['::error::'] },
      { verdict: {} },
    ]);
    assert.doesNotMatch(text, /(?!\n)[\p{Cc}\p{Cf}]/u);
    assert.deepEqual(
      text.split('\n').map(({ length }) => length <= 40),
      [true, true, true],
    );
  });

  it('says nothing of it in CI, in a pipe, or to agents', async () => {
    isRefused = false;
    assert.equal((await block({ isTerminal: true, env: { CI: 'true' } })).stderr, '');
    assert.equal((await block({})).stderr, '');
    const { stderr } = await runCli(['mcp', '--rpc', server.url], { isTerminal: true });
    assert.ok(!stderr.includes('request'), stderr);
  });

  it('is that of each run, where several are in one process', async () => {
    isRefused = false;
    const env = { FORCE_COLOR: '1' };
    const [shown, plain] = await Promise.all([block({ isTerminal: true }), block({ env })]);
    assert.ok(shown.stderr.startsWith(`${CLEAR}1 request …`), JSON.stringify(shown.stderr));
    assert.deepEqual([plain.stdout, plain.stderr], [shown.stdout, '']);
  });

  it('makes place for the lines of a check whose report comes last', async () => {
    isRefused = false;
    const lineFor = 'no.chainlog.json: no.chainlog.json: invalid';
    for (const format of ['json', 'junit', 'sarif']) {
      const args = ['check', '--format', format, '--rpc', server.url, 'no.chainlog.json'];
      const { stderr } = await runCli(args, { isTerminal: true });
      assert.ok(stderr.includes(`…${CLEAR}${lineFor}\n`), JSON.stringify(stderr));
    }
  });

  it('prints errors in red where colours are shown or wanted, and JSON never', async () => {
    isRefused = true;
    for (const [isTerminal, env, isRed] of [
      [true, { TERM: 'xterm' }, true],
      [true, { NO_COLOR: '1' }, false],
      [true, { TERM: 'dumb' }, false],
      [true, { FORCE_COLOR: '0' }, false],
      [false, { FORCE_COLOR: '1' }, true],
      [false, {}, false],
    ] as const) {
      const { stdout, stderr } = await block({ isTerminal, env });
      assert.equal(stderr.includes('\u001b[31m'), isRed, JSON.stringify([env, stderr]));
      assert.ok(!stdout.includes('\u001b'), stdout);
    }
  });

  it('prints the titles of the help in bold', async () => {
    const { stdout } = await runCli(['help', 'check'], { isTerminal: true });
    assert.ok(stdout.includes('\u001b[1mOptions:\u001b[22m\n'), stdout);
  });
});
