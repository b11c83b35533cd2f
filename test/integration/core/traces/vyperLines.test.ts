import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AbiFunction } from 'ox';
import { type Anvil, startAnvil } from '../../../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../../../localnet/chain/nodeRpc.ts';
import { type Address, createSend } from '../../../../localnet/chain/transactions.ts';
import { removeFolder } from '../../../../scripts/support/script.ts';
import { formatMessage, type Hex } from '../../../../src/core/index.ts';
import builds from '../../../fixtures/vyperBuilds.json' with { type: 'json' };
import { byTurns } from '../../../support/fullRun.ts';
import { deploy, fundSender, sender } from '../../../support/traces/sendFailures.ts';
import { createTracer } from '../../../support/traces/tracer.ts';
import { writeFiles } from '../../../support/writeFiles.ts';

const SOURCE = 'src/Failing.vy';

interface VyperCode {
  readonly object: string;
  readonly sourceMap?: string | { readonly pc_pos_map_compressed: string };
}
/** The contract as Vyper compiled it: its own line of each failure ends with its name. */
interface VyperBuild {
  readonly sources: Readonly<Record<string, string>>;
  readonly abi: readonly unknown[];
  readonly evm: { readonly bytecode: VyperCode; readonly deployedBytecode: VyperCode };
}

type Failure = readonly [name: string, signature: string, args: readonly unknown[]];
const FAILURES: readonly Failure[] = [
  ['assertText', 'withText(uint256)', [1n]],
  ['bareFirst', 'bare(uint256,uint256)', [1n, 9n]],
  ['bareSecond', 'bare(uint256,uint256)', [9n, 1n]],
  ['raisedText', 'raised(uint256)', [1n]],
  ['raised', 'raised(uint256)', [2n]],
  ['overflow', 'plus(uint256,uint256)', [2n ** 256n - 1n, 1n]],
  ['underflow', 'less(uint256,uint256)', [1n, 2n]],
  ['divide', 'quotient(uint256,uint256)', [1n, 0n]],
  ['index', 'item(uint256)', [3n]],
  ['pop', 'popLast()', []],
  ['internalAssert', 'inner(uint256)', [1n]],
  ['far', 'far(address,uint256)', ['0x000000000000000000000000000000000000dead', 1n]],
  ['ignored', 'ignored(address)', ['self']],
  ['loop', 'loop(uint256)', [3n]],
  ['unreachable', 'never(uint256)', [1n]],
  ['narrow', 'narrow(uint256)', [256n]],
  ['moduleAssert', 'useModule(uint256)', [1n]],
];

/** Who writes the build: the files of a project, beside the sources. */
const layouts = {
  foundry: ({ abi, evm }: VyperBuild) => ({
    'foundry.toml': '[profile.default]\n',
    'out/Failing.vy/Failing.json': { abi, ...compress(evm), id: 0 },
    'out/build-info/ab12.json': { id: 'ab12', source_id_to_path: { 0: SOURCE }, language: 'Vyper' },
  }),
  'standard JSON': ({ abi, evm }: VyperBuild) => ({
    'build/output.json': {
      compiler: 'vyper',
      contracts: { [SOURCE]: { Failing: { abi, evm } } },
      sources: { [SOURCE]: { id: 0 } },
    },
  }),
  'combined JSON': ({ abi, evm: { bytecode, deployedBytecode } }: VyperBuild) => ({
    'build/output.json': {
      [SOURCE]: {
        ...{ abi, bytecode: bytecode.object, bytecode_runtime: deployedBytecode.object },
        ...(bytecode.sourceMap === undefined
          ? { source_map: toObject(deployedBytecode.sourceMap) }
          : { source_map: bytecode.sourceMap, source_map_runtime: deployedBytecode.sourceMap }),
      },
      version: '0.4.3',
    },
  }),
  ape: ({ abi, evm }: VyperBuild) => ({
    'ape-config.yaml': '',
    '.build/__local__.json': {
      manifest: 'ethpm/3',
      contractTypes: {
        Failing: {
          ...{ abi, contractName: 'Failing', sourceId: SOURCE },
          deploymentBytecode: { bytecode: evm.bytecode.object },
          runtimeBytecode: { bytecode: evm.deployedBytecode.object },
          sourcemap: toApeMap(evm.deployedBytecode.sourceMap),
        },
      },
    },
  }),
  hardhat: ({ abi, evm }: VyperBuild) => ({
    'hardhat.config.js': 'module.exports = {};\n',
    [`artifacts/${SOURCE}/Failing.json`]: {
      ...{ _format: 'hh-vyper-artifact-1', contractName: 'Failing', sourceName: SOURCE, abi },
      ...{ bytecode: evm.bytecode.object, deployedBytecode: evm.deployedBytecode.object },
      ...{ linkReferences: {}, deployedLinkReferences: {} },
    },
  }),
} as const satisfies Record<string, (build: VyperBuild) => Readonly<Record<string, object | string>>>;

