import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toFunctionSelector } from 'viem';
import { createNodeRpc } from '../../../../localnet/chain/nodeRpc.ts';
import { compileSolidity } from '../../../../localnet/chain/solidity.ts';
import { forge, hasForge } from '../../../../scripts/support/foundry/forge.ts';
import {
  type AbiFunction,
  type AbiValue,
  type CopyRead,
  type CopyResult,
  copyReadTargets,
  parseAbiItem,
  toChecksumAddress,
} from '../../../../src/core/index.ts';
import { handoverTools } from '../../../support/copyAs/tools.ts';
import { isFullRun } from '../../../support/fullRun.ts';
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
  // In a full run the tools come from npm the first time.
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
  const ROWS = [[1n, 2n] as const, [3n, 2n ** 255n] as const] as const;
  const rows = () => {
    const args = [ROWS, '0xab00', true] as const;
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
  const MARK = `0x${'7'.padStart(64, '0')}` as const;
  const negative = () =>
    readOf('at(int256 index) view returns (int256 index_, bytes32 mark)', [-5n], [-5n, MARK]);

  const SENDER = `0x${'5e'.repeat(20)}` as const;
  const asSender = () => ({
    ...readOf('sender() view returns (address)', [], [SENDER]),
    from: SENDER,
  });

  const hostileTexts = ['', ' ', '-5', '0x12', HOSTILE, 'a'.repeat(10_000)];
  it('are commands of cast that say what is read, and have no text of the user', () => {
    const text = copyFor('cast', readOf('owner() view returns (address)', []));
    assert.match(text, /^# owner of 0x[\dA-Fa-f]{40} on Local Node, chain 31337, block 2\ncast call /);
    for (const hostile of hostileTexts) assert.match(copyFor('cast', echo(hostile)), CALLDATA_ALONE);
  });

  it('have the sender of the call', () => {
    const full = toChecksumAddress(SENDER);
    for (const { id } of copyReadTargets) {
      assert.ok(copyFor(id, asSender()).includes(`block 2, as ${full}\n`), id);
      assert.doesNotMatch(
        copyFor(id, { ...asSender(), from: undefined }),
        /, as 0x|--from |account:|from: '0x|prank/,
        id,
      );
    }
    assert.match(copyFor('cast', asSender()), new RegExp(` --from ${full} `));
    assert.match(copyFor('ethers', asSender()), new RegExp(`\\{ blockTag: 2n, from: '${full}' \\}`));
  });

  if (isFullRun) {
    it('give with cast what was read, whatever the arguments are', async () => {
      const { deployer, ledger } = chain.contracts;
      const run = async (read: CopyRead) => (await tools.shell(copyFor('cast', read))).trimEnd();
      assert.equal(await run(readOf('count() view returns (uint256)', [])), '5');
      assert.equal(await run(asSender()), toChecksumAddress(SENDER));
      assert.match(await run(negative()), /^-5\n0x0+7$/);
      assert.match(await run(rows()), /^\[\[1, 2\], \[3, \d+( \[[\d.e]+\])?\]\]\n0xab00\ntrue$/);
      assert.match(await run(order()), new RegExp(`^\\(1, \\[\\(${deployer}, 5\\), \\(${ledger}, `, 'i'));
      assert.equal(await run(echo('hello world')), '"hello world"');
      for (const hostile of hostileTexts) {
        // cast escapes as Rust does.
        const printed = (await run(echo(hostile))).replace(
          /\\u\{([0-9a-f]{1,4})\}/g,
          (_, code: string) => `\\u${code.padStart(4, '0')}`,
        );
        assert.equal(JSON.parse(printed.replaceAll("\\'", "'")), hostile);
      }
    });
  }

  for (const id of isFullRun ? ['viem', 'ethers'] : ['viem']) {
    it(`give with ${id} what was read, whatever the arguments are`, async () => {
      const { deployer, ledger } = chain.contracts;
      const run = async (read: CopyRead) => (await tools.node(copyFor(id, read)))[0];
      assert.equal(await run(readOf('count() view returns (uint256)', [])), '5');
      assert.equal(await run(asSender()), toChecksumAddress(SENDER));
      assert.equal(await run(echo(HOSTILE)), HOSTILE);
      assert.deepEqual(await run(rows()), [ROWS.map((row) => row.map(String)), '0xab00', true]);
      assert.deepEqual(await run(negative()), ['-5', MARK]);
      const legs = [
        [deployer, '5'],
        [ledger, String(2n ** 200n)],
      ] as const;
      const note = 'a\u202eb';
      const struct = JSON.parse(JSON.stringify(await run(order())).toLowerCase());
      if (id === 'ethers') assert.deepEqual(struct, [['1', legs, note], '1']);
      else {
        assert.equal(struct[0].note, note);
        assert.deepEqual(
          struct[0].legs,
          legs.map(([token, amount]) => ({ token, amount })),
        );
      }
    });
  }

  it('compile as a Foundry test, and hold on the chain', async () => {
    const node = createNodeRpc(chain.url);
    const reads = [
      readOf('count() view returns (uint256)', [], [5n]),
      echo(HOSTILE),
      rows(),
      order(),
      negative(),
      readOf('nothing() view', [], []),
      readOf('count() view returns (uint256)', [], [6n]),
    ];
    // The same texts each time, so that they are compiled once: the port of the chain is another.
    const network = { name: 'Local Node', chainId: 31337, rpcUrl: 'http://127.0.0.1:8545' };
    const texts = reads.map((read) => copyFor('foundry', { ...read, network }));
    const sources = Object.fromEntries(texts.map((content, index) => [`Read${index}.t.sol`, { content }]));
    const { contracts } = await compileSolidity(sources, ['abi', 'evm.bytecode.object']);
    for (const [index, text] of texts.entries()) {
      const { bytecode } =
        contracts.find(({ name, source }) => name === 'ReadTest' && source === `Read${index}.t.sol`) ??
        assert.fail(text);
      const to = `0x${'7e'.repeat(20)}`;
      const overrides = { [to]: { code: runtimeOf(bytecode) } };
      const call = node.call('eth_call', [{ to, data: TEST_READ }, '0x2', overrides]);
      if (index < reads.length - 1) await assert.doesNotReject(call, text);
      else await assert.rejects(call, /result 0 differs/);
    }
  });

  if (hasForge()) {
    it('pass with forge as the sender and origin of the call', async () => {
      const project = await mkdtemp(join(tmpdir(), 'chainside-forge-'));
      try {
        await mkdir(join(project, 'test'));
        await writeFile(join(project, 'foundry.toml'), '[profile.default]\nvia_ir = false\n');
        await writeFile(join(project, 'test', 'Read.t.sol'), copyFor('foundry', asSender()));
        const fork = ['--fork-url', chain.url, '--fork-block-number', '2', '--no-storage-caching'];
        const printed = await forge(['test', '--json', '--allow-failure', ...fork], project);
        const results = JSON.parse(printed.slice(printed.indexOf('{')));
        const { test_results } = results['test/Read.t.sol:ReadTest'];
        assert.equal(test_results['test_read()'].status, 'Success', printed);
      } finally {
        await rm(project, { recursive: true });
      }
    });
  }

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

const CALLDATA_ALONE = /--data 0x[0-9a-f]+\)"\n$/;
const TEST_READ = toFunctionSelector('test_read()');

/** The code that creation code returns: it is behind its first RETURN and INVALID. */
function runtimeOf(bytecode: string): string {
  return `0x${bytecode.slice(bytecode.indexOf('f3fe') + 4)}`;
}
