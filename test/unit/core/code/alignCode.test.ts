import assert from 'node:assert/strict';
import type { TimeSlices } from '../../../../src/core/base/timeSlices.ts';
import { alignCode, TooMuchToAlign } from '../../../../src/core/code/alignCode.ts';
import { explainDifference } from '../../../../src/core/code/codeDifference.ts';
import { MAX_DIGITS } from '../../../../src/core/code/codeInstructions.ts';
import { findDifferent } from '../../../../src/core/code/differentParts.ts';
import type { ContractBuild } from '../../../../src/core/traces/readBuilds.ts';

/** Slices that are used up at once. */
function countRests(): TimeSlices & { readonly rests: number } {
  let rests = 0;
  return {
    get rests() {
      return rests;
    },
    isOver: () => true,
    async rest() {
      rests++;
    },
  };
}

/** Blocks that jump to one another, `step` blocks ahead: each jump may be to the same code as any other. */
function repeatBlocks(count: number, step: number): string {
  const place = (index: number) => (5 + 9 * (index % count)).toString(16).padStart(6, '0');
  const blocks = Array.from({ length: count }, (_, index) => `5b01020362${place(index * step + 1)}57`);
  return `62${place(0)}56${blocks.join('')}`;
}

const createBuild = (digits: string) =>
  ({
    contract: { abi: [], source: 'A.sol' },
    runtime: { digits, gaps: [], sourceMap: '' },
    ...{ isOptimized: true, isViaIr: false },
    readSource: async () => undefined,
  }) as unknown as ContractBuild;

describe('alignment of code that others send', () => {
  const [one, other] = [repeatBlocks(30, 1), repeatBlocks(30, 7)] as const;

  it('ends when its steps are spent', async () => {
    const built = { digits: one, gaps: [], end: one.length / 2 };
    await assert.rejects(
      alignCode(built, other, { entries: [], slices: countRests(), maxWork: 500 }),
      TooMuchToAlign,
    );
  });

  it('pays for what differs from the same steps', async () => {
    const built = { digits: one, gaps: [], end: one.length / 2 };
    const slices = countRests();
    const aligned = await alignCode(built, one, { entries: [], slices });
    let left = 100;
    const places = { labels: [...aligned.local.same].map((_, index) => `f${index % 9}`), ranges: [] };
    const alignment = {
      ...aligned,
      pay(steps: number) {
        left -= steps;
        if (left < 0) throw new TooMuchToAlign();
      },
    };
    await assert.rejects(
      findDifferent(alignment, places, { isOptimized: true, isViaIr: false, slices }),
      TooMuchToAlign,
    );
  });

  it('rests at each place of both codes', async () => {
    const built = { digits: one, gaps: [], end: one.length / 2 };
    const slices = countRests();
    const { local } = await alignCode(built, other, { entries: [], slices });
    assert.ok(slices.rests > 4 * local.same.length, String(slices.rests));
    const before = slices.rests;
    const labels = [...local.same].map((_, index) => `f${index % 9}`);
    const alignment = await alignCode(built, other, { entries: [], slices });
    await findDifferent(alignment, { labels, ranges: [] }, { isOptimized: false, isViaIr: false, slices });
    assert.ok(slices.rests - before > 5 * local.same.length, String(slices.rests - before));
  });

  it('ends where the signal aborts', async () => {
    const slices: TimeSlices = {
      isOver: () => true,
      rest: async (options) => options?.signal?.throwIfAborted(),
    };
    const built = { digits: one, gaps: [], end: one.length / 2 };
    const aborted = AbortSignal.abort(new Error('stopped'));
    await assert.rejects(alignCode(built, other, { entries: [], slices, signal: aborted }), /stopped/);
  });

  it('lists no functions where its steps are spent', async () => {
    let cuts = 0;
    const difference = await explainDifference(
      createBuild(one),
      { code: `0x${other}`, offset: 3 },
      { slices: countRests(), maxWork: 500, onCut: () => cuts++ },
    );
    assert.deepEqual([cuts, difference.functions, difference.isPartial], [1, [], true]);
  });

  it('lists nothing of code that is too long', async () => {
    let cuts = 0;
    const code = `0x${'63aabbccdd146200000557'}${'00'.repeat(MAX_DIGITS / 2)}` as const;
    const difference = await explainDifference(
      createBuild(one),
      { code, offset: 3 },
      { slices: countRests(), onCut: () => cuts++ },
    );
    const none = { offset: 3, functions: [], isPartial: true, onlyLocal: [], onlyDeployed: [] };
    assert.deepEqual([cuts, difference], [1, none]);
  });
});
