import assert from 'node:assert/strict';
import { failureReports } from '../../../scripts/support/failureReports.ts';

const report = `
  a suite
    \u001b[32m✔\u001b[39m holds
    1) breaks


  1 passing (5ms)
  1 failing

  1) a suite
       breaks:

      AssertionError: two
lines
      + expected - actual
      at Context.<anonymous> (a.test.ts:3:1)

`;

describe('the failures of a run', () => {
  it('are found in each of its reports, with title, error and place', () => {
    const output = `VS Code 1.100\n${report}1 passed, 1 failed\n\n  another suite\n    ✔ holds\n\n\n  1 passing (1ms)\n${report}`;
    const found = failureReports(output);
    assert.equal(found.length, 2);
    for (const each of found) {
      assert.match(each, /^1\) a suite\n {7}breaks:/);
      assert.match(each, /AssertionError: two\nlines\n.*a\.test\.ts:3:1\)$/s);
    }
  });

  it('are none where all passed', () => {
    assert.deepEqual(failureReports('  1 passing (5ms)\n\n1 passed, 0 failed\n'), []);
  });
});
