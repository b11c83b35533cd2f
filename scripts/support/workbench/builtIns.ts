import { mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fromRoot } from '../paths.ts';
import { removeFolder } from '../script.ts';
import type { InstalledWorkbench } from './install.ts';

/** Themes, and what JSON, Markdown and notebooks need. */
const NEEDED = [
  ...['theme-defaults', 'theme-seti', 'json', 'json-language-features', 'javascript', 'typescript-basics'],
  ...['markdown-basics', 'markdown-language-features', 'notebook-renderers', 'configuration-editing'],
];

/**
 * A folder with the built-in extensions that windows of end-to-end tests have. Those of other languages, of git and of
 * accounts take a quarter of the time in which a window starts. The host tests run beside all of them.
 */
export async function linkBuiltIns(
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
