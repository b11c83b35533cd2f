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
  let parquet: Metafile;
  let views: readonly Metafile[];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chainside-build-'));
    const out = ['--outdir', join(folder, 'dist'), '--metadir', join(folder, 'meta')];
    await run(process.execPath, [fromRoot('esbuild.mjs'), '--production', ...out]);
    [extension, parquet, ...views] = await Promise.all([
      readMetafile('extension'),
      readMetafile('parquet'),
      readMetafile('logsView'),
      readMetafile('nftsView'),
    ]);
  });
  after(() => removeFolder(folder));

  async function readMetafile(name: string): Promise<Metafile> {
    return JSON.parse(await readFile(join(folder, 'meta', `${name}.json`), 'utf8'));
  }

  it('leave the extension host nothing to load but VS Code itself and what they bring', () => {
    assert.deepEqual(imports(extension), ['./parquet.cjs', 'node:fs/promises', 'vscode']);
    assert.deepEqual(imports(parquet), []);
  });

  it('let one file alone reach for Node, to write an export to disk as it comes', () => {
    const reaching = Object.entries(extension.inputs).filter(([, input]) =>
      input.imports.some(({ path }) => path.startsWith('node:')),
    );
    assert.deepEqual(
      reaching.map(([file]) => file),
      ['src/host/fileSink.ts'],
    );
  });

  it('leave the HTTP engine to the editor', () => {
    assert.ok(!packages(Object.keys(extension.inputs)).includes('undici'));
  });

  it('bring only the packages that are meant to ship', () => {
    assert.deepEqual(packages(shipped(extension)), ['@noble/hashes', 'ox', 'zod']);
    const [logsView, nftsView] = views.map((view) => packages(shipped(view)));
    const drawing = ['@preact/signals', '@preact/signals-core', 'preact'];
    assert.deepEqual(logsView, ['@noble/hashes', 'ox', 'zod', ...drawing].sort());
    assert.deepEqual(nftsView, ['zod', ...drawing].sort());
  });

  it('stay within their size', () => {
    assert.ok(kibibytes(extension) <= 250, `extension: ${kibibytes(extension)} KiB`);
    assert.ok(kibibytes(parquet) <= 64, `parquet: ${kibibytes(parquet)} KiB`);
    for (const view of views)
      assert.ok(kibibytes(view) <= 200, `${Object.keys(view.outputs)}: ${kibibytes(view)} KiB`);
  });
});

/** Files of which something is left after what is never used has been dropped. */
function shipped({ outputs }: Metafile): readonly string[] {
  const files = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs));
  return files.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file);
}

/** What the bundle loads when it runs. */
function imports({ outputs }: Metafile): readonly string[] {
  const paths = Object.values(outputs).flatMap((output) => output.imports.map(({ path }) => path));
  return [...new Set(paths)].sort();
}

function packages(files: readonly string[]): readonly string[] {
  const names = files.map((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]);
  return [...new Set(names)].filter((name) => name !== undefined).sort();
}

function kibibytes({ outputs }: Metafile): number {
  const scripts = Object.entries(outputs).filter(([file]) => /\.c?js$/.test(file));
  return Math.ceil(scripts.reduce((sum, [, { bytes }]) => sum + bytes, 0) / 1024);
}
