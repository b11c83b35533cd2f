import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { removeFolder } from '../../../scripts/support/script.ts';
import { type LoopbackServer, startMethodServer } from '../../support/loopbackServer.ts';
import { runCli } from '../../support/runCli.ts';

describe('standard input of the command line', () => {
  let server: LoopbackServer;
  before(async () => {
    server = await startMethodServer({});
  });
  after(() => server.close());

  it('can be cancelled while a command waits for it', async () => {
    for (const args of [
      ['decode', '-'],
      ['logs', '--query', '-', '--rpc', server.url],
      ['ask', 'query_events', '-', '--rpc', server.url],
    ]) {
      const cancellation = new AbortController();
      const input = new Readable({ read: () => cancellation.abort() });
      const { code, stdout } = await runCli(args, { input, signal: cancellation.signal });
      assert.deepEqual([code, JSON.parse(stdout).error.kind], [3, 'aborted'], args[0]);
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
        assert.equal(code, 2);
        assert.match(stderr, message, args.join(' '));
      }
    } finally {
      await removeFolder(folder);
    }
  });
});
