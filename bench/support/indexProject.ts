import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { createDiskFiles } from '../../src/cli/projectFolder.ts';
import {
  createProjectIndexer,
  createTimeSlices,
  type ProjectIndexer,
  systemClock,
} from '../../src/core/index.ts';
import { artifactCount, artifactOf, artifactPath } from './sampleProject.ts';
import { timed } from './stats.ts';

/** What one process measured. Milliseconds and bytes. */
export interface IndexMeasures {
  readonly contracts: number;
  readonly skipped: number;
  /** All bytes of the project, read as the index reads them, and nothing else. */
  readonly floorMs: number;
  readonly indexMs: number;
  /** What the processor worked in that time, on all threads. */
  readonly processorMs: number;
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
  readonly lookupMs: number;
  readonly keepMs: number;
  readonly keptBytes: number;
  readonly heldBytes: number;
  readonly changeMs: readonly number[];
}

const CHANGES = 20;
const AT_ONCE = 8;

const [folder = '', keptPath = '', hasChanges = ''] = process.argv.slice(2);
const files = createDiskFiles(folder);
const store = {
  load: () => readFile(keptPath, 'utf8').catch(() => undefined),
  save: (text: string) => writeFile(keptPath, text),
};

/** Reads each artifact, a few at a time. */
async function readAll(): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < artifactCount) await readFile(join(folder, artifactPath(next++)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Memory outside of the heap is given back some time after what held it is gone. */
async function heldBytes(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    await setTimeout(50);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function change(indexer: ProjectIndexer, nth: number): Promise<number> {
  const contract = nth * 37;
  const path = artifactPath(contract);
  const abi = [{ type: 'event', name: `Changed${nth}`, inputs: [], anonymous: false }];
  await writeFile(join(folder, `${path}.new`), artifactOf(contract, abi));
  await rename(join(folder, `${path}.new`), join(folder, path));
  const ms = await timed(() => indexer.update([path]));
  const [found] = indexer.index.contractNamed(`Contract${contract}`);
  if (found?.abi.length !== 1) throw new Error(`The index has not seen the change of ${path}.`);
  return ms;
}

await readAll();
const floorMs = await timed(readAll);
const before = await heldBytes();
const indexer = createProjectIndexer({
  files,
  roots: [''],
  clock: systemClock,
  store: { store, version: '1' },
});
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const usage = process.cpuUsage();
const indexMs = await timed(() => indexer.update('all'));
const { user, system } = process.cpuUsage(usage);
delay.disable();
const lookupMs = await timed(async () => {
  const slices = createTimeSlices(systemClock);
  while (!indexer.index.prepare(slices.isOver)) await slices.rest();
});
const keepMs = await timed(() => indexer.save());
const held = (await heldBytes()) - before;
const changeMs: number[] = [];
for (let nth = 0; nth < (hasChanges ? CHANGES : 0); nth++) changeMs.push(await change(indexer, nth));
const measures: IndexMeasures = {
  ...{ contracts: indexer.index.contracts.length, skipped: indexer.skippedCount },
  ...{
    floorMs,
    indexMs,
    processorMs: (user + system) / 1_000,
    lookupMs,
    keepMs,
    keptBytes: (await store.load())?.length ?? 0,
    heldBytes: held,
    changeMs,
  },
  ...{ delayP99Ms: delay.percentile(99) / 1e6, delayMaxMs: delay.max / 1e6 },
};
console.log(JSON.stringify(measures));
