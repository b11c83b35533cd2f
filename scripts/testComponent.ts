import { join } from 'node:path';
import { startLocalnet } from '../localnet/start.ts';
import { provideEnvironment } from '../test/component/support/environment.ts';
import { run } from './support/childProcess.ts';
import { cacheFolder, fromRoot } from './support/paths.ts';
import { hold, runScript } from './support/script.ts';
import { runTestFiles, selectTests } from './support/testFiles.ts';
import { launchBrowser } from './support/workbench/browser.ts';

/** After which a test is taken for one without end, also on a machine with much other work. */
const PATIENCE_MS = 120_000;

/** `[--grep PATTERN] [FILE…]` */
await runScript(async (resources) => {
  const selection = selectTests('test/component/**/*.test.ts');
  const extension = join(cacheFolder, 'component');
  const folders = ['--outdir', join(extension, 'dist'), '--metadir', join(extension, 'meta')];
  await run(process.execPath, [fromRoot('esbuild.mjs'), '--production', ...folders]);
  const [localnet, browser] = await Promise.all([
    hold(resources, startLocalnet(), (started) => started.stop()),
    hold(resources, launchBrowser(), (started) => started.close()),
  ]);
  provideEnvironment({ browser, extension, localnet });
  return runTestFiles(selection, PATIENCE_MS);
});
