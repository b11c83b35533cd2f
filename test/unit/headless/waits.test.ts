import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { startLoopbackServer } from '../../support/loopbackServer.ts';
import { headlessMain } from '../../support/runHeadless.ts';

describe('headless log query that is asked to wait', () => {
  it('says until when on standard error, and can be ended then', async () => {
    const server = await startLoopbackServer((_request, response) => {
      response.writeHead(429, { 'retry-after': '10' }).end();
    });
    const flags = ['--disable-warning=ExperimentalWarning', headlessMain, 'logs', '--query', '-'];
    const child = spawn(process.execPath, [...flags, '--rpc', server.url]);
    try {
      const ended = once(child, 'exit');
      const stdout = text(child.stdout);
      child.stdin.end('{}');
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (words: string) => {
        if (said === '') child.kill('SIGINT');
        said += words;
      });
      assert.equal((await ended)[0], 1);
      const [first] = said.split('\n');
      assert.match(first ?? '', /^the server asks to wait: until \d\d:\d\d:\d\d$/);
      assert.equal(said.match(/asks to wait/g)?.length, 1);
      assert.equal(JSON.parse(await stdout).error.kind, 'aborted');
    } finally {
      child.kill();
      await server.close();
    }
  });
});
