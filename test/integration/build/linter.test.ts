import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dirname } from 'node:path/posix';
import { fromRoot } from '../../../scripts/support/paths.ts';

describe('imports outside of the table', () => {
  it('are refused by the linter', async () => {
    const samples: readonly (readonly [string, readonly string[]])[] = [
      [
        'src/features/logs/panel/x.ts',
        [
          '../../../core/http/exchange.ts',
          '../../nfts/nftPanel.ts',
          '../../../webview/logs/main.tsx',
          'node:fs',
          'node:fs/promises',
          'undici',
        ],
      ],
      [
        'src/features/logs/register.ts',
        ['../nfts/register.ts', '../later/words/x.ts', '../../core/base/errors.ts'],
      ],
      ['src/features/later/words/x.ts', ['../../logs/panel/queryTitle.ts', '../../../api/publicApi.ts']],
      ['src/webview/logs/x.ts', ['../../features/logs/results/logResults.ts', '../../core/base/errors.ts']],
      ['src/messaging/x.ts', ['../cli/main.ts', '../manifest.ts']],
      ['src/host/x.ts', ['../core/base/errors.ts', '../features/logs/register.ts', 'node:fs/promises']],
      ['src/core/base/x.ts', ['vscode', 'node:fs/promises', '../../host/log.ts', '../../manifest.ts']],
    ];
    const folder = await mkdtemp(join(tmpdir(), 'chainside-imports-'));
    try {
      await cp(fromRoot('biome.json'), join(folder, 'biome.json'));
      for (const [file, forbidden] of samples) {
        await mkdir(join(folder, dirname(file)), { recursive: true });
        const text = forbidden.map((name, index) => `import * as n${index} from '${name}';\n`).join('');
        await writeFile(join(folder, file), text);
      }
      const biome = fromRoot('node_modules/@biomejs/biome/bin/biome');
      const only = '--only=style/noRestrictedImports';
      const args = [biome, 'lint', only, '--vcs-enabled=false', '--reporter=json', '.'];
      const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
      for (const [file, forbidden] of samples) {
        const refused = JSON.parse(stdout).diagnostics.filter(
          ({ location }: { location: { path: string } }) => location.path.endsWith(file),
        );
        assert.equal(refused.length, forbidden.length, `${file}: ${stdout}`);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
