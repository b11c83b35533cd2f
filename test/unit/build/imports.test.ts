import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dirname } from 'node:path/posix';
import { fromRoot, projectRoot } from '../../../scripts/support/paths.ts';
import { findCycles, importsIn, readImports, type SourceImport } from '../../support/imports.ts';
import { importTable, type SourceArea } from '../../support/importTable.ts';

const imports = readImports(['src', 'localnet', 'bench', 'scripts']);

interface Part {
  readonly area: SourceArea;
  readonly instance: string | undefined;
}

function partOf(file: string): Part {
  for (const area of importTable) {
    const found = area.files.exec(file);
    if (found) return { area, instance: found[1] };
  }
  assert.fail(`${file} is in no part of the table.`);
}

/** Why an import may not be; undefined when it may. */
function refusal({ from, written, file }: SourceImport): string | undefined {
  const { area, instance } = partOf(from);
  const because = `${from} → ${written}: ${area.name} may not import`;
  if (file === undefined) {
    const named = (name: string) =>
      written === name || written.startsWith(`${name}/`) || (name === 'node:' && written.startsWith(name));
    return area.packages.some(named) ? undefined : `${because} this package.`;
  }
  const target = partOf(file);
  const sameInstance = [instance, target.instance].includes(undefined) || instance === target.instance;
  if (target.area === area && sameInstance) return undefined;
  return area.may.includes(target.area.name) && sameInstance ? undefined : `${because} ${target.area.name}.`;
}

const writtenIn = (from: string, written: string) => importsIn(`import '${written}';`, from);

describe('imports', () => {
  it('are found, those of types and those at run time too', () => {
    const text = "import type { A } from './a.ts';\nexport { b } from './b.ts';\nawait import('./c.ts');";
    assert.deepEqual(
      importsIn(text, 'src/core/x/y.ts').map(({ file }) => file),
      ['src/core/x/a.ts', 'src/core/x/b.ts', 'src/core/x/c.ts'],
    );
    assert.ok(imports.length > 1_000);
  });

  it('stay within the table', () => {
    assert.deepEqual(imports.map(refusal).filter(Boolean), []);
  });

  it('would be refused where the table has none', () => {
    const forbidden: readonly (readonly [string, string])[] = [
      ['src/features/logs/panel/x.ts', '../../../core/http/exchange.ts'],
      ['src/features/logs/panel/x.ts', '../../nfts/nftPanel.ts'],
      ['src/features/logs/register.ts', '../nfts/register.ts'],
      ['src/features/logs/panel/x.ts', '../../../webview/logs/main.tsx'],
      ['src/features/logs/panel/x.ts', 'node:fs/promises'],
      ['src/features/logs/protocol/x.ts', '../panel/logsPanel.ts'],
      ['src/webview/logs/x.ts', '../../features/logs/results/logResults.ts'],
      ['src/webview/logs/x.ts', '../../features/nfts/protocol.ts'],
      ['src/webview/kit/x.ts', '../logs/logsState.ts'],
      ['src/messaging/x.ts', '../cli/main.ts'],
      ['src/host/x.ts', '../features/logs/register.ts'],
      ['src/host/x.ts', '../core/base/errors.ts'],
      ['src/core/base/x.ts', 'vscode'],
      ['src/core/base/x.ts', 'node:fs'],
      ['src/core/base/x.ts', '../../host/log.ts'],
      ['localnet/x.ts', '../src/core/index.ts'],
    ];
    for (const [from, written] of forbidden) {
      assert.ok(writtenIn(from, written).every(refusal), `${from} → ${written}`);
    }
  });

  it('are refused by the linter as well', async () => {
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

  it('form no circle of files', () => {
    const edges = new Map<string, Set<string>>();
    for (const { from, file } of imports) {
      if (file !== undefined) edges.set(from, (edges.get(from) ?? new Set()).add(file));
    }
    assert.deepEqual(findCycles(edges), []);
  });

  it('show a circle where there is one', () => {
    const edges = new Map(Object.entries({ a: ['b'], b: ['c'], c: ['b', 'd'], d: [] }));
    const circles = findCycles(new Map([...edges].map(([node, next]) => [node, new Set(next)])));
    assert.deepEqual(circles, [['b', 'c']]);
  });
});

describe('files of the source', () => {
  it('have at most 700 lines', () => {
    const long = globSync('src/**/*.{ts,tsx,css}', { cwd: projectRoot }).filter(
      (file) => readFileSync(fromRoot(file), 'utf8').split('\n').length > 701,
    );
    assert.deepEqual(long, []);
  });
});
