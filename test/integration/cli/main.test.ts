import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { removeFolder } from '../../../scripts/support/script.ts';
import { createRow } from '../../support/fakeFetch.ts';
import { type LoopbackServer, startLoopbackServer, startRpcServer } from '../../support/loopbackServer.ts';
import { headlessMain, startCli } from '../../support/runCli.ts';

const PAGE = 1000;
const HEAD = 10_000;

type Child = ReturnType<typeof startCli>;

describe('command line as a process', () => {
  let server: LoopbackServer;
  let folder: string;
  /** Takes place of the logs from block 5,000 on. */
  let onLastLogs: ((id: number, response: ServerResponse) => unknown) | undefined;

  /** A row in each block, 1,000 in each response. */
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chainside-process-'));
    server = await startRpcServer(({ id, method, params }, response) => {
      const reply = (result: unknown) => ({ jsonrpc: '2.0', id, result });
      if (method === 'eth_blockNumber') return reply(`0x${HEAD.toString(16)}`);
      if (method === 'eth_chainId') return reply('0x1');
      if (method !== 'eth_getLogs') return { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } };
      const { fromBlock, toBlock } = params[0] as { readonly fromBlock: string; readonly toBlock: string };
      const from = Number(fromBlock);
      if (from >= 5000 && onLastLogs) return onLastLogs(id, response);
      const length = Math.min(PAGE, Number(toBlock) - from + 1);
      return reply(Array.from({ length }, (_, index) => createRow(from + index, 0)));
    });
  });
  beforeEach(() => {
    onLastLogs = undefined;
  });
  after(async () => {
    await server.close();
    await removeFolder(folder);
  });

  async function end(child: Child) {
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    return { code, stdout, stderr };
  }

  it('ends without a word when its reader has seen enough', async () => {
    const child = startCli(['logs', '--rpc', server.url, '--all']);
    child.stdout.once('data', () => child.stdout.destroy());
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    assert.deepEqual([code, stderr], [0, '']);
  });

  it('fails where nobody reads the results of a check: not all was checked', async () => {
    const file = join(folder, 'a.chainlog.json');
    await writeFile(file, JSON.stringify({ chainId: 1, toBlock: 1 }));
    const child = startCli(['check', '--rpc', server.url, file, file]);
    child.stdout.destroy();
    assert.equal((await once(child, 'exit'))[0], 3);
  });

  it('ends with 130 on Ctrl-C, with the worth of the printed rows', async () => {
    const child = startCli(['logs', '--pages', '9', '--rpc', server.url]);
    onLastLogs = () => void child.kill('SIGINT');
    const { code, stdout } = await end(child);
    const lines = stdout.trimEnd().split('\n');
    const { error, verdict } = JSON.parse(lines.pop() ?? '');
    assert.equal(code, 130);
    assert.equal(error.kind, 'aborted');
    assert.deepEqual([verdict.state, verdict.rows], ['uncertain', lines.length]);
    assert.match(verdict.reasons.at(-1), /^Cancelled at block \d+\.$/);
    assert.ok(lines.length > 0);
  });

  it('can be cancelled while it waits for standard input', async () => {
    const child = startCli(['decode', '-']);
    const ended = end(child);
    child.stdin.on('error', () => undefined);
    // More than a pipe holds: once it is written, the program has read of it.
    await new Promise<unknown>((resolve) => child.stdin.write(' '.repeat(1 << 20), resolve));
    child.kill('SIGINT');
    const { code, stdout } = await ended;
    assert.deepEqual([code, JSON.parse(stdout).error.kind], [130, 'aborted']);
  });

  it('reports an unforeseen failure without its stack and text', async () => {
    await using silent = await startLoopbackServer(() => undefined);
    const breaking = `process.on('newListener', (name) => {
      if (name === 'uncaughtException') setTimeout(() => { throw new Error('SECRET'); });
    })`;
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(breaking)}` };
    const { code, stdout, stderr } = await end(startCli(['block', '--rpc', silent.url], env));
    assert.equal(code, 3);
    assert.equal(JSON.parse(stdout).error.message, 'An internal error in Chainside.');
    assert.equal(stderr, 'An internal error in Chainside.\n');
  });

  it('says that its output cannot be written, without a stack', async () => {
    const file = join(folder, 'output');
    await writeFile(file, '');
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', headlessMain],
      { stdio: ['ignore', openSync(file, 'r'), 'pipe'], encoding: 'utf8' },
    );
    assert.equal(status, 3);
    assert.match(stderr, /^Standard output cannot be written \(\w+\)\.$/m);
    assert.doesNotMatch(stderr, /^ +at /m);
  });

  it('says that the folder in which it was started is gone', async function () {
    if (process.platform === 'win32') return this.skip();
    const gone = await mkdtemp(join(folder, 'gone-'));
    const program = `"${process.execPath}" --disable-warning=ExperimentalWarning "${headlessMain}"`;
    const script = `cd "${gone}" && rmdir "${gone}" && ${program} check . --rpc ${server.url}`;
    const child = spawn('sh', ['-c', script], { env: { ...process.env, INIT_CWD: '' } });
    const { code, stdout } = await end(child);
    assert.equal(code, 2);
    assert.match(JSON.parse(stdout).error.message, /^The current folder no longer exists\./);
  });
});
