import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buildAll, loadedAtOnce, readMetafile } from '../scripts/support/build.ts';
import { packageExtension } from '../scripts/support/packages.ts';
import { atMost, type Benchmark, type Row } from './support/benchmark.ts';

/** What ships, in bytes. */
export const sizes: Benchmark = {
  name: 'sizes',
  async run() {
    const vsix = await packageExtension();
    const folder = (await buildAll()).extension;
    const extension = await readMetafile(folder, 'extension');
    const views = await readMetafile(folder, 'views');
    const filesOf = (bundle: typeof extension, entryPoint: string) =>
      loadedAtOnce(bundle, entryPoint).map((file) => join(folder, file));
    const pages = Object.values(views.outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
    return [
      {
        title: 'Size of what ships',
        how: 'Files of a production build, as they lie on the disk. Of the extension, all that VS Code loads when it starts it.',
        columns: ['', 'size'],
        rows: [
          await sizeRow('extension', filesOf(extension, 'src/extension.ts'), 120),
          ...(await Promise.all(pages.map((page) => sizeRow(`webview ${page}`, filesOf(views, page), 200)))),
          await sizeRow('VSIX', [vsix], 1536),
        ],
      },
    ];
  },
};

async function sizeRow(what: string, files: readonly string[], limitKiB: number): Promise<Row> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  const size = sizes.reduce((sum, bytes) => sum + bytes, 0);
  const kibibytes = size / 1024;
  return {
    cells: [what, `${kibibytes.toFixed(1)} KiB`],
    figures: { what, bytes: size },
    budget: atMost(kibibytes, limitKiB, 'KiB', true),
  };
}
