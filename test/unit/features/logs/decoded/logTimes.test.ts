import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { formatLocalTime } from '../../../../../src/core/index.ts';
import { PanelTimes } from '../../../../../src/features/logs/panel/panelRows.ts';
import { anyNetwork, bareLog } from '../../../../support/stubs.ts';

const logOf = (block: number) => bareLog({ blockNumber: BigInt(block) });

describe('times of log rows', () => {
  /** Times of rows of an endpoint that tells them, or nothing; and the blocks that it was asked for. */
  function timesOf(tells: boolean) {
    const asked: bigint[] = [];
    const client = {
      async fetchBlockTimes(blocks: readonly bigint[]) {
        asked.push(...blocks);
        return tells ? new Map(blocks.map((block) => [block, { time: Number(block) * 1000 }])) : undefined;
      },
    };
    const endpoint = { network: anyNetwork(5), client } as never;
    return { times: new PanelTimes({ endpoint: () => endpoint, onDidChange: () => undefined }), asked };
  }
  const rows = Array.from({ length: 60 }, (_, block) => logOf(block));

  it('are those that rows have themselves, and for others asked for once', async () => {
    const { times, asked } = timesOf(true);
    const own = { ...logOf(900), time: 5000 };
    times.prefetch([...rows, own]);
    for (let turns = 0; turns < 1000 && times.timeOf(logOf(59)) === undefined; turns++) await turn();
    assert.deepEqual(
      [times.timeOf(logOf(7)), times.timeOf(own), times.timeOf(logOf(900))],
      [7000, 5000, undefined],
    );
    times.prefetch(rows.slice(10, 40));
    assert.deepEqual([asked.length, times.state, times.canRead], [60, 'asked', true]);
    times.dispose();
  });

  it('are told in the time zone of the machine, to the second, and in UTC in the tooltip', () => {
    const { text, hint } = timesOf(true).times.format(1_767_323_045_000);
    assert.deepEqual([text, hint], [formatLocalTime(1_767_323_045_000), '2026-01-02T03:04:05Z']);
  });

  it('that nothing tells are not asked for again', async () => {
    const { times, asked } = timesOf(false);
    times.prefetch([logOf(1)]);
    for (let turns = 0; turns < 1000 && times.state !== 'notTold'; turns++) await turn();
    times.prefetch([logOf(3)]);
    assert.deepEqual([times.canRead, asked], [false, [1n]]);
    times.dispose();
  });
});
