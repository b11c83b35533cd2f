import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { fromRoot } from '../../../scripts/support/paths.ts';
import { removeFolder } from '../../../scripts/support/script.ts';

const ships = [
  ...['LICENSE', 'README.md', 'CHANGELOG.md', 'package.json', 'package.nls.json'],
  ...['dist/extension.cjs', 'dist/THIRD-PARTY-NOTICES.txt', 'dist/webview/logs.js', 'dist/webview/logs.css'],
  ...[
    'media/icon.png',
    'media/activity-bar.svg',
    'media/walkthrough/key.svg',
    'media/schemas/labels.schema.json',
  ],
];

/** What lies about in a working copy, with what may be secret. */
const stays = [
  ...['.env', '.npmrc', '.git/config', '.github/workflows/ci.yml', '.vscode/settings.json', '.cache/key.txt'],
  ...[
    'id_rsa',
    'key.pem',
    'old.vsix',
    'package-lock.json',
    'SECURITY.md',
    'src/extension.ts',
    'test/fixtures/a.pem',
  ],
  ...['dist/.env', 'dist/extension.cjs.map', 'dist/key.pem', 'dist/meta.json', 'dist/webview/logs.js.map'],
  ...[
    'dist/webview/.env',
    'media/.env',
    'media/notes.txt',
    'media/walkthrough/.env',
    'media/walkthrough/key.txt',
  ],
  ...['l10n/.env', 'node_modules/zod/index.js', 'dist/sub/extension.cjs'],
];

describe('package', () => {
  it('leaves out whatever else lies in the folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chainside-package-'));
    try {
      for (const file of [...ships, ...stays]) {
        await mkdir(join(folder, dirname(file)), { recursive: true });
        await writeFile(join(folder, file), '');
      }
      for (const file of ['package.json', '.vscodeignore']) await cp(fromRoot(file), join(folder, file));
      const files = await listFiles({ cwd: folder, packageManager: PackageManager.None });
      assert.deepEqual([...files].sort(), [...ships].sort());
    } finally {
      await removeFolder(folder);
    }
  });
});
