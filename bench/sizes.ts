import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { loadedAtOnce } from '../scripts/support/loadedAtOnce.ts';
import { cacheFolder, fromRoot } from '../scripts/support/paths.ts';
import { packageExtension } from '../scripts/support/vsix.ts';
import { atMost, type Benchmark, type Row } from './support/benchmark.ts';

/** What ships, in bytes. */
export const sizes: Benchmark = {
  name: 'sizes',
  async run() {
    const vsix = await packageExtension();
    const build = JSON.parse(await readFile(join(cacheFolder, 'meta', 'extension.json'), 'utf8'));
    const atOnce = loadedAtOnce(build, 'src/extension.ts').map((file) => fromRoot(file));
    const views: Parameters<typeof loadedAtOnce>[0] = JSON.parse(
      await readFile(join(cacheFolder, 'meta', 'views.json'), 'utf8'),
    );
    const pages = Object.values(views.outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
    return [
      {
        title: 'Size of what ships',
        how: 'Files of a production build, as they lie on the disk. Of the extension, all that VS Code loads when it starts it.',
        columns: ['', 'size'],
        rows: [
          await sizeRow('extension', atOnce, 120),
          ...(await Promise.all(
            pages.map((page) => {
              const files = loadedAtOnce(views, page).map((file) => fromRoot(file));
              return sizeRow(`webview ${page}`, files, 200);
            }),
          )),
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
