import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWithSample } from './support/demo/sampleWorkspace.ts';
import { startInWorkbench } from './support/demo/startInWorkbench.ts';
import { packageExtension } from './support/packages.ts';
import { fromRoot } from './support/paths.ts';
import { prepareViews, scenes } from './support/pictureScenes.ts';
import { filmStory, storySettings } from './support/pictureStory.ts';
import { hold, removeFolder, runScript } from './support/script.ts';
import { launchBrowser } from './support/workbench/browser.ts';
import { localnetSettings } from './support/workbench/localnetSettings.ts';
import { openWorkbench } from './support/workbench/page.ts';

const pictures = fromRoot('media', 'screenshots');
const size = { width: 1160, height: 510 };
const storySize = { width: 960, height: 560 };

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

/** `[NAME…]`: takes the pictures of the README from the packaged extension on the local network; default: all. */
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
  const names = process.argv.slice(2);
  const isWanted = (name: string) => names.length === 0 || names.includes(name);
  if (isWanted('story')) {
    await server.updateSettings(storySettings(localnet));
    const storyPage = await openWorkbench(browser, server, { workspace, size: storySize });
    const path = join(pictures, 'story.png');
    await writeFile(path, await filmStory({ page: storyPage, localnet, workspace }));
    await storyPage.context().close();
    await server.updateSettings(settings);
    console.log(path);
  }
  if (!Object.keys(scenes).some(isWanted)) return 0;
  await prepareViews(stage);
  for (const [name, scene] of Object.entries(scenes)) {
    const clip = await scene(stage);
    if (!isWanted(name)) continue;
    const path = join(pictures, `${name}.png`);
    await page.screenshot({ path, animations: 'disabled', caret: 'hide', ...(clip ? { clip } : {}) });
    console.log(path);
  }
  return 0;
});
