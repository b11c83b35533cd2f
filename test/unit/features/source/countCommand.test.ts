import assert from 'node:assert/strict';
import { formatCount, formatCountDetails } from '../../../../src/features/source/countCommand.ts';
import type { EventCount } from '../../../../src/features/source/countEvents.ts';

const counted: EventCount = {
  ...{ count: 7, isWhole: true, fromBlock: 5n, toBlock: 90n, reasons: [], last: undefined },
  ...{ addresses: [`0x${'11'.repeat(20)}`], deployments: 1 },
};
const reasons = [{ code: 'prunedLogs', block: 3n }] as const;

describe('count of an event', () => {
  it('is as certain as the logs that it counts', () => {
    for (const [over, said, detail] of [
      [{}, '7 logs', 'On Test: complete, blocks 5 to 90'],
      [{ count: 0 }, 'No logs', 'On Test: complete, blocks 5 to 90'],
      [{ reasons }, '7 or more logs, uncertain', 'On Test: may be incomplete, blocks 5 to 90'],
      [{ isWhole: false }, '7 or more logs', 'On Test: blocks 5 to 90; earlier blocks are not counted'],
      [
        { isWhole: false, reasons },
        '7 or more logs, uncertain',
        'On Test: blocks 5 to 90; earlier blocks are not counted',
      ],
      [
        { count: 0, isWhole: false },
        'No logs, uncertain',
        'On Test: blocks 5 to 90; earlier blocks are not counted',
      ],
    ] as const) {
      const one = { ...counted, ...over };
      assert.equal(formatCount(one), said);
      assert.equal(formatCountDetails(one, 'Test')[0], detail);
    }
  });
});
