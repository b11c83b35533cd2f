import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../scripts/support/script.ts';
import { exportFile, openLogPanel } from '../e2e/support/logPanel.ts';
import { waitForText } from '../e2e/support/panel.ts';
import { assertWithinBounds } from './support/bounds.ts';
import { campaign } from './support/campaign.ts';
import { useHostileEditor } from './support/hostileEditor.ts';
import { CONTRACT } from './support/hostileServer.ts';
import { manyLogs } from './support/manyLogs.ts';

/** What stands where an export is to go, or its record; made in a folder of the attack's own. */
const places: readonly { readonly name: string; readonly make: (path: string) => Promise<unknown> }[] = [
  {
    name: 'a folder',
    make: async (path) => {
      await mkdir(path);
      await writeFile(join(path, 'mine'), 'mine');
    },
  },
  { name: 'a pipe', make: async (path) => spawnSync('mkfifo', [path]) },
  { name: 'a link that leads to itself', make: (path) => symlink(path, path) },
  { name: 'a link to a folder', make: (path) => symlink('.', path) },
  {
    name: 'a file that nobody may write',
    make: async (path) => {
      await writeFile(path, 'mine');
      await chmod(path, 0o444);
    },
  },
];

describe('exports that are aimed at what is no file', () => {
  const editor = useHostileEditor();
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chainside-attack-'));
  });
  afterEach(() => removeFolder(folder));

  for (const ending of campaign.short ? ['.meta.json'] : ['', '.meta.json']) {
    it(`leave it as it is, ${ending ? 'where the record would be' : 'where the file would be'}`, async () => {
      const { workbench, probe, server } = editor();
      const { page } = workbench;
      server.behaviour = manyLogs(5, 0);
      const panel = await openLogPanel(workbench);
      await panel.field('Address').fill(CONTRACT);
      await panel.button('Run Query').click();
      await waitForText(panel.status, /^Partial\b/);
      for (const [index, { name, make }] of places.entries()) {
        const file = join(folder, `logs${index}.csv`);
        await make(`${file}${ending}`);
        const before = await look(folder);
        const course = await probe.watch(async () => {
          await exportFile(page, file, ['CSV', 'All logs of the query']);
          // The editor's own dialog asks or refuses first what it can tell.
          const yes = page.locator('.quick-input-widget').getByRole('button', { name: /^(Yes|OK)$/ });
          const told = workbench.notification(/^.*Cannot write the file\./);
          const refused = page
            .locator('.quick-input-message')
            .filter({ hasText: /folder|not valid|already/i });
          await (ending ? told : told.or(yes).or(refused)).first().waitFor();
          await page.keyboard.press('Escape');
        });
        assert.deepEqual(await look(folder), before, name);
        await workbench.runCommand('Notifications: Clear All Notifications');
        assertWithinBounds(`export to ${name}${ending && ' in place of the record'}`, course);
      }
    });
  }
});

/** What is in a folder and in the folders in it: kind, rights, identity, and content or target. */
async function look(folder: string): Promise<readonly string[]> {
  const found = (await readdir(folder)).sort().map(async (name) => {
    const path = join(folder, name);
    const stat = await lstat(path);
    const head = `${name} ${stat.mode.toString(8)} ${stat.ino}`;
    if (stat.isDirectory()) return [head, ...(await look(path))];
    if (stat.isSymbolicLink()) return [head, await readlink(path)];
    return stat.isFile() ? [head, await readFile(path, 'utf8')] : [head];
  });
  return (await Promise.all(found)).flat();
}
