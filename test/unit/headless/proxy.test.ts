import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { selfSignedCertificate } from '../../fixtures/selfSignedCertificate.ts';
import { startRpcServer } from '../../support/loopbackServer.ts';
import { runCli } from '../../support/runHeadless.ts';
import { startTunnelProxy } from '../../support/tunnelProxy.ts';

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
      assert.deepEqual([error.kind, error.field, code], ['badInput', name, 1]);
      assert.match(stderr, new RegExp(`^${name} is not the address of a proxy\\. `));
      assert.doesNotMatch(stdout + stderr, /SECRET|^ +at /m);
    });
  }

  it('takes no proxy for none', async () => {
    const server = await startRpcServer(({ id }) => ({ jsonrpc: '2.0', id, result: '0x10' }));
    try {
      const env = { HTTP_PROXY: '', https_proxy: '' };
      const { stdout } = await runCli(['block', '--rpc', server.url], { env });
      assert.deepEqual(JSON.parse(stdout), { block: '16' });
    } finally {
      await server.close();
    }
  });

  it('says that the proxy asks for a sign-in, and takes user and password from its address', async () => {
    await using proxy = await startTunnelProxy({}, { credentials: 'user:SECRET' });
    const rpc = ['block', '--rpc', 'https://chain.example.test'];
    const asked = await runCli(rpc, { env: { HTTPS_PROXY: proxy.url } });
    assert.equal(asked.code, 1);
    assert.match(
      asked.stderr,
      /chain\.example\.test could not be reached \(the proxy asks for a sign-in: HTTP 407\)/,
    );
    const signedIn = await runCli(rpc, {
      env: { HTTPS_PROXY: proxy.url.replace('//', '//user:SECRET@') },
    });
    assert.match(signedIn.stderr, /\(the proxy refused the connection: HTTP 502\)/);
    assert.doesNotMatch(signedIn.stdout + signedIn.stderr, /SECRET/);
  });

  it('names a certificate that nobody trusts', async () => {
    const server = createServer(selfSignedCertificate, (_request, response) => response.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const { stdout } = await runCli(['block', '--rpc', `https://127.0.0.1:${port}`]);
      assert.match(
        JSON.parse(stdout).error.message,
        /\(a certificate is refused: DEPTH_ZERO_SELF_SIGNED_CERT\)/,
      );
    } finally {
      server.close();
    }
  });
});
