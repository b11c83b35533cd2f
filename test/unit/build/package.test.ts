import assert from 'node:assert/strict';
import { listFiles, PackageManager } from '@vscode/vsce';
import { projectRoot } from '../../../scripts/support/paths.ts';

const shipped = [
  /^package(\.nls)?\.json$/,
  /^(README|CHANGELOG)\.md$/,
  /^LICENSE$/,
  /^dist\/([\w-]+\.cjs|webview\/\w+\.(js|css))$/,
  /^media\/(icon\.png|[\w-]+\.svg|walkthrough\/[\w-]+\.(svg|md))$/,
];

describe('package', () => {
  it('holds only what ships', async function () {
    this.timeout(60_000);
    const files = await listFiles({ cwd: projectRoot, packageManager: PackageManager.None });
    assert.deepEqual(
      files.filter((file) => !shipped.some((pattern) => pattern.test(file))),
      [],
    );
    assert.ok(files.includes('package.json'));
  });
});
