import assert from 'node:assert/strict';
import { encodeFunctionData, parseAbi } from 'viem';
import { parseLines, runCli } from '../../support/runCli.ts';

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
  return { code, stderr, lines: parseLines(stdout) };
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
    assert.deepEqual([long.code, long.lines[0].error.field], [2, 'hex']);
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
        [2, 1, 'badInput', 'hex'],
      );
      assert.match(lines[0].error.message, /^This is not hex data\. Enter 0x/);
    }
  });

  it('takes an address only with its chain', async () => {
    assert.equal((await decode([transfer, '--address', weth, '--chain-id', '10'])).code, 0);
    const alone = await decode([transfer, '--address', weth]);
    assert.deepEqual([alone.code, alone.lines[0].error.field], [2, 'chain-id']);
    const wrong = await decode([transfer, '--address', '0x12', '--chain-id', '10']);
    assert.deepEqual([wrong.code, wrong.lines[0].error.field], [2, 'address']);
  });

  it('says that there is no such folder', async () => {
    const { code, lines } = await decode([transfer, '--dir', '/nowhere/at/all']);
    assert.deepEqual([code, lines[0].error.field], [2, 'folder']);
  });
});
