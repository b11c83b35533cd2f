import assert from 'node:assert/strict';
import { formatReadValue } from '../../../../src/core/index.ts';
import { formatTimeValue } from '../../../../src/core/reads/readValues.ts';
import { eventOf } from '../../../support/eventLogs.ts';

describe('times among values', () => {
  it('are integers with the name and the size of a time', () => {
    const time = 1_795_945_945n;
    const text = '2026-11-29T09:52:25Z (1795945945)';
    for (const name of [
      'since',
      'deadline',
      'updatedAt',
      'unlock_time',
      'startTimestamp',
      'END',
      'validUntil',
    ])
      assert.equal(formatTimeValue(name, time), text, name);
    for (const name of ['amount', 'format', 'at', 'timeout', 'sinceBlocks', 'endBlock', 'balance', ''])
      assert.equal(formatTimeValue(name, time), undefined, name);
    for (const value of [0n, 86_400n, 999_999_999n, 4_102_444_800n, 10n ** 18n])
      assert.equal(formatTimeValue('since', value), undefined, String(value));
  });

  it('are shown as times in structs, too, and as integers where names are not told', () => {
    const { type } = eventOf('event E((uint64 since, uint256 amount) member)').inputs[0] ?? assert.fail();
    const value = [1_795_945_945n, 1_795_945_945n];
    assert.equal(
      formatReadValue(type, value, { name: 'members' }),
      '{since: 2026-11-29T09:52:25Z (1795945945), amount: 1,795,945,945}',
    );
    assert.equal(formatReadValue(type, value), '{since: 1,795,945,945, amount: 1,795,945,945}');
  });
});
