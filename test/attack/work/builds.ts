import { createTimeSlices, type IndexedContract, systemClock } from '../../../src/core/index.ts';
import { openJson } from '../../../src/core/project/readers/openJson.ts';
import { readInfoContracts } from '../../../src/core/traces/buildInfos.ts';
import { createBuildReader } from '../../../src/core/traces/readBuilds.ts';
import { below, type Chance, fill, pick } from './random.ts';
import type { Work } from './work.ts';

const MIB = 1024 * 1024;
const ARTIFACT = 'artifacts/contracts/A.sol/A.json';
const INFO = 'artifacts/build-info/1.json';

const hex = (size: number) => `0x${'60'.repeat(Math.max(1, Math.floor(size / 2)))}`;
const nameOf = (index: number) => (index === 0 ? 'contracts/A.sol' : `contracts/C${index}.sol`);

/** A syntax tree: imports of the other sources, or contracts with variables. */
function makeTree(chance: Chance, size: number, sources: number) {
  const node = pick(chance, [
    () => ({ nodeType: 'ImportDirective', absolutePath: nameOf(below(chance, sources)) }),
    (id: number) => ({ id, name: `v${id}`, nodes: [] }),
    () => ({}),
  ]);
  const nodes = fill(size, 60, node);
  return { id: 0, nodes: chance() < 0.5 ? nodes : [{ nodes }, ...nodes.slice(0, 9)] };
}

/** What a compiler was given and made, whose `size` is in one part of it. */
function makeInfo(chance: Chance, size: number): string {
  const sources = pick(chance, [1, 50, Math.max(1, Math.floor(size / 400))]);
  const [tree, content, code] = pick(chance, [
    [size, 0, 0],
    [0, size, 0],
    [0, 0, size],
    [size / 3, size / 3, size / 3],
  ]);
  const names = Array.from({ length: sources }, (_, index) => nameOf(index));
  const evm = { bytecode: { object: hex(100) }, deployedBytecode: { object: hex(100) } };
  const contract = { evm, metadata: pick(chance, ['{}', '{"sources":{}}', '']) };
  const padding = { assembly: hex(code / sources) };
  const text = pick(chance, ['contract A {}', '\\"', '\n', 'é']);
  return JSON.stringify({
    input: {
      sources: Object.fromEntries(
        names.map((name) => [name, { content: text.repeat(content / sources / text.length) }]),
      ),
      settings: {},
    },
    output: {
      sources: Object.fromEntries(
        names.map((name, id) => [name, { id, ast: makeTree(chance, tree / sources, sources) }]),
      ),
      contracts: Object.fromEntries(names.map((name) => [name, { A: { ...padding, ...contract } }])),
    },
  });
}

interface Built {
  readonly contract: IndexedContract;
  readonly files: Readonly<Record<string, string>>;
}

function makeBuilt(size: number, chance: Chance): Built {
  const info = makeInfo(chance, size);
  const isVyper = chance() < 0.2;
  const [source, artifact] = isVyper ? ['A.vy', 'out/A.json'] : ['contracts/A.sol', ARTIFACT];
  const hardhat = { _format: 'hh-sol-artifact-1', contractName: 'A', sourceName: 'contracts/A.sol' };
  return {
    contract: { name: 'A', source, artifact, project: '', abi: [], isOwn: true } as never,
    files: {
      [artifact]: chance() < 0.3 || isVyper ? info : JSON.stringify(hardhat),
      [ARTIFACT.replace('.json', '.dbg.json')]: JSON.stringify({ buildInfo: '../../build-info/1.json' }),
      [INFO]: info,
    },
  };
}

export const buildsWork: readonly Work[] = [
  {
    name: 'the build of a contract',
    most: 16 * MIB,
    seeds: 1000,
    make: makeBuilt,
    async run(made) {
      const { contract, files } = made as Built;
      const encoder = new TextEncoder();
      const reader = createBuildReader({
        list: async () => [],
        read: async (path) => (files[path] === undefined ? undefined : encoder.encode(files[path])),
      });
      const build = await reader.read(contract);
      await build?.readSourceChanges();
      await build?.nameVariables(['1', '2', '3']);
      for (const id of [0, 1, 2]) await build?.readSource(id);
      const work = { slices: createTimeSlices(systemClock) };
      for await (const _ of readInfoContracts(await openJson(files[INFO] ?? '', work), work));
    },
  },
];
