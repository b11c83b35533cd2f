import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
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

describe('unit tests', () => {
  const starters = ['node:child_process', 'solc', 'typescript/unstable/sync', 'localnet/chain/anvil.ts'];

  it('reach nothing that starts a process, a chain or a compiler: those are integration tests', () => {
    const edges = new Map<string, SourceImport[]>();
    for (const found of readImports(['test', 'localnet', 'scripts'])) {
      if (!found.isType) edges.set(found.from, [...(edges.get(found.from) ?? []), found]);
    }
    const reached = (start: string): readonly string[] => {
      const files = new Set([start]);
      for (const file of files)
        for (const { file: next, written } of edges.get(file) ?? []) files.add(next ?? written);
      return starters.filter((starter) => files.has(starter));
    };
    const found = [...edges.keys()]
      .filter((file) => file.startsWith('test/unit/'))
      .flatMap((file) => reached(file).map((starter) => `${file} reaches ${starter}`));
    assert.deepEqual(found, []);
    assert.deepEqual(
      reached('test/integration/localnet/start.test.ts').includes('localnet/chain/anvil.ts'),
      true,
    );
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
