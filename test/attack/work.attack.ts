import assert from 'node:assert/strict';
import { createRandom } from '../../localnet/chain/random.ts';
import { AppError } from '../../src/core/index.ts';
import { campaign } from './support/campaign.ts';
import { type Strain, watchStrain } from './support/strain.ts';
import { answersWork } from './work/answers.ts';
import { buildsWork } from './work/builds.ts';
import { definitionsWork } from './work/definitions.ts';
import { doorsWork } from './work/doors.ts';
import { editorWork } from './work/editor.ts';
import { filtersWork } from './work/filters.ts';
import { placesWork } from './work/places.ts';
import { projectsWork } from './work/projects.ts';
import { sourcesWork } from './work/sources.ts';
import { statesWork } from './work/states.ts';
import { textsWork } from './work/texts.ts';
import { tracesWork } from './work/traces.ts';
import type { Work } from './work/work.ts';

const all: readonly Work[] = [
  ...answersWork,
  ...buildsWork,
  ...definitionsWork,
  ...doorsWork,
  ...editorWork,
  ...filtersWork,
  ...placesWork,
  ...projectsWork,
  ...sourcesWork,
  ...statesWork,
  ...textsWork,
  ...tracesWork,
];

const SMALLEST = 1024;
/** Inputs of many seeds are this large at most. */
const LARGEST_OF_SEEDS = 64 * 1024;
const SEEDS = campaign.short ? 50 : 5000;
const TRIES_OF_A_SIZE = campaign.short ? 1 : 5;

/** Memory of an input of N bytes: `perByte` × N + `bytes`. What is collected late counts, too. */
const memory = { perByte: 24, bytes: 64 * 1024 * 1024 };
const LONGEST_MS = campaign.short ? Number.POSITIVE_INFINITY : 150;

/** The most of all cases, for the report. */
interface Most extends Strain {
  readonly size: number;
}

describe('what others send takes work and memory in proportion to its size', () => {
  const watch = watchStrain();

  async function measure({ make, run }: Work, size: number, seed: number): Promise<Strain> {
    const random = createRandom(seed);
    const input = make(size, () => random.below(2 ** 32) / 2 ** 32);
    await rest();
    watch.reset();
    try {
      await run(input);
    } catch (error) {
      assert.ok(error instanceof AppError, `seed ${seed}, ${size} bytes: ${String(error)}`);
      assert.notEqual(error.kind, 'internal', `seed ${seed}, ${size} bytes: ${error.stack}`);
    }
    return watch.read();
  }

  async function assertBounded(work: Work, size: number, seed: number): Promise<Most> {
    let strain = await measure(work, size, seed);
    const isWithin = () =>
      strain.longestBlockMs <= LONGEST_MS &&
      strain.grownMiB * 1024 * 1024 <= memory.bytes + memory.perByte * size;
    // Once more where the collection of garbage was in the way.
    for (let more = 0; more < 2 && !isWithin(); more++) strain = await measure(work, size, seed);
    assert.ok(isWithin(), `seed ${seed}, ${size} bytes: ${strain.longestBlockMs} ms, ${strain.grownMiB} MiB`);
    return { ...strain, size };
  }

  for (const work of all) {
    it(`of any size: ${work.name}`, async () => {
      const measured: Most[] = [];
      for (let size = SMALLEST; size < work.most * 2; size *= 2)
        for (let seed = campaign.seed; seed < campaign.seed + TRIES_OF_A_SIZE; seed++)
          measured.push(await assertBounded(work, Math.min(size, work.most), seed));
      report(work, measured);
    });

    const seeds = Math.min(SEEDS, work.seeds ?? SEEDS);
    it(`of ${seeds} seeds: ${work.name}`, async () => {
      const measured: Most[] = [];
      for (let seed = campaign.seed; seed < campaign.seed + seeds; seed++) {
        const doublings = Math.log2(Math.min(work.most, LARGEST_OF_SEEDS) / SMALLEST);
        const size = Math.round(SMALLEST * 2 ** (createRandom(~seed).below(1000 * doublings) / 1000));
        measured.push(await assertBounded(work, size, seed));
      }
      report(work, measured);
    });
  }
});

function report({ name }: Work, measured: readonly Most[]): void {
  const most = (figure: keyof Strain) =>
    measured.reduce((a, b) => (b[figure] > a[figure] ? b : a), measured[0] ?? assert.fail());
  const [block, memoryOf] = [most('longestBlockMs'), most('grownMiB')];
  console.log(
    `      ${name}: ${measured.length} cases; longest piece ${block.longestBlockMs} ms (${block.size} bytes), ` +
      `memory ${memoryOf.grownMiB} MiB (${memoryOf.size} bytes)`,
  );
}

const rest = () => new Promise((resolve) => setImmediate(resolve));
