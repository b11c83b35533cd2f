import assert from 'node:assert/strict';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { run } from '../../../scripts/support/childProcess.ts';
import { fromRoot } from '../../../scripts/support/paths.ts';
import { removeFolder } from '../../../scripts/support/script.ts';

describe('bundles', function () {
  this.timeout(60_000);
  let folder: string;
  let extension: Metafile;
  let webview: Metafile;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chainside-build-'));
    const out = ['--outdir', join(folder, 'dist'), '--metadir', join(folder, 'meta')];
    await run(process.execPath, [fromRoot('esbuild.mjs'), '--production', ...out]);
    [extension, webview] = await Promise.all([readMetafile('extension'), readMetafile('webview')]);
  });
  after(() => removeFolder(folder));

  async function readMetafile(name: string): Promise<Metafile> {
    return JSON.parse(await readFile(join(folder, 'meta', `${name}.json`), 'utf8'));
  }

  it('leave the extension host nothing to load but VS Code itself', () => {
    const imports = Object.values(extension.outputs).flatMap((output) => output.imports);
    assert.deepEqual([...new Set(imports.map(({ path }) => path))], ['vscode']);
  });

  it('leave the HTTP engine to the editor', () => {
    assert.ok(!packages(Object.keys(extension.inputs)).includes('undici'));
  });

  it('bring only the packages that are meant to ship', () => {
    assert.deepEqual(packages(shipped(extension)), ['@noble/hashes', 'ox', 'zod']);
    assert.deepEqual(packages(shipped(webview)), [
      '@noble/hashes',
      '@preact/signals',
      '@preact/signals-core',
      'ox',
      'preact',
      'zod',
    ]);
  });

  it('stay within their size', () => {
    assert.ok(kibibytes(extension) <= 250, `extension: ${kibibytes(extension)} KiB`);
    assert.ok(kibibytes(webview) <= 200, `webview: ${kibibytes(webview)} KiB`);
  });
});

/** Files of which something is left after what is never used has been dropped. */
function shipped({ outputs }: Metafile): readonly string[] {
  const files = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs));
  return files.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file);
}

function packages(files: readonly string[]): readonly string[] {
  const names = files.map((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]);
  return [...new Set(names)].filter((name) => name !== undefined).sort();
}

function kibibytes({ outputs }: Metafile): number {
  const scripts = Object.entries(outputs).filter(([file]) => /\.c?js$/.test(file));
  return Math.ceil(scripts.reduce((sum, [, { bytes }]) => sum + bytes, 0) / 1024);
}
