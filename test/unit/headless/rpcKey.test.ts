import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ExplorerServer, startExplorer } from '../../../localnet/explorer/server.ts';
import { type KeyWanted, startKeyedNode } from '../../../localnet/gateway/keyedNode.ts';
import { SECRET_PLACEHOLDER } from '../../../src/core/index.ts';
import { dataSets } from '../../support/logDataSets.ts';
import { type CliRun, runCli } from '../../support/runHeadless.ts';

const KEY = 'live/0123456789abcdef+';

describe('headless run with a key for its endpoint', () => {
  const { index, head } = dataSets.uneven();
  let behind: ExplorerServer;
  before(async () => {
    behind = await startExplorer({ index, dialect: 'v11.2' });
  });
  after(() => behind.stop());

  const wanted: readonly (readonly [what: string, wants: KeyWanted, args: readonly string[]])[] = [
    ['in the path', { in: 'path' }, []],
    ['in the query', { in: 'query', name: 'dkey' }, []],
    ['as a bearer token', { in: 'header', name: 'authorization' }, ['--rpc-key-in', 'bearer']],
    ['in a header', { in: 'header', name: 'x-api-key' }, ['--rpc-key-in', 'header:X-Api-Key']],
  ];
  for (const [what, wants, args] of wanted) {
    it(`sends it ${what}, and prints it nowhere when the server repeats what it got`, async () => {
      const node = await startKeyedNode({ url: behind.rpcUrl, key: KEY, wants, refusal: 'echo' });
      try {
        const line = ['block', '--rpc', node.rpcUrl, '--rpc-key-env', 'NODE_KEY', ...args];
        const right = await runCli(line, { env: { NODE_KEY: KEY } });
        assert.deepEqual([right.code, JSON.parse(right.stdout)], [0, { block: String(head) }]);
        const wrong = await runCli(line, { env: { NODE_KEY: `${KEY}wrong` } });
        const { error } = JSON.parse(wrong.stdout);
        assert.deepEqual([wrong.code, error.kind], [1, 'unauthorized']);
        assert.match(error.serverMessage, /invalid api key in .*\(key\)/);
        assertHides(wrong, `${KEY}wrong`);
      } finally {
        await node.stop();
      }
    });
  }

  it('is what helps where an explorer refuses without one, in its words', async () => {
    const refusing = createServer((_, response) => {
      response.writeHead(402, { 'content-type': 'application/json' }).end('{"error":"Out of credits"}');
    });
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`;
    try {
      const ask = (path: string, ...more: readonly string[]) =>
        runCli(['block', '--rpc', `${origin}${path}`, ...more], { env: { NODE_KEY: KEY } });
      const explorer = await ask('/api/eth-rpc', '--chain-id', '10');
      assert.equal(explorer.code, 1);
      const [said, hint, ...rest] = explorer.stderr.trim().split('\n');
      assert.match(said ?? '', /HTTP 402\. The server says: Out of credits$/);
      assert.match(hint ?? '', /gateway.*https:\/\/api\.blockscout\.com\/10\/json-rpc/);
      assert.deepEqual(rest, []);
      assert.match((await ask('/10/json-rpc')).stderr, /takes a key: --rpc-key-env NAME/);
      const gatewayArgs = ['--rpc-key-env', 'NODE_KEY', '--rpc-key-in', 'bearer'];
      for (const { stderr } of [await ask('/'), await ask('/10/json-rpc', ...gatewayArgs)]) {
        assert.match(stderr, /^[^\n]*Out of credits\n$/);
      }
    } finally {
      refusing.close();
    }
  });

  it('names the argument that is missing or of no use, and sends nothing', async () => {
    const marked = `${behind.origin}/${SECRET_PLACEHOLDER}`;
    const refused: readonly (readonly [args: readonly string[], field: string])[] = [
      [['--rpc', marked], 'rpc-key-env'],
      [['--rpc', behind.rpcUrl, '--rpc-key-in', 'bearer'], 'rpc-key-env'],
      [['--rpc', behind.rpcUrl, '--rpc-key-env', 'NODE_KEY'], 'rpc-key-in'],
      [['--rpc', behind.rpcUrl, '--rpc-key-env', 'NODE_KEY', '--rpc-key-in', 'header:host'], 'rpc-key-in'],
      [['--rpc', marked, '--rpc-key-env', 'NOT_THERE'], 'rpc-key-env'],
      [['--rpc', `http://${SECRET_PLACEHOLDER}.example/`, '--rpc-key-env', 'NODE_KEY'], 'rpc'],
      [['--rpc', marked, '--rpc-key-env', 'TWO_WORDS'], 'secret'],
    ];
    behind.forgetRequests();
    for (const [args, field] of refused) {
      const env = { NODE_KEY: KEY, TWO_WORDS: `${KEY} ${KEY}` };
      const run = await runCli(['block', ...args], { env });
      const { error } = JSON.parse(run.stdout);
      assert.deepEqual([run.code, error.kind, error.field], [1, 'badInput', field]);
      assertHides(run, KEY);
    }
    assert.equal(behind.requestCount, 0);
  });
});

function assertHides({ stdout, stderr }: CliRun, key: string): void {
  for (const form of [key, encodeURIComponent(key), btoa(key).slice(0, 20)]) {
    assert.ok(!stdout.includes(form) && !stderr.includes(form), `${stdout}\n${stderr}`);
  }
}