const toText = (map: VyperCode['sourceMap']) => (typeof map === 'object' ? map.pc_pos_map_compressed : map);
/** Since Vyper 0.4.0 Ape writes the maps of the creation code, as text. */
const toApeMap = (map: VyperCode['sourceMap']) => (typeof map === 'object' ? JSON.stringify(map) : map);
const toObject = (map: VyperCode['sourceMap']) => ({ pc_pos_map_compressed: toText(map) });
const compress = ({ bytecode, deployedBytecode }: VyperBuild['evm']) => {
  const code = ({ object, sourceMap }: VyperCode) => ({
    object,
    sourceMap: toText(sourceMap),
    linkReferences: {},
  });
  return { bytecode: code(bytecode), deployedBytecode: code(deployedBytecode) };
};

const place = ({ file, line }: { readonly file: string; readonly line: number }) => `${file}:${line}`;

describe('the line where Vyper failed', () => {
  let anvil: Anvil;
  const folders: string[] = [];

  before(async () => {
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
    await fundSender(createNodeRpc(anvil.url));
  });
  after(async () => {
    await anvil.stop();
    await Promise.all(folders.map(removeFolder));
  });

  const word = (value: bigint) => value.toString(16).padStart(64, '0');

  /** Calls `called` with arguments of other types. */
  async function fail(
    to: Address,
    signature: string,
    args: readonly unknown[],
    called = signature,
  ): Promise<Hex> {
    const node = createNodeRpc(anvil.url);
    const item = AbiFunction.from(`function ${signature}` as never);
    const encoded = AbiFunction.encodeData(item as never, args as never);
    const selector = AbiFunction.getSelector(`function ${called}` as never);
    const data: Hex = `${selector}${encoded.slice(10)}`;
    const hash = await createSend(node)({ from: sender, to, data, gas: 2_000_000n });
    await node.call('evm_mine', []);
    return hash;
  }

  async function openProject(build: VyperBuild, layout: keyof typeof layouts) {
    const folder = await mkdtemp(join(tmpdir(), 'chainside-vyper-'));
    folders.push(folder);
    await writeFiles(folder, { ...build.sources, ...layouts[layout](build) });
    return createTracer(anvil.url, folder);
  }

  const findLine = ({ sources }: VyperBuild, name: string) => {
    for (const [file, text] of Object.entries(sources)) {
      const index = text.split('\n').findIndex((line) => line.endsWith(`# @${name}`));
      if (index >= 0) return place({ file, line: index + 1 });
    }
    return undefined;
  };

  for (const [version, build] of Object.entries(builds) as [string, VyperBuild][]) {
    describe(`of version ${version}`, () => {
      const sent: (readonly [name: string, hash: Hex])[] = [];
      let dirty: Hex;

      before(async () => {
        const code = build.evm.bytecode.object;
        const create = (value: bigint) => deploy(createNodeRpc(anvil.url), `${code}${word(value)}` as Hex);
        const { address } = await create(50n);
        sent.push(['constructor', (await create(7n)).hash]);
        dirty = await fail(address, 'far(uint256,uint256)', [2n ** 160n, 1n], 'far(address,uint256)');
        for (const [name, signature, args] of FAILURES) {
          const values = args.map((value) => (value === 'self' ? address : value));
          if (findLine(build, name)) sent.push([name, await fail(address, signature, values)]);
        }
      });

      it('is not searched for an argument out of its range', async () => {
        const trace = await openProject(build, 'foundry');
        const { failedAt } = await trace(dirty);
        assert.ok(failedAt?.why);
        assert.equal(formatMessage(failedAt.why), 'argument 1 of Failing.far is not a valid address');
        assert.ok(!failedAt.certain && failedAt.candidates.length <= 1);
      });

      for (const [turn, layout] of (Object.keys(layouts) as (keyof typeof layouts)[]).entries()) {
        it(`is a candidate, and the first with a map: ${layout}`, async () => {
          const trace = await openProject(build, layout);
          const isApe4 = layout === 'ape' && version.startsWith('0.4');
          for (const [name, hash] of byTurns(sent, 3, turn)) {
            const { failedAt } = await trace(hash);
            assert.ok(failedAt && !failedAt.certain, name);
            const candidates = failedAt.candidates.map(place);
            const truth = findLine(build, name) ?? assert.fail(name);
            // The output does not number the sources of modules.
            if (layout === 'hardhat' || isApe4 || name === 'moduleAssert')
              assert.ok(candidates.includes(truth), `${name}: ${candidates}`);
            else assert.equal(candidates[0], truth, name);
          }
        });
      }
    });
  }
});
