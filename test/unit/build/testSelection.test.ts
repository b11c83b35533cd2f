import assert from 'node:assert/strict';
import { filesFor } from '../../../scripts/support/testFiles.ts';

const all = [
  'test/unit/core/logs/logFilter.test.ts',
  'test/unit/core/values.test.ts',
  'test/unit/host/log.test.ts',
];

describe('test files on the command line', () => {
  for (const [wanted, found] of [
    ['test/unit/core/values.test.ts', [all[1]]],
    ['./test/unit/core/values.test.ts', [all[1]]],
    ['test\\unit\\core\\values.test.ts', [all[1]]],
    ['logFilter', [all[0]]],
    ['core', [all[0], all[1]]],
    ['**/log*.test.ts', [all[0], all[2]]],
  ] as const) {
    it(`are meant by ${wanted}`, () => assert.deepEqual(filesFor(wanted, all), found));
  }

  it('are missed aloud', () => {
    assert.throws(() => filesFor('ledger', all), /^Error: No test file is called ledger/);
  });
});
