import assert from 'node:assert/strict';
import { type Services, startServices } from '../../../localnet/services.ts';
import { type Localnet, startLocalnet } from '../../../localnet/start.ts';
import { runCli } from '../../support/runHeadless.ts';

describe('services around the local chain', () => {
  let localnet: Localnet;
  let services: Services;
  let blocks: number;

  const head = async () => Number(await localnet.node.call('eth_blockNumber', []));
  before(async () => {
    localnet = await startLocalnet({ blockSeconds: 3600 });
    const before = await head();
    services = await startServices(localnet);
    blocks = (await head()) - before;
  });
  after(async () => {
    await services?.stop();
    await localnet?.stop();
  });

  it('come with a few blocks, the same on every start, of which the newest is not ahead of the clock', async () => {
    assert.equal(blocks, 11);
    const block = await localnet.node.call('eth_getBlockByNumber', ['latest', false]);
    const { timestamp } = block as { timestamp: string };
    assert.ok(Number(timestamp) <= Date.now() / 1000 + 1, `${timestamp} is ahead`);
  });

  it('tell of a contract that no project has, whoever is asked', async () => {
    const query = JSON.stringify({ address: services.verified.harbor });
    const args = ['logs', '--query', '-', '--rpc', localnet.rpcUrl, '--sourcify', services.sourcify.url];
    for (const source of ['explorer', 'sourcify']) {
      const { stdout } = await runCli([...args, '--sources', source], { input: query });
      assert.match(stdout.split('\n')[0] ?? '', /"name":"BerthPaid"/, source);
    }
  });

  it('have a gateway that takes its key', async () => {
    const rpc = services.gateway.rpcUrl(localnet.chain.chainId);
    const env = { LOCAL_KEY: services.gatewayKey };
    const key = ['--rpc-key-env', 'LOCAL_KEY', '--rpc-key-in', 'bearer'];
    const { stdout } = await runCli(['block', '--rpc', rpc, ...key], { env });
    assert.match(stdout, /^\{"block":"\d+"\}/);
    const { code } = await runCli(['block', '--rpc', rpc]);
    assert.equal(code, 1);
  });
});
