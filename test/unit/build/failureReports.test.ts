import assert from 'node:assert/strict';
import { failureReports } from '../../../scripts/support/failureReports.ts';

const report = `
  a suite
    \u001b[32m✔\u001b[39m holds
    1) breaks
    2) breaks as well


  1 passing (5ms)
  2 failing

  1) a suite
       breaks:
     Error: Waited in vain.
Call log:
  - waiting for something

      at Context.<anonymous> (a.test.ts:3:1)

  2) a suite
       breaks as well:
     Error: Another
      at Context.<anonymous> (b.test.ts:3:1)
`;

describe('the failures of a run', () => {
  it('are found in each of its reports, with titles, errors and places', () => {
    const more = `\n\n\n  another suite\n    ✔ holds\n\n\n  1 passing (1ms)\n`;
    for (const end of ['', '\n\n\n1 passed, 2 failed', '\n1 passed, 2 failed\n', more]) {
      const found = failureReports(`VS Code 1.100\n${report}${more}${report}${end}`);
      assert.equal(found.length, 4);
      for (const at of [0, 2]) {
        assert.match(
          found[at] ?? '',
          /^1\) a suite\n {7}breaks:.*waiting for something\n.*a\.test\.ts:3:1\)$/s,
        );
        assert.match(found[at + 1] ?? '', /^2\) a suite\n {7}breaks as well:.*b\.test\.ts:3:1\)$/s);
      }
    }
  });

  it('say where the picture of the window is', () => {
    const shown =
      'On the screen when it failed: a suite breaks as well\n  Picture: /tmp/failed.png\n  Tabs:\n';
    const [first = '', second = ''] = failureReports(shown + report);
    assert.doesNotMatch(first, /Picture/);
    assert.match(second, /b\.test\.ts:3:1\)\n {2}Picture: \/tmp\/failed\.png$/);
  });

  it('are none where all passed', () => {
    assert.deepEqual(failureReports('  1 passing (5ms)\n\n1 passed, 0 failed\n'), []);
  });
});
