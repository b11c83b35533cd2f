import assert from 'node:assert/strict';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type ExplorerServer, startExplorer } from '../../../localnet/explorer/server.ts';
import { type KeyWanted, startKeyedNode } from '../../../localnet/gateway/keyedNode.ts';
import { SECRET_PLACEHOLDER } from '../../../src/core/index.ts';
import { selfSignedCertificate } from '../../fixtures/selfSignedCertificate.ts';
import { dataSets } from '../../support/logDataSets.ts';
import { startLoopbackServer, startRpcServer, startTunnelProxy } from '../../support/loopbackServer.ts';
import { type CliRun, runCli } from '../../support/runCli.ts';

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
        assert.deepEqual([wrong.code, error.kind], [3, 'unauthorized']);
        assert.match(error.serverMessage, /invalid api key in .*\(key\)/);
        assertHides(wrong, `${KEY}wrong`);
      } finally {
        await node.stop();
      }
    });
  }

  it('is what helps where an explorer refuses without one, in its words', async () => {
    await using refusing = await startLoopbackServer((_, response) => {
      response.writeHead(402, { 'content-type': 'application/json' }).end('{"error":"Out of credits"}');
    });
    const ask = (path: string, ...more: readonly string[]) =>
      runCli(['block', '--rpc', `${refusing.url}${path}`, ...more], { env: { NODE_KEY: KEY } });
    const explorer = await ask('/api/eth-rpc', '--chain-id', '10');
    assert.equal(explorer.code, 3);
    const [said, hint, ...rest] = explorer.stderr.trim().split('\n');
    assert.match(said ?? '', /HTTP 402\. The server says: Out of credits$/);
    assert.match(hint ?? '', /gateway.*https:\/\/api\.blockscout\.com\/10\/json-rpc/);
    assert.deepEqual(rest, []);
    assert.match((await ask('/10/json-rpc')).stderr, /accepts a key: --rpc-key-env NAME/);
    const gatewayArgs = ['--rpc-key-env', 'NODE_KEY', '--rpc-key-in', 'bearer'];
    for (const { stderr } of [await ask('/'), await ask('/10/json-rpc', ...gatewayArgs)]) {
      assert.match(stderr, /^[^\n]*Out of credits\n$/);
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
      assert.deepEqual([run.code, error.kind, error.field], [2, 'badInput', field]);
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

describe('headless runner behind a proxy', () => {
  for (const [name, value] of Object.entries({
    HTTP_PROXY: 'proxy:SECRET',
    http_proxy: '::SECRET::',
    HTTPS_PROXY: 'ftp://user:SECRET@proxy.example.test',
    https_proxy: 'http://user:SECRET%@proxy.example.test:3128',
  })) {
    it(`says that ${name} names no proxy, and not what it holds`, async () => {
      const { code, stdout, stderr } = await runCli(['block', '--rpc', 'http://127.0.0.1:9'], {
        env: { [name]: value },
      });
      const { error } = JSON.parse(stdout);
      assert.deepEqual([error.kind, error.field, code], ['badInput', name, 2]);
      assert.match(stderr, new RegExp(`^${name} is not the URL of a proxy\\. `));
      assert.doesNotMatch(stdout + stderr, /SECRET|^ +at /m);
    });
  }

  it('takes no proxy for none', async () => {
    await using server = await startRpcServer(({ id }) => ({ jsonrpc: '2.0', id, result: '0x10' }));
    const env = { HTTP_PROXY: '', https_proxy: '' };
    const { stdout } = await runCli(['block', '--rpc', server.url], { env });
    assert.deepEqual(JSON.parse(stdout), { block: '16' });
  });

  it('says that the proxy asks for a sign-in, and takes user and password from its address', async () => {
    await using proxy = await startTunnelProxy({}, { credentials: 'user:SECRET' });
    const rpc = ['block', '--rpc', 'https://chain.example.test'];
    const asked = await runCli(rpc, { env: { HTTPS_PROXY: proxy.url } });
    assert.equal(asked.code, 3);
    assert.match(
      asked.stderr,
      /chain\.example\.test could not be reached \(the proxy requires a sign-in: HTTP 407\)/,
    );
    const signedIn = await runCli(rpc, {
      env: { HTTPS_PROXY: proxy.url.replace('//', '//user:SECRET@') },
    });
    assert.match(signedIn.stderr, /\(the proxy refused the connection: HTTP 502\)/);
    assert.doesNotMatch(signedIn.stdout + signedIn.stderr, /SECRET/);
  });

  it('names a certificate that nobody trusts', async () => {
    const server = createTlsServer(selfSignedCertificate, (_request, response) => response.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const { stdout } = await runCli(['block', '--rpc', `https://127.0.0.1:${port}`]);
      assert.match(
        JSON.parse(stdout).error.message,
        /\(the certificate was rejected: DEPTH_ZERO_SELF_SIGNED_CERT\)/,
      );
    } finally {
      server.close();
    }
  });
});
