import { keepBusy } from './support/busy.ts';
import { runInLanes } from './support/lanes/runInLanes.ts';
import { packageExtension } from './support/packages.ts';
import { type RetriedRun, reportRetried, runWithRetry } from './support/retry.ts';
import { runScript } from './support/script.ts';
import { selectTests } from './support/testFiles.ts';

const options = {
  repeat: { type: 'string', default: '1' },
  busy: { type: 'string', default: '0' },
  lanes: { type: 'string', default: '2' },
  vsix: { type: 'string' },
  host: { type: 'string', default: 'server' },
  vscode: { type: 'string', default: 'newest' },
} as const;

/**
 * `[--grep PATTERN] [--lanes N] [--repeat N] [--busy N] [--vsix FILE] [--host web] [--vscode floor] [FILE…]`; `--busy`
 * keeps so many cores busy meanwhile; without `--vsix` the extension is packed first. With `--host web` it runs in a
 * worker of the page, with `--vscode floor` in the oldest VS Code.
 */
await runScript(async (resources) => {
  const { files, grep, values } = selectTests('test/e2e/**/*.test.ts', options);
  const [rounds = 1, busy = 0, lanes = 1] = [values.repeat, values.busy, values.lanes].map(Number);
  const start = { kind: 'e2e', vsix: values.vsix ?? (await packageExtension()), grep } as const;
  if (values.host === 'web') process.env.CHAINSIDE_EXTENSION_HOST = 'web';
  if (values.vscode === 'floor') process.env.CHAINSIDE_VSCODE = 'floor';
  keepBusy(busy, resources);
  const runs: RetriedRun[] = [];
  for (let round = 1; round <= rounds; round++) {
    const run = await runWithRetry(files, (some) => runInLanes({ start, files: some, lanes }, resources));
    runs.push(run);
    if (rounds > 1)
      console.log(`\nRound ${round} of ${rounds}: ${run.failed} failed, ${run.flaky.length} flaky`);
  }
  return reportRetried(runs);
});
