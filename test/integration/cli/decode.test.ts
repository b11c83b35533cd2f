import assert from 'node:assert/strict';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { encodeErrorResult, encodeFunctionData, parseAbi } from 'viem';
import { removeFolder } from '../../../scripts/support/script.ts';
import { runCli } from '../../support/runCli.ts';

const weth = '0x4200000000000000000000000000000000000006';
const transfer = `0xa9059cbb${'0'.repeat(24)}${weth.slice(2)}${'5'.padStart(64, '0')}` as const;
const args = [
  { name: 'to', type: 'address', value: weth },
  { name: 'value', type: 'uint256', value: '5' },
];
const call = {
  ...{ kind: 'calldata', signature: 'transfer(address,uint256)', name: 'transfer', args },
  ...{ source: 'bundled', from: 'ERC-20' },
};

async function decode(given: readonly string[], input = '') {
  const { code, stdout, stderr } = await runCli(['decode', ...given], { input });
  const lines = stdout.trim().split('\n');
  return { code, stderr, lines: lines.map((line) => JSON.parse(line)) };
}

describe('headless decode', () => {
  it('prints a meaning a line, and their number last', async () => {
    const { code, stderr, lines } = await decode([transfer]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(lines, [{ meaning: call }, { decode: { meanings: 1 } }]);
  });

  it('prints the calls inside a call, and what a panic says', async () => {
    const multicall = encodeFunctionData({
      abi: parseAbi(['function multicall(bytes[] data)']),
      args: [[transfer]],
    });
    const [{ meaning }] = (await decode([multicall])).lines;
    assert.deepEqual(meaning.nested, [{ in: 'data[0]', meaning: call }]);
    const panic = await decode([`0x4e487b71${'12'.padStart(64, '0')}`]);
    assert.equal(panic.lines[0].meaning.note, 'a division or modulo by zero');
  });

  it('prints values without a name, and hashes without values', async () => {
    const word = await decode([`0x${'7'.padStart(64, '0')}`]);
    assert.deepEqual(word.lines[0].meaning, {
      kind: 'word',
      args: [{ name: '', type: 'uint256', value: '7' }],
    });
    const selector = await decode(['0xd93c0665']);
    const { kind, name, args: none } = selector.lines[0].meaning;
    assert.deepEqual([kind, name, none], ['error', 'EnforcedPause', undefined]);
  });

  it('prints the bytes behind the arguments of a call, and who appended them', async () => {
    const tag = await decode([`${transfer}360c6ebe`]);
    assert.deepEqual(tag.lines[0].meaning, { ...call, suffix: { data: '0x360c6ebe' } });
    const suffix = '62617365617070070080218021802180218021802180218021';
    const attributed = await decode([transfer + suffix]);
    const erc8021 = { schema: 0, codes: ['baseapp'] };
    assert.deepEqual(attributed.lines[0].meaning.suffix, { data: `0x${suffix}`, erc8021 });
    const unknown = await decode([`0x12345678${suffix}`]);
    assert.deepEqual(unknown.lines, [{ decode: { meanings: 0, erc8021 } }]);
  });

  it('reads from standard input what is too long for a command line', async () => {
    const { code, lines } = await decode(['-'], `\n${transfer}\n`);
    assert.deepEqual([code, lines[0]], [0, { meaning: call }]);
    const long = await decode(['-'], `0x${'00'.repeat(1024 * 1024 + 1)}`);
    assert.deepEqual([long.code, long.lines[0].error.field], [1, 'hex']);
    assert.match(long.lines[0].error.message, /1 MiB/);
  });

  it('says that nothing is known, which is no failure', async () => {
    const { code, stderr, lines } = await decode(['0x12345678']);
    assert.deepEqual([code, lines], [0, [{ decode: { meanings: 0 } }]]);
    assert.match(stderr, /0x12345678/);
  });

  it('refuses what is no hex, and says what it takes', async () => {
    for (const given of [['a9059cbb'], ['0xa9059cb'], []]) {
      const { code, lines } = await decode(given);
      assert.deepEqual(
        [code, lines.length, lines[0].error.kind, lines[0].error.field],
        [1, 1, 'badInput', 'hex'],
      );
      assert.match(lines[0].error.message, /^This is not hex data\. Write 0x/);
    }
  });

  it('takes an address only with its chain', async () => {
    assert.equal((await decode([transfer, '--address', weth, '--chain-id', '10'])).code, 0);
    const alone = await decode([transfer, '--address', weth]);
    assert.deepEqual([alone.code, alone.lines[0].error.field], [1, 'chain-id']);
    const wrong = await decode([transfer, '--address', '0x12', '--chain-id', '10']);
    assert.deepEqual([wrong.code, wrong.lines[0].error.field], [1, 'address']);
  });

  describe('with the projects below a folder', () => {
    const deployed = `0x${'b'.repeat(40)}`;
    const hash = `0x${'1'.repeat(64)}`;
    const refused = encodeErrorResult({ abi: parseAbi(['error Refused(address who)']), args: [weth] });
    let folder: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'chainside-decode-'));
      const inputs = [{ name: 'who', type: 'address' }];
      const abi = [
        { type: 'error', name: 'Refused', inputs },
        { type: 'function', name: 'transfer', inputs: transferInputs, outputs: [], stateMutability: 'view' },
      ];
      const settings = { compilationTarget: { 'src/Shop.sol': 'Shop' } };
      await write('foundry.toml', '[profile.default]\n');
      await write('out/Shop.sol/Shop.json', JSON.stringify({ abi, metadata: { settings } }));
      const created = { hash, transactionType: 'CREATE', contractName: 'Shop', contractAddress: deployed };
      const receipt = {
        status: '0x1',
        transactionHash: hash,
        blockNumber: '0x10',
        contractAddress: deployed,
      };
      const run = { transactions: [created], receipts: [receipt], chain: 31337 };
      await write('broadcast/Deploy.s.sol/31337/run-latest.json', JSON.stringify(run));
    });
    after(() => removeFolder(folder));

    async function write(path: string, content: string): Promise<void> {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }

    const transferInputs = [
      { name: 'buyer', type: 'address' },
      { name: 'price', type: 'uint256' },
    ];

    it('finds an error that no list has', async () => {
      assert.deepEqual((await decode([refused])).lines, [{ decode: { meanings: 0 } }]);
      const { lines } = await decode([refused, '--dir', folder]);
      const { signature, source, args } = lines[0].meaning;
      assert.deepEqual([signature, source, args[0].value], ['Refused(address)', 'workspace', weth]);
    });

    it('trusts what is deployed there more than a list', async () => {
      const place = ['--address', deployed, '--chain-id', '31337'];
      const { lines } = await decode([transfer, '--dir', folder, ...place]);
      const { source, args } = lines[0].meaning;
      assert.deepEqual([source, args[0].name], ['deployment', 'buyer']);
      assert.deepEqual(lines.at(-1), { decode: { meanings: 1 } });
      const elsewhere = await decode([transfer, '--dir', folder, '--address', weth, '--chain-id', '31337']);
      assert.equal(elsewhere.lines[0].meaning.source, 'workspace');
    });

    it('says that there is no such folder', async () => {
      const { code, lines } = await decode([refused, '--dir', join(folder, 'none')]);
      assert.deepEqual([code, lines[0].error.field], [1, 'folder']);
    });
  });
});
