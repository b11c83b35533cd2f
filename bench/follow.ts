import { run } from '../scripts/support/childProcess.ts';
import { fromRoot } from '../scripts/support/paths.ts';
import { atMost, type Benchmark } from './support/benchmark.ts';
import type { FollowedMany } from './support/followMany.ts';
import { milliseconds } from './support/timings.ts';

const BYTES_A_LOG = 140;

/** An answer that is followed while the chain grows. */
export const follow: Benchmark = {
  name: 'follow',
  async run() {
    const program = fromRoot('bench', 'support', 'followMany.ts');
    const args = ['--disable-warning=ExperimentalWarning', '--expose-gc', program];
    const followed: FollowedMany = JSON.parse(await run(process.execPath, args));
    const { rows, state, blocks, requests, msABlock, bytesPerRow } = followed;
    if (state !== 'complete') throw new Error(`The followed answer is ${state}.`);
    const each = requests / blocks;
    return [
      {
        title: `Following ${blocks.toLocaleString('en')} blocks with ${rows.toLocaleString('en')} new logs`,
        how:
          'In a process of its own, which is the node as well: its JSON is made and parsed in the time of a block.\n' +
          'Memory is heap and array buffers after a collection, less what was there before following.',
        columns: ['', 'measured'],
        rows: [
          {
            cells: ['requests for logs a block', each.toFixed(2)],
            figures: { what: 'requests a block', requests: each },
            budget: atMost(each, 1, 'requests', true),
          },
          {
            cells: ['memory held for each new log', `${bytesPerRow.toFixed(0)} bytes`],
            figures: { what: 'bytes per new log', bytes: bytesPerRow },
            budget: atMost(bytesPerRow, BYTES_A_LOG, 'bytes', true),
          },
          {
            cells: ['time of a block', milliseconds(msABlock)],
            figures: { what: 'time of a block', ms: msABlock },
          },
        ],
      },
    ];
  },
};
