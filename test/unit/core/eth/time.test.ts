import assert from 'node:assert/strict';
import { isTimeTag } from '../../../../src/core/eth/time.ts';
import { formatIsoTime, parseLogFilter, parseTimeTag, resolveTimeTag } from '../../../../src/core/index.ts';
import { parseBlockTag } from '../../../../src/core/logs/query/filter.ts';

describe('times as people write them', () => {
  it('are UTC where no zone is given, and what the zone says elsewhere', () => {
    const written = {
      '2026-11-01': '2026-11-01T00:00:00Z',
      ' 2026-11-01T12:30 ': '2026-11-01T12:30:00Z',
      '2026-11-01 12:30:15': '2026-11-01T12:30:15Z',
      '2026-11-01T00:00Z': '2026-11-01T00:00:00Z',
      '2026-11-01t00:00z': '2026-11-01T00:00:00Z',
      '2026-11-01 00:30 UTC': '2026-11-01T00:30:00Z',
      '2026-11-01T00:30+02:00': '2026-10-31T22:30:00Z',
      '2026-11-01T00:30 -0530': '2026-11-01T06:00:00Z',
      '2026-11-01T00:30+14': '2026-10-31T10:30:00Z',
      '2024-02-29': '2024-02-29T00:00:00Z',
      '2026-11-01T00:00:00.250Z': '2026-11-01T00:00:00.250Z',
    };
    for (const [text, tag] of Object.entries(written)) assert.equal(parseTimeTag(text, 'at'), tag, text);
  });

  it('are a whole day as the bounds of a range, where there is a date alone', () => {
    assert.equal(parseBlockTag('2026-11-01', 'fromBlock'), '2026-11-01T00:00:00Z');
    assert.equal(parseBlockTag('2026-11-01', 'toBlock'), '2026-11-01T23:59:59Z');
    assert.equal(parseBlockTag('2026-11-01T00:00', 'toBlock'), '2026-11-01T00:00:00Z');
  });

  it('are so long before now with a unit, and blocks without one', () => {
    const now = Date.parse('2026-11-08T00:00:00Z');
    const ago = (text: string) => {
      const tag = parseBlockTag(text, 'toBlock');
      return isTimeTag(tag) ? formatIsoTime(resolveTimeTag(tag, now)) : tag;
    };
    assert.deepEqual(['-7d', '-1W', '-24h', '-30m', '-15s', '-0d'].map(ago), [
      '2026-11-01T00:00:00Z',
      '2026-11-01T00:00:00Z',
      '2026-11-07T00:00:00Z',
      '2026-11-07T23:30:00Z',
      '2026-11-07T23:59:45Z',
      '2026-11-08T00:00:00Z',
    ]);
    assert.equal(parseBlockTag('-1000', 'fromBlock'), 'latest-999');
    assert.equal(formatIsoTime(resolveTimeTag('-999999999w', now)), undefined);
    assert.equal(formatIsoTime(resolveTimeTag('-7d', now + 999)), '2026-11-01T00:00:00Z');
  });

  it('are refused in words where there is no such moment', () => {
    const refused = { kind: 'badInput', message: /^Not a time\. Enter 2026-11-01, .*-7d/ };
    for (const text of [
      ...['2026-02-29', '2026-13-01', '2026-00-10', '2026-11-31', '0099-01-01x', '2026-1-1', '2026-11-01T'],
      ...[
        '2026-11-01T24:00',
        '2026-11-01T12:60',
        '2026-11-01T12',
        '2026-11-01T12:30+15:00',
        '-7y',
        '-7 days',
      ],
      ...['2026-11-01T12:30 CET', '2026-11-01T12:30+02:60', `2026-11-01T12:30:00.${'1'.repeat(40)}`],
    ]) {
      assert.throws(() => parseBlockTag(text, 'fromBlock'), refused, text);
    }
    assert.throws(() => parseBlockTag('yesterday', 'fromBlock'), {
      message: /^Enter a block number, .*2026-11-01/,
    });
  });

  it('are the wrong way round where the first is surely after the last', () => {
    const reversed = [
      ['2026-11-02', '2026-11-01'],
      ['-1d', '-7d'],
      ['-1h', '-120m'],
    ];
    for (const [fromBlock, toBlock] of reversed) {
      assert.throws(() => parseLogFilter({ fromBlock, toBlock }), { kind: 'badInput', message: /is after/ });
    }
    for (const [fromBlock, toBlock] of [
      ['2026-11-01', '2026-11-01'],
      ['-7d', '2020-01-01'],
      ['-7d', 5],
      [5, '-7d'],
    ]) {
      assert.ok(parseLogFilter({ fromBlock, toBlock }));
    }
  });
});
