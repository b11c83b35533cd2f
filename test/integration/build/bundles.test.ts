import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import type { Metafile } from 'esbuild';
import { type Build, buildAll, loadedAtOnce, readMetafile } from '../../../scripts/support/build.ts';
import { packageExtension } from '../../../scripts/support/packages.ts';

/** Of packages that are not under MIT. */
const licences: Readonly<Record<string, string>> = {
  'smol-toml': 'BSD-3-Clause',
  '@modelcontextprotocol/core': 'Apache-2.0',
  '@modelcontextprotocol/server': 'Apache-2.0',
};

/** What else may lie beside them in the package. */
const beside = [
  /^package(\.nls(\.[\w-]+)?)?\.json$/,
  /^l10n\/bundle\.l10n\.[\w-]+\.json$/,
  /^(README|CHANGELOG)\.md$/,
  /^LICENSE$/,
  /^media\/(icon\.png|[\w-]+\.svg|walkthrough\/[\w-]+\.(svg|md)|schemas\/[\w-]+\.schema\.json|syntaxes\/[\w-]+\.tmLanguage\.json)$/,
];
const ofBundles = /^dist\/([\w-]+\.cjs|THIRD-PARTY-NOTICES\.txt|webview\/[\w.-]+\.(js|css))$/;

/** What draws the chart of a log panel, which its page loads late. */
const LAZY_CHART = 'src/webview/logs/plot.lazy.ts';

