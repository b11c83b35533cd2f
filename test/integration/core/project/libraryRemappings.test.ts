import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../../../scripts/support/childProcess.ts';
import { forgeProgram, hasForge, ownEnvironment } from '../../../../scripts/support/foundry/forge.ts';
import { parseRemapping } from '../../../../src/core/project/layout.ts';
import { memoryProject } from '../../../support/memory.ts';
import { createImportFinder, nestedLibraries } from '../../../support/nestedLibraries.ts';
import { writeFiles } from '../../../support/writeFiles.ts';

const imports = ['@wye/Y.sol', '@zed/Z.sol', 'deep/D.sol', 'mine/M.sol', 'v/V.sol', 'x/X.sol', 'y/Y.sol'];

if (hasForge()) {
  describe('imports through remappings of libraries', () => {
    let folder: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'libraries-'));
      await writeFiles(folder, nestedLibraries);
    });
    after(() => rm(folder, { recursive: true, force: true }));

    it('lead where those of forge 1.7.1 lead', async () => {
      const printed = await run(forgeProgram() ?? '', ['remappings'], { cwd: folder, env: ownEnvironment() });
      const rules = printed.split('\n').flatMap((line) => parseRemapping(line) ?? []);
      const find = await createImportFinder(memoryProject(nestedLibraries));
      for (const imported of imports) {
        const [rule] = rules
          .filter(({ context, prefix }) => context === undefined && imported.startsWith(prefix))
          .sort((a, b) => b.prefix.length - a.prefix.length);
        const expected = rule && `${rule.target}/${imported.slice(rule.prefix.length)}`;
        assert.ok(expected && existsSync(join(folder, expected)), `${imported} ${expected}`);
        for (const from of ['src/A.sol', 'lib/x/src/X.sol', 'lib/w/src/W.sol'])
          assert.equal(await find(from, imported), expected, `${from} ${imported}`);
      }
    });
  });
}
