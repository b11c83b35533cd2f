import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { environment } from './support/environment.ts';

/** What may lie in the folder of the extension; the editor adds a manifest of its own. */
const shipped = [
  /^\.vsixmanifest$/,
  /^package(\.nls)?\.json$/,
  /^(readme|changelog)\.md$/,
  /^LICENSE\.txt$/,
  /^dist\/([\w-]+\.cjs|THIRD-PARTY-NOTICES\.txt|webview\/\w+\.(js|css))$/,
  /^media\/(icon\.png|[\w-]+\.svg|walkthrough\/[\w-]+\.(svg|md)|schemas\/[\w-]+\.schema\.json)$/,
];

describe('VSIX', () => {
  it('is at most 1.5 MiB', async () => {
    const { size } = await stat(environment().vsix);
    assert.ok(size <= 1536 * 1024, `${Math.ceil(size / 1024)} KiB`);
  });

  it('holds only what ships', async () => {
    const { installed } = environment();
    const [name = assert.fail('It is not installed.')] = (await readdir(installed)).filter((one) =>
      one.startsWith('chainside.'),
    );
    const folder = join(installed, name);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
    assert.deepEqual(
      files.filter((file) => !shipped.some((pattern) => pattern.test(file))),
      [],
    );
    assert.ok(files.includes('dist/extension.cjs'));
  });
});
