import { mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startLocalnet } from '../../../localnet/start.ts';
import { provideEnvironment } from '../../../test/e2e/support/workbench.ts';
import { fromRoot } from '../paths.ts';
import { hold, removeFolder } from '../script.ts';
import { launchBrowser } from './browser.ts';
import { type InstalledWorkbench, installWorkbench } from './install.ts';
import { installExtensions } from './server.ts';
import { workbenchVersions } from './versions.ts';

/** Makes what tests of the packaged extension in a real browser share, for as long as `resources` are held. */
export async function prepareEndToEnd(
  resources: AsyncDisposableStack,
  vsix: string,
  browserOptions: Parameters<typeof launchBrowser>[0] = {},
): Promise<void> {
  const workbench = await installWorkbench(
    workbenchVersions[process.env.CHAINSIDE_VSCODE === 'floor' ? 'floor' : 'newest'],
  );
  const [installed, builtIn, localnet, browser] = await Promise.all([
    installExtensions(workbench, [vsix], resources),
    linkBuiltIns(workbench, resources),
    hold(resources, startLocalnet(), (started) => started.stop()),
    hold(resources, launchBrowser(browserOptions), (started) => started.close()),
  ]);
  provideEnvironment({ browser, workbench, vsix, installed, builtIn, localnet });
}

/** Themes, and what JSON, Markdown and notebooks need. */
const NEEDED = [
  ...['theme-defaults', 'theme-seti', 'json', 'json-language-features', 'javascript', 'typescript-basics'],
  ...['markdown-basics', 'markdown-language-features', 'notebook-renderers', 'configuration-editing'],
];

/**
 * A folder with the built-in extensions that windows of end-to-end tests have. Those of other languages, of git and of
 * accounts take a quarter of the time in which a window starts. The host tests run beside all of them.
 */
async function linkBuiltIns(
  { serverMain }: InstalledWorkbench,
  resources: AsyncDisposableStack,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'chainside-built-in-'));
  resources.defer(() => removeFolder(folder));
  const all = join(dirname(dirname(serverMain)), 'extensions');
  for (const name of NEEDED) await symlink(join(all, name), join(folder, name), 'dir');
  await symlink(fromRoot('test/e2e/support/virtualFolders'), join(folder, 'virtualFolders'), 'dir');
  return folder;
}
