import { packageExtension } from './support/packages.ts';
import { runScript } from './support/script.ts';
import { runTestFiles, selectTests } from './support/testFiles.ts';
import { prepareEndToEnd } from './support/workbench/endToEnd.ts';

/** After which a test is taken for one without end, also on a machine with much other work. */
const PATIENCE_MS = 300_000;

const options = {
  host: { type: 'string', default: 'server' },
  vscode: { type: 'string', default: 'newest' },
} as const;

/**
 * `[--grep PATTERN] [--host web] [--vscode floor] [FILE…]`: with `--host web` the extension runs in a worker of the
 * page, with `--vscode floor` in the oldest VS Code.
 */
await runScript(async (resources) => {
  const { files, grep, values } = selectTests('test/e2e/**/*.test.ts', options);
  if (values.host === 'web') process.env.CHAINSIDE_EXTENSION_HOST = 'web';
  if (values.vscode === 'floor') process.env.CHAINSIDE_VSCODE = 'floor';
  await prepareEndToEnd(resources, await packageExtension(), { isShortLived: true });
  return runTestFiles({ files, grep }, PATIENCE_MS);
});
