import assert from 'node:assert/strict';
import { createRecordFormat, createTableFormat } from '../../../src/cli/table.ts';
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

  it('says how far it is in a line that is gone in the end, and prints JSON only if asked', async () => {
    isRefused = false;
    const { code, stdout, stderr } = await block({ isTerminal: true });
    assert.deepEqual([code, stdout], [0, 'block  123\n']);
    const json = await runCli(['block', '--json', '--rpc', server.url], { isTerminal: true });
    assert.equal(json.stdout, '{"block":"123"}\n');
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

  it('lets no text of others act on the terminal by what is printed of one thing', () => {
    const format = createRecordFormat(() => 40);
    const hostile = `a\u001b[2J\u202e\n::error::${'x '.repeat(300)}`;
    const text = format([
      {
        [hostile]: hostile,
        list: [{ [hostile]: hostile }],
        nested: { values: [{ deep: [{ a: hostile }] }] },
      },
    ]);
    assert.doesNotMatch(text, /(?!\n)[\p{Cc}\p{Cf}]/u);
    for (const line of text.trimEnd().split('\n')) assert.ok(line.length <= 70, line);
    assert.ok(text.split('\n').length < 40, text);
  });

  it('prints one thing in lines of name and value, its lists as tables', () => {
    const format = createRecordFormat(() => 40);
    const call = { to: 'Vault', calls: [{ to: 'Token', calls: [] }] };
    const thing = {
      ...{ kind: 'transaction', to: null, created: [], selector: '0xa9059cbb', topics: ['0x1', '0x2'] },
      summary: 'Failed: a reason of many words that takes two lines',
      fee: { total: '5' },
      logs: [
        { logIndex: '0x10', data: '0x10' },
        { logIndex: '0x2', data: '0x' },
      ],
      trace: call,
      traces: [call],
    };
    assert.equal(
      format([thing, { verdict: {} }, { block: '5' }]),
      [
        'kind      transaction',
        'to        -',
        'created   none',
        'selector  0xa9059cbb',
        'topics    0x1, 0x2',
        'summary   Failed: a reason of many words',
        '          that takes two lines',
        'fee',
        '  total  5',
        'logs',
        '  logIndex  data',
        '  16        0x10',
        '  2         0x',
        'trace',
        '  to  Vault',
        '  calls',
        '    to     calls',
        '    Token  none',
        'traces',
        '  - to  Vault',
        '    calls',
        '      to     calls',
        '      Token  none',
        '',
        'block  5',
        '',
      ].join('\n'),
    );
  });

  it('prints what changed with both values, where they differ', () => {
    const format = createTableFormat('state', () => 100);
    const changes = [
      { before: null, after: { holder: '0xa', balance: '5' } },
      { before: { holder: '0xb', balance: '1' }, after: { holder: '0xb', balance: '2' } },
      { before: { holder: '0xc', balance: '7' }, after: null },
    ];
    assert.deepEqual(format([...changes]).split('\n'), [
      'change   holder  balance before  balance after',
      'added    0xa     -               5',
      'changed  0xb     1               2',
      'removed  0xc     7               -',
      '',
    ]);
  });

  it('prints a check in a line for each query, and as JSON with --json or --format', async () => {
    isRefused = false;
    const args = ['check', 'no.chainlog.json', '--rpc', server.url];
    const text = await runCli([...args, '--format', 'text']);
    assert.match(text.stdout, /^no\.chainlog\.json:1: no\.chainlog\.json: invalid\n- /);
    assert.equal((await runCli(args, { isTerminal: true })).stdout, text.stdout);
    const json = (await runCli(args)).stdout;
    assert.equal(JSON.parse(json).state, 'invalid');
    for (const more of [['--json'], ['--format', 'json']])
      assert.equal((await runCli([...args, ...more], { isTerminal: true })).stdout, json);
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
    assert.deepEqual([shown.stdout, plain.stdout, plain.stderr], ['block  123\n', '{"block":"123"}\n', '']);
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
