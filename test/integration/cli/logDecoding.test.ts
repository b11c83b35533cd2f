import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionData,
  parseAbi,
} from 'viem';
import type { SignatureServer } from '../../../localnet/signatures/server.ts';
import type { SourcifyServer } from '../../../localnet/sourcify/server.ts';
import { deployUpgrades, type UpgradedContracts } from '../../../localnet/upgrades/upgradedContracts.ts';
import type { VerifiedDeployment } from '../../../localnet/verified/deployVerified.ts';
import { removeFolder } from '../../../scripts/support/script.ts';
import type { FetchLike } from '../../../src/core/index.ts';
import { createRow } from '../../support/fakeFetch.ts';
import { type LoopbackServer, startMethodServer } from '../../support/loopbackServer.ts';
import { parseLines, runCli } from '../../support/runCli.ts';
import { type GrowingLocalnet, growingLocalnet, sharedVerified } from '../../support/sharedLocalnet.ts';
import { upgradedProject } from '../../support/upgradedContracts.ts';
import { startVerificationServers } from '../../support/verificationServers.ts';
import { writeFiles } from '../../support/writeFiles.ts';

const shop = `0x${'b'.repeat(40)}` as const;
const other = `0x${'c'.repeat(40)}` as const;
const abi = parseAbi([
  'event Sold(address indexed to, string indexed what, (uint256 amount, bytes3 unit) order)',
  'error Closed(uint256 until)',
]);
const sold = {
  topics: encodeEventTopics({ abi, eventName: 'Sold', args: { to: other, what: 'tea' } }),
  data: encodeAbiParameters([{ type: 'uint256' }, { type: 'bytes3' }], [2n ** 64n, '0x6b6700']),
};
const transfer = encodeEventTopics({
  abi: parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)']),
  args: { from: shop, to: other },
});

describe('what headless commands know by a folder', () => {
  let folder: string;
  let server: LoopbackServer;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chainside-known-'));
    const raw = {
      ...{ type: 'event', name: 'Raw', anonymous: true },
      inputs: [
        { name: 'n', type: 'uint256', indexed: true },
        { name: 'v', type: 'uint256', indexed: false },
      ],
    };
    const artifact = { contractName: 'Shop', abi: [...abi, raw], networks: { 31337: { address: shop } } };
    await writeFiles(folder, {
      'truffle-config.js': '',
      'build/contracts/Shop.json': JSON.stringify(artifact),
    });
    const rows = [
      { ...createRow(1, 0), address: shop, ...sold },
      { ...createRow(2, 0), address: other, ...sold },
      { ...createRow(3, 0), address: other, topics: transfer, data: `0x${'1'.padStart(64, '0')}` },
      { ...createRow(4, 0), address: other, topics: [`0x${'9'.repeat(64)}`], data: '0x' },
    ];
    server = await startMethodServer({ eth_blockNumber: '0x10', eth_chainId: '0x7a69', eth_getLogs: rows });
  });
  after(async () => {
    await server.close();
    await removeFolder(folder);
  });

  async function lines(args: readonly string[]) {
    const { code, stdout, stderr } = await runCli(args);
    assert.equal(code, 0, stderr);
    return parseLines(stdout);
  }

  it('decodes logs: by what is deployed, by the workspace, by bundled lists, or says why not', async () => {
    const rows = await lines(['logs', '--rpc', server.url, '--all', '--decode', folder]);
    const [deployed, known, bundled, unknown] = rows.map(({ decoded }) => decoded);
    const from = 'build/contracts/Shop.json';
    const args = [
      { name: 'to', type: 'address', indexed: true, value: other },
      { name: 'what', type: 'string', indexed: true, value: sold.topics[2], hashed: true },
      {
        ...{ name: 'order', type: '(uint256,bytes3)', indexed: false },
        value: { amount: (2n ** 64n).toString(), unit: '0x6b6700' },
      },
    ];
    const event = { event: 'Sold(address,string,(uint256,bytes3))', name: 'Sold', args };
    assert.deepEqual(deployed, { ...event, source: 'deployment', from });
    assert.deepEqual(known, { ...event, source: 'workspace', from });
    assert.deepEqual([bundled.name, bundled.source, bundled.from], ['Transfer', 'bundled', 'ERC-20']);
    assert.deepEqual(Object.keys(unknown), ['reason']);
    assert.equal(rows.at(-1).verdict.rows, 4);
  });

  it('refuses the signature of an event that the projects declare as anonymous', async () => {
    for (const event of ['Raw(uint256 indexed n, uint256 v)', 'event Raw(uint256, uint);']) {
      const query = ['--query', '-', '--decode', folder];
      const input = JSON.stringify({ address: shop, event });
      const { code, stdout } = await runCli(['logs', '--rpc', server.url, ...query], { input });
      const { error } = JSON.parse(stdout);
      assert.deepEqual([code === 0, error.kind, error.field], [false, 'badInput', 'event'], event);
      assert.match(error.message, /is anonymous/);
    }
  });

  it('takes the chain that is given, where the server does not tell', async () => {
    const silent: FetchLike = async (url, init) => {
      const { id, method } = JSON.parse(String(init.body));
      const error = { code: -32601, message: 'the method does not exist' };
      if (method === 'eth_chainId') return Response.json({ jsonrpc: '2.0', id, error });
      return fetch(url, init as RequestInit);
    };
    const args = ['logs', '--rpc', server.url, '--decode', folder, '--chain-id', '1'];
    const { stdout } = await runCli(args, { fetch: silent });
    assert.equal(parseLines(stdout)[0].decoded.source, 'workspace');
  });

  it('leaves rows as they are without a folder', async () => {
    const [row] = await lines(['logs', '--rpc', server.url]);
    assert.equal('decoded' in row, false);
  });

  it('decodes hex by the errors of the folder', async () => {
    const data = encodeErrorResult({ abi, errorName: 'Closed', args: [7n] });
    const [{ meaning }] = await lines(['decode', data, '--dir', folder]);
    assert.deepEqual(
      [meaning.kind, meaning.signature, meaning.source],
      ['revert', 'Closed(uint256)', 'workspace'],
    );
    assert.deepEqual(meaning.args, [{ name: 'until', type: 'uint256', value: '7' }]);
    const at = ['--address', shop, '--chain-id', '31337'];
    const [nearer] = await lines(['decode', data, '--dir', folder, ...at]);
    assert.equal(nearer.meaning.source, 'deployment');
  });
});

