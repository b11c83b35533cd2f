import { runScript } from './support/script.ts';
import { findBrowser } from './support/workbench/browser.ts';
import { installWorkbench } from './support/workbench/install.ts';
import { workbenchVersions } from './support/workbench/versions.ts';

/** Installs the browser and the VS Code that tests of windows need into `.cache`, unless they are there. */
await runScript(async () => {
  await Promise.all([findBrowser(), installWorkbench(workbenchVersions.newest)]);
  return 0;
});
