import assert from 'node:assert/strict';
import { mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../../scripts/support/script.ts';
import { parseLines, runCli } from '../../support/runCli.ts';
import { writeFiles } from '../../support/writeFiles.ts';

const deployed = `0x${'b'.repeat(40)}`;
const hash = `0x${'1'.repeat(64)}`;

const abi = [
  { type: 'constructor', inputs: [] },
  {
    type: 'event',
    name: 'Paid',
    inputs: [{ name: 'amount', type: 'uint256', indexed: true }],
    anonymous: false,
  },
  { type: 'error', name: 'Refused', inputs: [{ name: 'who', type: 'address' }] },
  { type: 'function', name: 'pay', inputs: [], outputs: [], stateMutability: 'payable' },
];

const run = {
  transactions: [{ hash, transactionType: 'CREATE', contractName: 'Shop', contractAddress: deployed }],
  receipts: [{ status: '0x1', transactionHash: hash, blockNumber: '0x10', contractAddress: deployed }],
  ...{ chain: 31337, commit: 'abc1234' },
};

describe('headless contracts', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chainside-contracts-'));
  });
  afterEach(() => removeFolder(folder));

  async function project(): Promise<void> {
    const settings = { compilationTarget: { 'src/Shop.sol': 'Shop' } };
    await writeFiles(folder, {
      'foundry.toml': '[profile.default]\n',
      'src/Shop.sol': '// first\ncontract Shop {\n  event Paid(uint256 indexed amount);\n}\n',
      'src/Idle.sol': 'interface Idle { event Rested(bytes32 id); }\n',
      'out/Shop.sol/Shop.json': JSON.stringify({ abi, metadata: { settings } }),
      'broadcast/Deploy.s.sol/31337/run-latest.json': JSON.stringify(run),
      'addresses.json': JSON.stringify({ 1: { Old: `0x${'c'.repeat(40)}` } }),
    });
  }

  async function contracts() {
    const { code, stdout, stderr } = await runCli(['contracts', folder]);
    const lines = parseLines(stdout);
    return { code, stderr, lines, last: lines.at(-1)?.index };
  }

  it('prints contracts, then deployments, then how many, in an order of their own', async () => {
    await project();
    const { code, stderr, lines, last } = await contracts();
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(lines.slice(0, -1), [
      {
        contract: {
          ...{ name: 'Idle', source: 'src/Idle.sol', line: 1, artifact: null },
          ...{ events: ['Rested(bytes32)'], errors: [], functions: 0 },
        },
      },
      {
        contract: {
          ...{ name: 'Shop', source: 'src/Shop.sol', line: 2, artifact: 'out/Shop.sol/Shop.json' },
          ...{ events: ['Paid(uint256)'], errors: ['Refused(address)'], functions: 1 },
        },
      },
      {
        deployment: {
          ...{ chainId: '1', address: `0x${'c'.repeat(40)}`, contract: 'Old', file: 'addresses.json' },
          ...{ block: null, commit: null, transaction: null, time: null, state: null },
        },
      },
      {
        deployment: {
          ...{ chainId: '31337', address: deployed, contract: 'Shop' },
          file: 'broadcast/Deploy.s.sol/31337/run-latest.json',
          ...{ block: '16', commit: 'abc1234', transaction: hash },
          ...{ time: null, state: null },
        },
      },
    ]);
    assert.deepEqual({ ...last, ms: 0 }, { contracts: 2, deployments: 2, skipped: 0, ms: 0 });
    assert.ok(Number.isSafeInteger(last.ms));
  });

  it('says of a broken file what is wrong with it, on one line, and reads the rest', async () => {
    await project();
    await writeFiles(folder, { 'out/Bad.sol/Bad.json': '{"abi": [' });
    const { code, stderr, last } = await contracts();
    assert.equal(code, 0);
    assert.match(stderr, /^out\/Bad\.sol\/Bad\.json: [^\n]+\n$/);
    assert.deepEqual([last.contracts, last.skipped], [2, 1]);
  });

  it('ends in a folder of symbolic links that lead in circles, and follows none', async () => {
    await project();
    await mkdir(join(folder, 'src/deep'));
    for (const name of ['self', 'up', 'more']) await symlink('../..', join(folder, 'src/deep', name), 'dir');
    await symlink('loop', join(folder, 'loop'), 'dir');
    await symlink(folder, join(folder, 'out/again'), 'dir');
    const { code, last } = await contracts();
    assert.deepEqual([code, last.contracts, last.deployments], [0, 2, 2]);
  });

  it('reads imports behind links to folders inside, as those of pnpm, and none behind a link outside', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'chainside-outside-'));
    try {
      await writeFiles(outside, { 'Secret.sol': 'contract Secret { event Stolen(uint256 a); }' });
      await writeFiles(folder, {
        'foundry.toml': '[profile.default]\n',
        'node_modules/.pnpm/p@1.0.0/node_modules/p/P.sol': 'contract P { event FromPackage(uint256 a); }',
        'src/A.sol':
          'import "p/P.sol"; import "../linked/Secret.sol"; import "./File.sol"; contract A is P, Secret { }',
      });
      await symlink('.pnpm/p@1.0.0/node_modules/p', join(folder, 'node_modules/p'), 'dir');
      await symlink(outside, join(folder, 'linked'), 'dir');
      await symlink(join(outside, 'Secret.sol'), join(folder, 'src/File.sol'));
      const { code, lines } = await contracts();
      assert.equal(code, 0);
      assert.match(JSON.stringify(lines), /FromPackage\(uint256\)/);
      assert.doesNotMatch(JSON.stringify(lines), /Stolen/);
    } finally {
      await removeFolder(outside);
    }
  });

  it('fails for a folder that is not there, and for none', async () => {
    for (const args of [['contracts'], ['contracts', join(folder, 'none')]]) {
      const { code, stdout } = await runCli(args);
      assert.equal(code, 2);
      assert.deepEqual(
        [JSON.parse(stdout).error.kind, JSON.parse(stdout).error.field],
        ['badInput', 'folder'],
      );
    }
  });
});
