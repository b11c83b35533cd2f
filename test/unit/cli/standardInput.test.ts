import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { removeFolder } from '../../../scripts/support/script.ts';
import { type LoopbackServer, startRpcServer } from '../../support/loopbackServer.ts';
import { headlessMain, runCli } from '../../support/runCli.ts';

describe('standard input of the command line', () => {
  let server: LoopbackServer;
  before(async () => {
    server = await startRpcServer(({ id }) => ({
      jsonrpc: '2.0',
      id,
      error: { code: -32601, message: 'no' },
    }));
  });
  after(() => server.close());

  const commands = () => [
    ['decode', '-'],
    ['logs', '--query', '-', '--rpc', server.url],
    ['ask', 'query_events', '-', '--rpc', server.url],
  ];

  it('can be cancelled while a command waits for it', async () => {
    for (const args of commands()) {
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', headlessMain, ...args]);
      const ended = once(child, 'exit');
      child.stderr.resume();
      child.stdin.on('error', () => undefined);
      // More than a pipe holds: once it is written, the program has read of it.
      await new Promise<unknown>((resolve) => child.stdin.write(' '.repeat(1 << 20), resolve));
      child.kill('SIGINT');
      assert.equal(JSON.parse(await text(child.stdout)).error.kind, 'aborted', args[0]);
      assert.equal((await ended)[0], 130, args[0]);
    }
  });

  it('may begin with a byte order mark, as may the file of a query', async () => {
    const input = `\ufeff${JSON.stringify({ wrong: 1 })}`;
    const folder = await mkdtemp(join(tmpdir(), 'chainside-input-'));
    try {
      const file = join(folder, 'query.json');
      await writeFile(file, input);
      for (const [args, message] of [
        [['logs', '--query', '-', '--rpc', server.url], /wrong/],
        [['logs', '--query', file, '--rpc', server.url], /wrong/],
        [['ask', 'query_events', '-', '--rpc', server.url], /wrong/],
      ] as const) {
        const { code, stderr } = await runCli(args, { input });
        assert.equal(code, 1);
        assert.match(stderr, message, args.join(' '));
      }
    } finally {
      await removeFolder(folder);
    }
  });
});
