import assert from 'node:assert/strict';
import { type LoopbackServer, startRpcServer } from '../../support/loopbackServer.ts';
import { runCli } from '../../support/runCli.ts';

const loading = (code: string) => `--import=data:text/javascript,${encodeURIComponent(code)}`;
/** Has the program take its pipes for a terminal. */
const terminal = {
  NODE_OPTIONS: loading('for (const name of ["stdout", "stderr"]) process[name].isTTY = true;'),
  TERM: 'xterm',
  CI: '',
  NO_COLOR: '',
  FORCE_COLOR: '',
};

const pipe = { ...terminal, NODE_OPTIONS: '' };
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

  async function block(env: Readonly<Record<string, string>>) {
    return await runCli(['block', '--rpc', server.url], { env });
  }

  it('says how far it is in a line that is gone in the end, and prints the same JSON', async () => {
    isRefused = false;
    const { code, stdout, stderr } = await block(terminal);
    assert.deepEqual([code, stdout], [0, '{"block":"123"}\n']);
    assert.ok(stderr.startsWith(`${CLEAR}1 request …${CLEAR}`), JSON.stringify(stderr));
    assert.ok(stderr.endsWith(CLEAR), JSON.stringify(stderr));
  });

  it('says nothing of it in CI, in a pipe, or to agents', async () => {
    isRefused = false;
    for (const env of [{ ...terminal, CI: 'true' }, pipe]) assert.equal((await block(env)).stderr, '');
    const { stderr } = await runCli(['mcp', '--rpc', server.url], { env: terminal, input: '' });
    assert.ok(!stderr.includes('request'), stderr);
  });

  it('makes place for the lines of a check whose report comes last', async () => {
    isRefused = false;
    const lineFor = 'no.chainlog.json: no.chainlog.json: invalid';
    for (const format of ['json', 'junit', 'sarif']) {
      const args = ['check', '--format', format, '--rpc', server.url, 'no.chainlog.json'];
      const { stderr } = await runCli(args, { env: terminal });
      assert.ok(stderr.includes(`…${CLEAR}${lineFor}\n`), JSON.stringify(stderr));
    }
  });

  it('prints errors in red where colours are shown or wanted, and JSON never', async () => {
    isRefused = true;
    for (const [env, isRed] of [
      [terminal, true],
      [{ ...terminal, NO_COLOR: '1' }, false],
      [{ ...terminal, TERM: 'dumb' }, false],
      [{ ...terminal, FORCE_COLOR: '0' }, false],
      [{ ...pipe, FORCE_COLOR: '1' }, true],
      [pipe, false],
    ] as const) {
      const { stdout, stderr } = await block(env);
      assert.equal(stderr.includes('\u001b[31m'), isRed, JSON.stringify([env, stderr]));
      assert.ok(!stdout.includes('\u001b'), stdout);
    }
  });

  it('prints the titles of the help in bold', async () => {
    const { stdout } = await runCli(['help', 'check'], { env: terminal });
    assert.ok(stdout.includes('\u001b[1mOptions:\u001b[22m\n'), stdout);
  });
});
