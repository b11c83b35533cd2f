import assert from 'node:assert/strict';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Metafile } from 'esbuild';
import { removeFolder } from '../../../scripts/support/script.ts';
import { thirdPartyNotices } from '../../../scripts/support/thirdPartyNotices.ts';

describe('notices of third parties', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chainside-notices-'));
    const manifest = (name: string) => JSON.stringify({ name, version: '1.2.3', license: 'MIT' });
    const files = {
      'node_modules/one/package.json': manifest('one'),
      'node_modules/one/LICENSE': 'Copyright One\n',
      'node_modules/one/node_modules/@in/two/package.json': manifest('@in/two'),
      'node_modules/one/node_modules/@in/two/licence.md': 'Copyright Two\n',
      'node_modules/one/node_modules/@in/two/NOTICE': 'Notice of Two\n',
      'node_modules/bare/package.json': manifest('bare'),
      'node_modules/bare/NOTICE': 'A notice is no licence.\n',
    };
    for (const [file, text] of Object.entries(files)) {
      await mkdir(join(folder, dirname(file)), { recursive: true });
      await writeFile(join(folder, file), text);
    }
  });
  after(() => removeFolder(folder));

  function metafile(inputs: Readonly<Record<string, number>>): Metafile {
    const left = Object.entries(inputs).map(([file, bytesInOutput]) => [file, { bytesInOutput }]);
    const output = { bytes: 1, imports: [], exports: [], inputs: Object.fromEntries(left) };
    return { inputs: {}, outputs: { 'dist/a.js': output } };
  }

  it('are those of each package of which something is left in a bundle, once', async () => {
    const notices = await thirdPartyNotices(folder, [
      metafile({ 'src/a.ts': 9, 'node_modules/one/a.js': 1, 'node_modules/one/lib/b.js': 2 }),
      metafile({ 'node_modules/one/a.js': 1, 'node_modules/one/node_modules/@in/two/c.js': 3 }),
      metafile({ 'node_modules/bare/a.js': 0 }),
    ]);
    assert.deepEqual(notices.match(/^\S+ 1\.2\.3 \(MIT\)$/gm), ['one 1.2.3 (MIT)', '@in/two 1.2.3 (MIT)']);
    assert.equal(notices.match(/Copyright One/g)?.length, 1);
    assert.match(notices, /Notice of Two\n\nCopyright Two|Copyright Two\n\nNotice of Two/);
  });

  it('end the build where a package brings no text of its licence', async () => {
    await assert.rejects(
      thirdPartyNotices(folder, [metafile({ 'node_modules/bare/a.js': 1 })]),
      /node_modules.bare/,
    );
    await assert.rejects(thirdPartyNotices(folder, [metafile({ 'node_modules/gone/a.js': 1 })]));
  });
});