describe('bundles', () => {
  let build: Build;
  let extension: Metafile;
  let mcp: Metafile;
  /** The program of the npm package. */
  let cli: Metafile;
  /** The pages, and the renderer of notebook outputs. */
  let views: Metafile;
  /** What each of them loads when it opens, by its name. */
  let pages: ReadonlyMap<string, readonly string[]>;

  before(async () => {
    build = await buildAll();
    extension = await readMetafile(build.extension, 'extension');
    mcp = await readMetafile(build.extension, 'mcp');
    views = await readMetafile(build.extension, 'views');
    cli = await readMetafile(build.npm, 'cli');
    const entries = Object.entries(views.outputs).flatMap(([file, { entryPoint }]) =>
      entryPoint === undefined || !file.endsWith('.js') || entryPoint === LAZY_CHART
        ? []
        : [[basename(file, '.js'), loadedAtOnce(views, entryPoint)] as const],
    );
    pages = new Map(entries);
  });

  it('leave the extension host nothing to load but VS Code itself and what they bring', () => {
    assert.deepEqual(outside(extension), ['node:fs/promises', 'vscode']);
  });

  it('load nothing at the start that is used later', () => {
    const atStart = shipped(extension, loadedAtOnce(extension, 'src/extension.ts'));
    const later = [
      /^src\/core\/(?:abi|copyAs|export|identity|operations|portal|project|queries|rpc|standards)\//,
      /^src\/core\/(?:transactions|upgrades|verified|logs\/(?:compare|follow|query|store)|providers\/\w+)\//,
      /^src\/core\/(?:client\/(?!chainClient)|logs\/engine\/(?!dialect)|http\/largeJson)/,
      // Of a feature its registration, the hover and completion that VS Code calls, and the status bar item.
      /^src\/features\/(?!status\/|\w+\/register\.ts|addresses\/hover\/hover\.ts|source\/typedAddress\.ts)/,
      /^src\/features\/status\/(?!head|status|register)/,
    ];
    assert.deepEqual(
      atStart.filter((file) => later.some((pattern) => pattern.test(file))),
      [],
    );
  });

  it('load in two files what the start takes', () => {
    assert.equal(loadedAtOnce(extension, 'src/extension.ts').length, 2);
  });

  it('let one file alone reach for Node, to write exports as they come and to read projects', () => {
    const reaching = Object.entries(extension.inputs).filter(([, input]) =>
      input.imports.some(({ path }) => path.startsWith('node:')),
    );
    assert.deepEqual(
      reaching.map(([file]) => file),
      ['src/host/files/nodeFiles.ts'],
    );
  });

  it('take the API of the editor as it is, not name by name into a copy', async () => {
    const files = Object.keys(extension.outputs).filter((file) => file.endsWith('.cjs'));
    const texts = await Promise.all(files.map((file) => readFile(inExtension(file), 'utf8')));
    const taken = texts.flatMap((text) => text.match(/.{0,9}require\("vscode"\)/g) ?? []);
    assert.ok(taken.length > 0);
    assert.deepEqual(
      taken.filter((text) => !/=require\("vscode"\)$/.test(text)),
      [],
    );
  });

  it('make the server of agents, and the command line, one file each, which loads what is of Node alone', async () => {
    for (const [program, file] of [
      [mcp, inExtension('dist/mcp.cjs')],
      [cli, join(build.npm, 'cli.js')],
    ] as const) {
      assert.deepEqual(
        // The experimental parser of undici is loaded only where a program asks for it. Without the one for SIMD,
        // undici takes the one for all processors.
        outside(program).filter((name) => !isBuiltin(name) && !name.startsWith('../milo/')),
        ['../llhttp/llhttp_simd-wasm.js'],
      );
      assert.ok(packages(shipped(program)).includes('@modelcontextprotocol/server'));
      assert.deepEqual(
        Object.keys(program.outputs).map((output) => basename(output)),
        [basename(file)],
      );
      assert.ok((await kibibytes([file])) <= 2048);
    }
  });

  it('have no code of an editor or a page in the command line', () => {
    const parts = shipped(cli).filter((file) => file.startsWith('src/'));
    assert.deepEqual(
      parts.filter((file) => !/^src\/(?:cli|core)\//.test(file)),
      [],
    );
  });

  it('leave the HTTP engine to the editor', () => {
    assert.ok(!packages(Object.keys(extension.inputs)).includes('undici'));
  });

  it('bring only the packages that are meant to ship', () => {
    const atOnce = loadedAtOnce(extension, 'src/extension.ts');
    const late = Object.keys(extension.outputs).filter((file) => !atOnce.includes(file));
    assert.deepEqual(packages(shipped(extension, atOnce)), ['zod']);
    assert.deepEqual(packages(shipped(extension, late)), [
      '@noble/hashes',
      'hyparquet',
      'hyparquet-writer',
      'jsonc-parser',
      'ox',
      'smol-toml',
    ]);
    const drawing = ['@preact/signals', '@preact/signals-core', 'preact', 'zod'];
    for (const [name, page] of pages) {
      // The query form reads events and checksums as they are typed.
      const forms = ['logs', 'answer'].includes(name) ? ['@noble/hashes', 'ox'] : [];
      assert.deepEqual(packages(shipped(views, page)), [...forms, ...drawing].sort(), name);
    }
  });

  it('load what draws a chart when one is first shown, as the only part of a page', () => {
    const plot = loadedAtOnce(views, LAZY_CHART);
    assert.deepEqual(packages(shipped(views, plot)), ['uplot']);
    const late = Object.values(views.outputs).flatMap(({ imports }) =>
      imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path),
    );
    assert.deepEqual(late, [plot[0]]);
    for (const page of pages.values()) assert.ok(!page.includes(late[0] ?? ''));
  });

  it('bring the notices of all whose code is in them', async () => {
    const notices = await readFile(inExtension('dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
    const named = [...notices.matchAll(/^(\S+) \d+\.\d+\.\d+ \((.+)\)$/gm)];
    const bundled = packages([extension, mcp, views].flatMap((bundle) => shipped(bundle)));
    assert.deepEqual(
      named.map(([, name, license]) => [name, license]),
      bundled.map((name) => [name, licences[name] ?? 'MIT']),
    );
    assert.equal(
      notices.match(/^(?:Permission is hereby granted|Redistribution and use)/gm)?.length,
      bundled.length,
    );
  });

  it('draw every page in the colours and fonts of the editor', async () => {
    for (const [name, [script = '']] of pages) {
      const { cssBundle = '' } = views.outputs[script] ?? {};
      // The renderer of outputs has its styles with it, about what its tree hangs in.
      const isThemed =
        name === 'answer'
          ? /:host-context\(body\.vscode-high-contrast\)/.test(await readFile(inExtension(script), 'utf8'))
          : shipped(views, [cssBundle]).includes('src/webview/kit/theme.css');
      assert.ok(isThemed, `${name} has no theme`);
    }
  });

  it('stay within their size', async () => {
    const atStart = loadedAtOnce(extension, 'src/extension.ts');
    const atOnce = await kibibytes(atStart.map(inExtension));
    assert.ok(atOnce <= 120, `extension: ${atOnce} KiB`);
    const panel = [...atStart, ...loadedAtOnce(extension, 'src/features/logs/panel/logsPanel.ts')];
    const withParquet = loadedAtOnce(extension, 'src/core/export/parquet.ts');
    const parquet = await kibibytes(withParquet.filter((file) => !panel.includes(file)).map(inExtension));
    assert.ok(parquet <= 64, `parquet: ${parquet} KiB`);
    const plotSize = await kibibytes(loadedAtOnce(views, LAZY_CHART).map(inExtension));
    assert.ok(plotSize <= 60, `chart: ${plotSize} KiB`);
    for (const [name, page] of pages) {
      const size = await kibibytes(page.map(inExtension));
      assert.ok(size <= 200, `${name}: ${size} KiB`);
    }
  });

  it('have nothing beside them but what is meant to ship', async () => {
    const files = await listFiles({ cwd: build.extension, packageManager: PackageManager.None });
    assert.ok(files.includes('dist/extension.cjs'));
    assert.deepEqual(
      files.filter((file) => ![...beside, ofBundles].some((pattern) => pattern.test(file))),
      [],
    );
  });

  it('are a VSIX of at most 2 MiB', async () => {
    const { size } = await stat(await packageExtension());
    assert.ok(size <= 2048 * 1024, `${Math.ceil(size / 1024)} KiB`);
  });

  const inExtension = (file: string) => join(build.extension, file);

  async function kibibytes(files: readonly string[]): Promise<number> {
    const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
    return Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1024);
  }
});

/** Files of which something is left after what is never used has been dropped. */
function shipped({ outputs }: Metafile, of: readonly string[] = Object.keys(outputs)): readonly string[] {
  const files = of.flatMap((file) => Object.entries(outputs[file]?.inputs ?? {}));
  return files.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file);
}

/** What the bundle loads when it runs and does not bring. */
function outside({ outputs }: Metafile): readonly string[] {
  const imports = Object.values(outputs).flatMap((output) => output.imports);
  return [...new Set(imports.filter(({ external }) => external).map(({ path }) => path))].sort();
}

function packages(files: readonly string[]): readonly string[] {
  const names = files.map((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]);
  return [...new Set(names)].filter((name) => name !== undefined).sort();
}
