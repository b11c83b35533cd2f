import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createOutput, formatJsonLine } from '../../../src/cli/output.ts';
import { type LoopbackServer, startRpcServer } from '../../support/loopbackServer.ts';
import { runCli } from '../../support/runCli.ts';

/** What moves a cursor, rings, colours, turns text round, breaks or hides a line. */
const acts =
  '\u001b[2J\u001b]0;title\u0007\u009b31m\u0085\r\nError: forged\u202e\u2066\u200b\u2028\u2029\u{e0041}\u007f';
const actsOnTerminal = /(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/u;

/** What CI systems do because a line of output says so. */
const ciCommands = [
  '::error file=a.ts,line=1::forged',
  '::group::forged',
  '::stop-commands::token',
  '##[error]forged',
  '###[error]forged',
  '##[set-output name=x;]y',
  '##vso[task.setvariable variable=PATH]x',
  "##teamcity[message text='forged']",
  '--- forged',
  '+++ forged',
  '~~~ forged',
  '^^^ +++',
];
const commandsCi = /##[\w.-]*\[|^\s*(?:::|---|\+\+\+|~~~|\^\^\^)/m;

describe('what the headless runner prints', () => {
  let server: LoopbackServer;
  let message = '';
  before(async () => {
    server = await startRpcServer(({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32000, message } }));
  });
  after(() => server.close());

  it('is JSON with the same value and nothing that acts on a terminal', () => {
    const value = { name: `a${acts}\ud800 \u{1f600} é 漢`, [acts]: [acts] };
    const line = formatJsonLine(value);
    assert.doesNotMatch(line, actsOnTerminal);
    assert.equal(line.indexOf('\n'), line.length - 1);
    assert.deepEqual(JSON.parse(line), value);
    assert.ok(line.includes('\u{1f600} é 漢'));
  });

  it('is the same however long a line is: it is printed in pieces, which cut nothing that is escaped', async () => {
    // Pieces have 256 Ki characters.
    for (const marks of [...ciCommands, '#'.repeat(90), `${'#'.repeat(60)}[`, '\u{e0041}\u{e0041}', acts]) {
      for (const shift of [0, 1, 2, 17, 41, 42, 43, 44]) {
        const value = { text: `${'a'.repeat(256 * 1024 - 10 - shift)}${marks}`.repeat(3) };
        const stdout = new PassThrough();
        const { printLines } = createOutput({ stdout, stderr: new PassThrough(), env: {} });
        const [printed] = await Promise.all([text(stdout), printLines([value, 1]).then(() => stdout.end())]);
        assert.equal(printed, formatJsonLine(value) + formatJsonLine(1), JSON.stringify([marks, shift]));
      }
    }
  });

  it('holds the words of a server on one plain line, beside the same words as data', async () => {
    message = `no ${acts} logs`;
    const { code, stdout, stderr } = await runCli(['balance', `0x${'1'.repeat(40)}`, '--rpc', server.url]);
    assert.equal(code, 3);
    assert.equal(JSON.parse(stdout).error.serverMessage, message);
    for (const printed of [stdout, stderr]) {
      assert.doesNotMatch(printed, actsOnTerminal);
      assert.equal(printed.indexOf('\n'), printed.length - 1);
    }
    assert.match(stderr, /<U\+001B>.*forged/);
  });

  it('commands no CI by JSON, or by words of a server, a file name or an argument', async () => {
    for (const command of ciCommands) {
      const line = formatJsonLine({ message: command, [command]: [command] });
      assert.doesNotMatch(line, commandsCi);
      assert.deepEqual(JSON.parse(line), { message: command, [command]: [command] });
    }
    message = `no\n${ciCommands.join('\n')}`;
    const names = ciCommands.map((command) => `${command}.chainlog.json`);
    const runs = [
      ['balance', `0x${'1'.repeat(40)}`, '--rpc', server.url],
      ['check', '--rpc', server.url, '--chain-id', '1', '--', ...names],
      ciCommands,
    ];
    for (const { stdout, stderr } of await Promise.all(runs.map((args) => runCli(args)))) {
      assert.doesNotMatch(stdout, commandsCi);
      assert.doesNotMatch(stderr, commandsCi);
      assert.notEqual(stderr, '');
    }
  });

  it('cuts what a server says without end', async () => {
    message = 'x'.repeat(400_000);
    for (const command of [['block'], ['logs', '--query', '-']]) {
      const options = { input: '{}' };
      const { code, stdout, stderr } = await runCli([...command, '--rpc', server.url], options);
      assert.equal(code, 3);
      assert.ok(stdout.length < 10_000, `${stdout.length} characters on standard output`);
      assert.ok(stderr.length < 1_000, `${stderr.length} characters on standard error`);
    }
  });

  it('is how it is used, for who asks, and beside a mistake', async () => {
    for (const asked of [['--help'], ['-h'], ['help']]) {
      const { code, stdout, stderr } = await runCli(asked);
      assert.deepEqual([code, stdout.split(' COMMAND')[0], stderr], [0, 'Usage: chainside', '']);
    }
    const { code, stderr } = await runCli([]);
    assert.match(stderr, /There is no command.*Usage: chainside/s);
    assert.equal(code, 2);
    const mistake = await runCli(['block', '--rpc', 'none']);
    assert.match(mistake.stderr, /--rpc must be.*\nRun chainside help block to see/);
    assert.doesNotMatch(mistake.stderr, /Usage:/);
    const typo = await runCli(['chek', '--rpc', server.url]);
    assert.equal(
      typo.stderr,
      'chek is not a command. Did you mean check?\nRun chainside help to see how to use it.\n',
    );
  });

  it('is how a command is used, with examples first, by the name that started it', async () => {
    const env = { npm_lifecycle_event: 'headless' };
    const [first, ...others] = await Promise.all([
      runCli(['help', 'check'], { env }),
      runCli(['check', '--help'], { env }),
      runCli(['check', 'queries', '--rpc', server.url, '-h'], { env }),
    ]);
    assert.match(
      first.stdout,
      /^Usage: npm run -s headless -- check FILE.*Examples:\n {2}npm run -s headless -- check .*--strict +also fails/s,
    );
    for (const other of others) assert.deepEqual(other, first);
    assert.equal(first.code, 0);
  });

  it('holds arguments on plain lines too', async () => {
    for (const args of [
      [`do${acts}`],
      ['block', `--${acts}`],
      ['block', '--rpc', `http://${acts}`],
      ['logs', acts, acts],
      ['logs', '--rpc', server.url, '--query', `/nowhere/${acts}`],
    ]) {
      const { code, stdout, stderr } = await runCli(args);
      assert.equal(code, 2);
      assert.equal(JSON.parse(stdout).error.kind, 'badInput');
      assert.doesNotMatch(stdout, actsOnTerminal);
      assert.doesNotMatch(stderr, actsOnTerminal);
      assert.doesNotMatch(stderr, /^Error: forged/m);
    }
  });
});