type Place = 'harbor' | 'twin' | 'gate' | 'clone' | 'quarry' | 'hidden';

describe('headless commands on a local network', () => {
  let net: GrowingLocalnet;
  let at: VerifiedDeployment;
  let contracts: UpgradedContracts;

  before(async () => {
    net = await growingLocalnet();
    at = await sharedVerified();
    contracts = await deployUpgrades(net.node);
    await net.catchUp();
  });

  describe('headless commands that ask others what logs mean', () => {
    let sourcify: SourcifyServer;
    let signatures: SignatureServer;

    before(async () => {
      ({ sourcify, signatures } = await startVerificationServers(net));
    });
    after(async () => {
      for (const server of [sourcify, signatures]) await server?.stop();
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
      const printed = parseLines(stdout);
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
        [['logs', '--rpc', net.rpcUrl, '--sources', 'somebody'], 'sources'],
        [['logs', '--rpc', net.rpcUrl, '--sources', 'etherscan'], 'etherscan-key-env'],
        [['logs', '--rpc', net.anvilUrl, '--sources', 'explorer'], 'sources'],
        [['decode', '0x12345678', '--sources', 'sourcify'], 'chain-id'],
        [['decode', '0x12345678', '--sources', 'explorer'], 'sources'],
      ] as const) {
        const { code, printed } = await lines(args);
        assert.deepEqual([code, printed[0].error.kind, printed[0].error.field], [2, 'badInput', field]);
      }
    });
  });

  describe('headless logs of upgraded contracts', () => {
    let folder: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'chainside-upgrades-'));
      await writeFiles(folder, upgradedProject(contracts));
    });
    after(() => removeFolder(folder));

    const run = async (args: readonly string[], input = '') => {
      const { code, stdout, stderr } = await runCli([...args, '--rpc', net.rpcUrl], { input });
      assert.equal(code, 0, stderr);
      return parseLines(stdout);
    };

    it('name the version in force, as their transaction does', async () => {
      const { address } = contracts.truth.find(({ contract }) => contract === 'VaultV3') ?? assert.fail();
      const deployed = contracts.deployed.find(({ name }) => name === 'VaultV3');
      const args = ['logs', '--query', '-', '--all', '--decode', folder];
      const rows = (await run(args, JSON.stringify({ address }))).slice(0, -1);
      assert.equal(rows.length, contracts.truth.filter((one) => one.address === address).length);
      const last = rows.findLast(({ decoded }) => decoded.name === 'Deposited') ?? assert.fail();
      const { contract, address: at, since } = last.decoded.implementation;
      assert.deepEqual([contract, at], ['VaultV3', deployed?.address]);
      assert.match(since?.block ?? '', /^\d+$/);
      const [{ logs }] = await run(['transaction', last.transactionHash, '--dir', folder]);
      const same = logs.find(({ decoded }: typeof last) => decoded.name === 'Deposited');
      assert.deepEqual(same.decoded.args, last.decoded.args);
    });
  });
});
