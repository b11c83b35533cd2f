import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { run } from '../../../scripts/support/childProcess.ts';
import { removeFolder } from '../../../scripts/support/script.ts';
import { copySources } from '../../../scripts/support/copySources.ts';

describe('npm run package', function () {
  this.timeout(300_000);
  let folder: string;
  const { SOURCE_DATE_EPOCH: _, ...environment } = process.env;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chainside-reproducible-'));
  });
  after(() => removeFolder(folder));

  /** The digest of each packaged file by its name. */
  async function packageIn(root: string, env: NodeJS.ProcessEnv): Promise<Readonly<Record<string, string>>> {
    const options = { cwd: root, env: { ...environment, ...env } };
    const printed = await run(process.execPath, [join(root, 'scripts', 'package.ts')], options);
    const files = printed.trim().split('\n');
    const digests = files.map(async (file) => {
      const hash = createHash('sha256').update(await readFile(file));
      return [basename(file), hash.digest('hex')] as const;
    });
    return Object.fromEntries(await Promise.all(digests));
  }

  it('makes the same bytes in two folders, time zones, languages and with two umasks', async () => {
    const [one, other] = [join(folder, 'one'), join(folder, 'in', 'another')];
    await copySources(one, 0o644);
    const first = await packageIn(one, { TZ: 'Pacific/Auckland', LC_ALL: 'de_DE.UTF-8' });
    const umask = process.umask(0o077);
    try {
      await copySources(other, 0o600);
      const second = await packageIn(other, { TZ: 'America/Caracas', LC_ALL: 'C' });
      assert.ok('chainside.vsix' in first);
      assert.deepEqual(second, first);
    } finally {
      process.umask(umask);
    }
  });
});
