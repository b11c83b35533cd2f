import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../scripts/support/childProcess.ts';
import { cacheFolder, fromRoot } from '../scripts/support/paths.ts';
import { hold, removeFolder } from '../scripts/support/script.ts';
import { atMost, type Benchmark, type Budget, type Row } from './support/benchmark.ts';
import type { IndexMeasures } from './support/indexProject.ts';
import { artifactCount, writeSampleProject } from './support/sampleProject.ts';
import { sampleOf } from './support/stats.ts';
import { milliseconds } from './support/timings.ts';

const MIB = 1024 * 1024;

/** The index over a project with 5,000 artifacts on disk. */
export const projectIndex: Benchmark = {
  name: 'index',
  isSlow: true,
  async run(resources) {
    const folder = await hold(resources, mkdtemp(join(cacheFolder, 'bench-index-')), removeFolder);
    const project = join(folder, 'project');
    const bytes = await writeSampleProject(project);
    const first = await measure(project, join(folder, 'kept'), ['changes']);
    const second = await measure(project, join(folder, 'kept'), []);
    for (const { contracts, skipped } of [first, second]) {
      if (contracts !== artifactCount || skipped > 0)
        throw new Error(`${contracts} contracts, ${skipped} skipped.`);
    }
    const changes = sampleOf(first.changeMs);
    const floor = { what: 'reading the artifacts', ms: first.floorMs };
    return [
      {
        title: `Index of ${artifactCount.toLocaleString('en')} artifacts and 1,000 sources`,
        how:
          `${Math.round(bytes / MIB)} MiB, as forge writes them with \`ast = true\`: 60 to 360 KB, bytecode, metadata and\n` +
          'syntax tree in each. In a process of its own, from files that the system has in memory.',
        columns: ['', 'measured', 'against', 'its time', 'ratio'],
        rows: [
          timeRow('first index', first.indexMs, { floor, budget: atMost(first.indexMs, 8_000, 'ms', false) }),
          timeRow('of which time of processors', first.processorMs, {}),
          timeRow('event loop delay in it, p99', first.delayP99Ms, {
            budget: atMost(first.delayP99Ms, 25, 'ms', false),
          }),
          timeRow('event loop delay in it, longest', first.delayMaxMs, {}),
          timeRow('hashes of all items, after it', first.lookupMs, {}),
          timeRow('keeping what was read', first.keepMs, {}),
          timeRow('index at the second start', second.indexMs, {
            floor,
            budget: atMost(second.indexMs, 1_000, 'ms', false),
          }),
          timeRow('of which time of processors', second.processorMs, {}),
          timeRow('event loop delay in it, p99', second.delayP99Ms, {
            budget: atMost(second.delayP99Ms, 25, 'ms', false),
          }),
          timeRow('one artifact changed, p50', changes.p50, { budget: atMost(changes.p50, 50, 'ms', false) }),
          sizeRow('memory held', first.heldBytes, atMost(first.heldBytes / MIB, 60, 'MiB', true)),
          sizeRow('kept on disk', first.keptBytes),
        ],
      },
    ];
  },
};

async function measure(project: string, kept: string, more: readonly string[]): Promise<IndexMeasures> {
  const program = fromRoot('bench', 'support', 'indexProject.ts');
  const args = ['--expose-gc', '--disable-warning=ExperimentalWarning', program, project, kept, ...more];
  return JSON.parse(await run(process.execPath, args));
}

interface TimeRowOptions {
  readonly floor?: { readonly what: string; readonly ms: number };
  readonly budget?: Budget;
}

function timeRow(what: string, ms: number, { floor, budget }: TimeRowOptions): Row {
  const ratio = floor && ms / floor.ms;
  return {
    cells: [
      ...[what, milliseconds(ms), floor?.what ?? '', floor ? milliseconds(floor.ms) : ''],
      ratio === undefined ? '' : `${ratio.toFixed(2)}×`,
    ],
    figures: {
      what,
      ms,
      ...(floor && { against: floor.what, againstMs: floor.ms }),
      ...(ratio && { ratio }),
    },
    ...(budget && { budget }),
  };
}

function sizeRow(what: string, bytes: number, budget?: Budget): Row {
  return {
    cells: [what, `${(bytes / MIB).toFixed(1)} MiB`, '', '', ''],
    figures: { what, bytes },
    ...(budget && { budget }),
  };
}
