import assert from 'node:assert/strict';
import { encodeFunctionData, parseAbi } from 'viem';
import type { SignatureServer } from '../../../localnet/signatures/server.ts';
import type { SourcifyServer } from '../../../localnet/sourcify/server.ts';
import { type Localnet, startLocalnet } from '../../../localnet/start.ts';
import { deployVerified, type VerifiedDeployment } from '../../../localnet/verified/deployVerified.ts';
import { runCli } from '../../support/runHeadless.ts';
import { startVerificationServers } from '../../support/verifiers.ts';

type Place = 'harbor' | 'twin' | 'gate' | 'clone' | 'quarry' | 'hidden';

describe('headless commands that ask others what logs mean', () => {
  let net: Localnet;
  let at: VerifiedDeployment;
  let sourcify: SourcifyServer;
  let signatures: SignatureServer;

  before(async () => {
    net = await startLocalnet();
    const { node, verified: registry, chain } = net;
    at = await deployVerified(node, { registry, chainId: chain.chainId });
    await net.catchUp();
    ({ sourcify, signatures } = await startVerificationServers(net));
  });
  after(async () => {
    for (const server of [sourcify, signatures, net]) await server?.stop();
  });
  beforeEach(() => {
    for (const server of [sourcify, signatures, net.explorer]) {
      server.forgetRequests();
      server.setIntercept(undefined);
    }
  });

  async function lines(args: readonly string[], input = '') {
    const urls = ['--sourcify', sourcify.url, '--signatures', signatures.url];
    const { code, stdout, stderr } = await runCli([...args, ...urls], { input });
    const printed = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return { code, stderr, printed };
  }

  async function logsAt(place: Place, sources: string) {
    const args = ['logs', '--query', '-', '--all', '--rpc', net.rpcUrl, '--sources', sources];
    const { printed, ...run } = await lines(args, JSON.stringify({ address: at[place] }));
    const decoded = printed.slice(0, -1).map((line) => line.decoded);
    return { ...run, decoded };
  }
  const names = (decoded: readonly { name?: string; source?: string }[]) =>
    decoded.map(({ name, source }) => `${name} ${source}`);

  it('ask nobody unless they are told to', async () => {
    const args = ['logs', '--query', '-', '--rpc', net.rpcUrl];
    const { printed } = await lines(args, JSON.stringify({ address: at.harbor }));
    assert.equal('decoded' in printed[0], false);
    assert.equal(sourcify.requestCount + signatures.requestCount, 0);
    assert.ok(net.explorer.requests.every(({ url }) => !url.includes('smart-contracts')));
  });

  it('decode by the explorer: the contract, its twin, what a proxy leads to, and the proxy itself', async () => {
    const { decoded } = await logsAt('harbor', 'explorer');
    assert.deepEqual(names(decoded), ['BerthPaid verified', 'Docked verified']);
    assert.deepEqual(
      decoded[1].args.map(({ name, indexed, value }: Record<string, unknown>) => [name, indexed, value]),
      [
        ['ship', true, at.account],
        ['berth', true, '3'],
        ['fee', false, '7'],
        ['cargo', false, 'salt'],
      ],
    );
    const twin = await logsAt('twin', 'explorer');
    assert.deepEqual(names(twin.decoded), ['BerthPaid twin', 'Docked twin']);
    assert.equal(twin.decoded[0].twin, at.harbor);
    const gate = await logsAt('gate', 'explorer');
    const through = ['Upgraded', 'Passed', 'BerthPaid', 'Docked'].map((name) => `${name} verified`);
    assert.deepEqual(names(gate.decoded), through);
    assert.deepEqual(names((await logsAt('clone', 'explorer')).decoded), names(decoded));
    const diamond = await logsAt('quarry', 'explorer');
    assert.deepEqual(names(diamond.decoded), ['DiamondCut verified', ...names(decoded)]);
  });

  it('decode by Sourcify, where each address is asked for once', async () => {
    const { decoded } = await logsAt('gate', 'sourcify');
    assert.deepEqual(
      names(decoded),
      ['Upgraded', 'Passed', 'BerthPaid', 'Docked'].map((name) => `${name} verified`),
    );
    assert.match(decoded[3].from, new RegExp(`^127\\.0\\.0\\.1:\\d+ ${at.harbor}$`, 'i'));
    assert.deepEqual(
      sourcify.requests.map(({ url }) => url.split('?')[0]?.split('/').at(-1)),
      [at.gate, at.harbor],
    );
  });

  it('ask for names only what nobody has verified, and show what else fits', async () => {
    const { decoded } = await logsAt('twin', 'sourcify,signatures');
    assert.deepEqual(names(decoded), ['BerthPaid signatures', 'Docked signatures']);
    assert.equal(decoded[1].others.length > 0, true);
    assert.equal(signatures.requestCount, 1);
    signatures.forgetRequests();
    await logsAt('harbor', 'sourcify,signatures');
    assert.equal(signatures.requestCount, 0);
  });

  it('go on without a source that fails, and say so once', async () => {
    sourcify.setIntercept(() => ({ kind: 'respond', status: 400, body: '{"customCode":"x"}' }));
    const { code, stderr, decoded } = await logsAt('harbor', 'sourcify,explorer');
    assert.deepEqual([code, names(decoded)], [0, ['BerthPaid verified', 'Docked verified']]);
    const alone = await logsAt('harbor', 'sourcify');
    assert.equal(alone.code, 0);
    assert.match(alone.stderr, /refused the request \(400\)/);
    assert.match(stderr, /complete/);
    assert.ok(alone.decoded.every((one) => 'reason' in one));
  });

  it('explain calls at an address by what is verified there, others by name', async () => {
    const data = encodeFunctionData({
      abi: parseAbi(['function dock(uint256 berth, uint256 fee, string cargo)']),
      args: [3n, 7n, 'salt'],
    });
    const place = ['--address', at.harbor, '--chain-id', '31337'];
    const [{ meaning }] = (await lines(['decode', data, ...place, '--sources', 'sourcify'])).printed;
    assert.deepEqual([meaning.name, meaning.source, meaning.args[2].name], ['dock', 'verified', 'cargo']);
    const named = (await lines(['decode', data, '--sources', 'signatures'])).printed;
    assert.deepEqual(
      [named[0].meaning.signature, named[0].meaning.source],
      ['dock(uint256,uint256,string)', 'signatures'],
    );
    const silent = (await lines(['decode', data])).printed;
    assert.equal(silent.at(-1).decode.meanings, 0);
  });

  it('refuse sources that are none, and what cannot be asked', async () => {
    for (const [args, field] of [
      [['logs', '--rpc', net.rpcUrl, '--sources', 'etherscan'], 'sources'],
      [['logs', '--rpc', net.anvilUrl, '--sources', 'explorer'], 'sources'],
      [['decode', '0x12345678', '--sources', 'sourcify'], 'chain-id'],
      [['decode', '0x12345678', '--sources', 'explorer'], 'sources'],
    ] as const) {
      const { code, printed } = await lines(args);
      assert.deepEqual([code, printed[0].error.kind, printed[0].error.field], [1, 'badInput', field]);
    }
  });
});
