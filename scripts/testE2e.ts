import type { TestCounts } from '../test/support/runMocha.ts';
import { keepBusy } from './support/busy.ts';
import { runInLanes } from './support/lanes/runInLanes.ts';
import { runScript } from './support/script.ts';
import { report, selectTests } from './support/testFiles.ts';
import { builtExtension } from './support/vsix.ts';

const options = {
  repeat: { type: 'string', default: '1' },
  busy: { type: 'string', default: '0' },
  lanes: { type: 'string', default: '2' },
} as const;

/** `[--grep PATTERN] [--lanes N] [--repeat N] [--busy N] [FILE…]`; `--busy` keeps so many cores busy meanwhile. */
await runScript(async (resources) => {
  const { files, grep, values } = selectTests('test/e2e/**/*.test.ts', options);
  const [rounds = 1, busy = 0, lanes = 1] = [values.repeat, values.busy, values.lanes].map(Number);
  const start = { kind: 'e2e', vsix: await builtExtension(), grep } as const;
  keepBusy(busy, resources);
  let sum: TestCounts = { passed: 0, failed: 0 };
  for (let round = 1; round <= rounds; round++) {
    const counts = await runInLanes({ start, files, lanes }, resources);
    sum = { passed: sum.passed + counts.passed, failed: sum.failed + counts.failed };
    if (rounds > 1)
      console.log(`\nRound ${round} of ${rounds}: ${counts.failed} failed, ${sum.failed} so far`);
  }
  return report(sum);
});
