import assert from 'node:assert/strict';
import { toFunctionSelector } from 'viem';
import { compileSolidity } from '../../../../localnet/chain/solidity.ts';
import {
  type AbiFunction,
  type AbiValue,
  type CopyRead,
  type CopyResult,
  copyReadTargets,
  parseAbiItem,
} from '../../../../src/core/index.ts';
import { handoverTools } from '../../../support/copyAs/tools.ts';
import { type LedgerChain, startLedgerChain } from '../../../support/ledgerChain.ts';

const HOSTILE = `'"\`$(touch x) \\ \${y} */ //\n\u202e\u2028 -- [1,2] (a)`;

function functionOf(declaration: string): AbiFunction {
  const item = parseAbiItem(`function ${declaration}`);
  return item?.kind === 'function' ? item : assert.fail(declaration);
}

function copyFor(id: string, read: CopyRead): string {
  const result: CopyResult =
    copyReadTargets.find((target) => target.id === id)?.copy(read) ?? assert.fail(id);
  return 'text' in result ? result.text : assert.fail(result.error);
}

describe('reads that are copied', function copies() {
  // The tools come from npm the first time.
  this.timeout(300_000);
  let chain: LedgerChain;
  let tools: Awaited<ReturnType<typeof handoverTools>>;
  before(async () => {
    [chain, tools] = await Promise.all([startLedgerChain(), handoverTools()]);
  });
  after(() => chain.stop());

  function readOf(declaration: string, args: readonly AbiValue[], values?: readonly AbiValue[]): CopyRead {
    const network = { name: 'Local Node', chainId: 31337, rpcUrl: chain.url };
    const { ledger } = chain.contracts;
    return { network, address: ledger, item: functionOf(declaration), args, block: 2n, values };
  }

  const echo = (text: string) => readOf('echo(string text) view returns (string)', [text], [text]);
  const rows = () => {
    const args = [
      [
        [1n, 2n],
        [3n, 2n ** 255n],
      ],
      '0xab00',
      true,
    ] as const;
    return readOf(
      'echo(uint256[2][] rows, bytes data, bool flag) view returns (uint256[2][], bytes, bool)',
      args,
      args,
    );
  };
  const order = () => {
    const { ledger, deployer } = chain.contracts;
    const legs = [[deployer, 5n]];
    return readOf(
      'order(uint8 side, (address token, uint256 amount)[] legs) view returns ((uint8 side, (address token, uint256 amount)[] legs, string note) made, uint8 mapping)',
      [1n, [...legs, [ledger, 2n ** 200n]]],
      [[1n, [...legs, [ledger, 2n ** 200n]], 'a\u202eb'], 1n],
    );
  };
  const negative = () =>
    readOf(
      'at(int256 index) view returns (int256 index_, bytes32 mark)',
      [-5n],
      [-5n, `0x${'7'.padStart(64, '0')}`],
    );

  it('give with cast what was read, whatever the arguments are', async () => {
    const { deployer, ledger } = chain.contracts;
    const run = async (read: CopyRead) => (await tools.shell(copyFor('cast', read))).trimEnd();
    assert.equal(await run(readOf('count() view returns (uint256)', [])), '5');
    assert.match(await run(negative()), /^-5\n0x0+7$/);
    assert.match(await run(rows()), /^\[\[1, 2\], \[3, \d+( \[[\d.e]+\])?\]\]\n0xab00\ntrue$/);
    assert.match(await run(order()), new RegExp(`^\\(1, \\[\\(${deployer}, 5\\), \\(${ledger}, `, 'i'));
    const text = copyFor('cast', readOf('owner() view returns (address)', []));
    assert.match(text, /^# owner of 0x[\dA-Fa-f]{40} on Local Node, chain 31337, block 2\ncast call /);
    for (const plain of ['hello world', 'a'])
      assert.equal(await run(echo(plain)), `"${plain}"`, copyFor('cast', echo(plain)));
    for (const hostile of ['', ' ', '-5', '0x12', HOSTILE]) {
      const command = copyFor('cast', echo(hostile));
      assert.match(command, /--data 0x[0-9a-f]+\)"\n$/);
      assert.ok(!command.includes('touch'), command);
      // cast escapes as Rust does.
      const printed = (await run(echo(hostile))).replace(
        /\\u\{([0-9a-f]{1,4})\}/g,
        (_, code: string) => `\\u${code.padStart(4, '0')}`,
      );
      assert.equal(JSON.parse(printed.replaceAll("\\'", "'")), hostile);
    }
  });

  it('give with viem and ethers what was read, whatever the arguments are', async () => {
    const { deployer, ledger } = chain.contracts;
    const wanted = async (read: CopyRead) => {
      const [viem, ethers] = await Promise.all(
        ['viem', 'ethers'].map(async (id) => (await tools.node(copyFor(id, read)))[0]),
      );
      return { viem, ethers };
    };
    const [count, text, many, struct, below] = await Promise.all(
      [readOf('count() view returns (uint256)', []), echo(HOSTILE), rows(), order(), negative()].map(wanted),
    );
    assert.deepEqual(count, { viem: '5', ethers: '5' });
    assert.deepEqual(text, { viem: HOSTILE, ethers: HOSTILE });
    const returned = [
      [
        ['1', '2'],
        ['3', String(2n ** 255n)],
      ],
      '0xab00',
      true,
    ];
    assert.deepEqual(many, { viem: returned, ethers: returned });
    assert.deepEqual(below, {
      viem: ['-5', `0x${'7'.padStart(64, '0')}`],
      ethers: ['-5', `0x${'7'.padStart(64, '0')}`],
    });
    const amounts = ['5', String(2n ** 200n)];
    const lower = JSON.parse(JSON.stringify(struct).toLowerCase());
    assert.deepEqual(lower.ethers, [
      [
        '1',
        [
          [deployer, amounts[0]],
          [ledger, amounts[1]],
        ],
        'a\u202eb',
      ],
      '1',
    ]);
    assert.equal(lower.viem[0].note, 'a\u202eb');
    assert.deepEqual(lower.viem[0].legs, [
      { token: deployer, amount: amounts[0] },
      { token: ledger, amount: amounts[1] },
    ]);
  });

  it('compile as a Foundry test, and hold on the chain', async () => {
    const reads = [
      readOf('count() view returns (uint256)', [], [5n]),
      echo(HOSTILE),
      rows(),
      order(),
      negative(),
      readOf('nothing() view', [], []),
      readOf('count() view returns (uint256)', [], [6n]),
    ];
    const texts = reads.map((read) => copyFor('foundry', read));
    const sources = Object.fromEntries(texts.map((content, index) => [`Read${index}.t.sol`, { content }]));
    const { contracts } = await compileSolidity(sources, ['abi', 'evm.bytecode.object']);
    for (const [index, text] of texts.entries()) {
      const { bytecode } =
        contracts.find(({ name, source }) => name === 'ReadTest' && source === `Read${index}.t.sol`) ??
        assert.fail(text);
      const call = (to: string) =>
        fetch(chain.url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            ...{ jsonrpc: '2.0', id: 1, method: 'eth_call' },
            params: [{ to, data: TEST_READ }, '0x2', { [to]: { code: runtimeOf(bytecode) } }],
          }),
        }).then((response) => response.json());
      const { error } = (await call(`0x${'7e'.repeat(20)}`)) as { error?: { message: string } };
      if (index < reads.length - 1) assert.equal(error, undefined, `${JSON.stringify(error)}\n${text}`);
      else assert.match(error?.message ?? '', /result 0 differs/);
    }
  });

  it('are refused where a tool cannot say them, and keep keys out', () => {
    const refusal = (id: string, read: CopyRead) =>
      copyReadTargets.find((target) => target.id === id)?.copy(read);
    assert.deepEqual(refusal('foundry', readOf('count() view returns (uint256)', [])), { error: 'value' });
    assert.deepEqual(refusal('viem', readOf('mapping() view returns (uint256)', [])), { error: 'name' });
    assert.deepEqual(refusal('foundry', readOf('TARGET() view returns (uint256)', [], [1n])), {
      error: 'name',
    });
    const call = readOf('f(function g) view returns (uint256)', [`0x${'11'.repeat(24)}`], [1n]);
    for (const { id } of copyReadTargets) assert.deepEqual(refusal(id, call), { error: 'type' }, id);
    const secret = 's3cr3t0123456789abcdef';
    const network = {
      ...{ name: 'Far', chainId: 1, rpcUrl: `https://node.example/v3/${secret}` },
      ...{ rpcAuth: 'bearer' as const },
    };
    for (const { id } of copyReadTargets)
      assert.ok(!copyFor(id, { ...echo('a'), network }).includes(secret), id);
  });
});

const TEST_READ = toFunctionSelector('test_read()');

/** The code that creation code returns: it is behind its first RETURN and INVALID. */
function runtimeOf(bytecode: string): string {
  return `0x${bytecode.slice(bytecode.indexOf('f3fe') + 4)}`;
}
