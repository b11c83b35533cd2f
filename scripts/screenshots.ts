import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWithSample } from './support/demo/sampleWorkspace.ts';
import { startInWorkbench } from './support/demo/startInWorkbench.ts';
import { packageExtension } from './support/packages.ts';
import { fromRoot } from './support/paths.ts';
import { prepareViews, scenes } from './support/pictureScenes.ts';
import { hold, removeFolder, runScript } from './support/script.ts';
import { launchBrowser } from './support/workbench/browser.ts';
import { localnetSettings } from './support/workbench/localnetSettings.ts';
import { openWorkbench } from './support/workbench/page.ts';

const pictures = fromRoot('media', 'screenshots');
const size = { width: 1160, height: 510 };

/** Settings for the eye of a reader: nothing beside Chainside that moves, asks or distracts. */
const look = {
  'workbench.colorTheme': 'Dark 2026',
  'editor.minimap.enabled': false,
  'editor.fontSize': 13,
  'editor.stickyScroll.enabled': false,
  'window.commandCenter': false,
  'workbench.layoutControl.enabled': false,
  'breadcrumbs.enabled': false,
  'remote.autoForwardPorts': false,
  'chainside.poll.seconds': 2,
  'chainside.sources.tokens': 'autoWithHovers',
};

/** Takes the pictures of the README from the packaged extension on the local network. */
await runScript(async (resources) => {
  const folder = await hold(resources, mkdtemp(join(tmpdir(), 'chainside-pictures-')), removeFolder);
  const workspace = join(folder, 'rewards');
  const [localnet, vsix] = await Promise.all([
    hold(resources, startWithSample(workspace), (started) => started.stop()),
    packageExtension(),
  ]);
  const settings = { ...localnetSettings(localnet), ...look };
  const server = await startInWorkbench(resources, { vsix, workspace, settings });
  const browser = await hold(resources, launchBrowser(), (started) => started.close());
  const page = await openWorkbench(browser, server, { workspace, size });
  const stage = { page, localnet };

  await mkdir(pictures, { recursive: true });
  await prepareViews(stage);
  for (const [name, scene] of Object.entries(scenes)) {
    const clip = await scene(stage);
    const path = join(pictures, `${name}.png`);
    await page.screenshot({ path, animations: 'disabled', caret: 'hide', ...(clip ? { clip } : {}) });
    console.log(path);
  }
});
