import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildAll, readMetafile } from './support/build.ts';
import { run, runInTerminal } from './support/childProcess.ts';
import { copySources } from './support/copySources.ts';
import { npm } from './support/npm.ts';
import {
  getCommitTime,
  isPreRelease,
  packageCli,
  packagedVsix,
  packageExtension,
} from './support/packages.ts';
import { cacheFolder, fromRoot, projectRoot } from './support/paths.ts';
import { checkTarball, checkVsix } from './support/release/checkPackages.ts';
import { formatManualSteps } from './support/release/manualSteps.ts';
import { createServerJson } from './support/release/mcpServer.ts';
import { createSbom } from './support/release/sbom.ts';
import { commitAction, isNewest, requireFreeTag } from './support/release/tags.ts';
import {
  getActionName,
  isUploaded,
  listUploads,
  type UploadName,
  uploadNames,
} from './support/release/uploads.ts';
import { checkVersions, cutNotes, type ReleaseManifest } from './support/release/versions.ts';
import { hold, removeFolder, runScript } from './support/script.ts';

const folder = join(cacheFolder, 'release');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false }, tag: { type: 'string' } },
});

/**
 * `check [--tag TAG]`, `build`, `verify`, `action`, `upload NAME`: the steps of a release. `--dry-run` runs all but the
 * last two, and prints what would be uploaded.
 */
await runScript(async (resources) => {
  const manifest = JSON.parse(await readFile(fromRoot('package.json'), 'utf8')) as ReleaseManifest;
  const { version } = manifest;
  const steps: Readonly<Record<string, () => Promise<number | undefined>>> = {
    check,
    build,
    verify,
    action,
    upload,
  };
  if (values['dry-run']) {
    await check();
    await build();
    await verify();
    for (const { lockedIn, command } of Object.values(listUploads(folder, version))) {
      // Fails if the lockfile is not that of the package.json beside it.
      if (lockedIn !== undefined) await npm(['ci', '--dry-run', '--offline'], lockedIn);
      console.log(`Not run: ${command.join(' ')}`);
    }
    console.log(formatManualSteps(await readFile(fromRoot('docs', 'releasing.md'), 'utf8')));
    return 0;
  }
  const step = steps[positionals[0] ?? ''];
  if (step === undefined) throw new Error(`Write one of ${Object.keys(steps).join(', ')}, or --dry-run.`);
  return step();

  async function check(): Promise<undefined> {
    checkVersions(manifest, await readFile(fromRoot('CHANGELOG.md'), 'utf8'), values.tag);
    await requireFreeTag(projectRoot, version);
    console.log(`Version ${version} is ${isPreRelease(version) ? 'a pre-release' : 'a release'}.`);
  }

  /** Packages twice, and writes all files of the release only if both are the same. */
  async function build(): Promise<undefined> {
    const packaged = [await packageExtension(), await packageCli()] as const;
    const elsewhere = await hold(resources, mkdtemp(join(tmpdir(), 'chainside-release-')), removeFolder);
    const again = await packageIn(join(elsewhere, 'sources'), await getCommitTime());
    for (const file of packaged) {
      if ((await digestOf(file)) !== again.get(basename(file)))
        throw new Error(`${basename(file)} is not the same when it is packaged in another folder.`);
    }
    const [vsix, tarball] = packaged;
    await checkVsix(vsix, manifest);
    await checkTarball(tarball, manifest);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await cp(vsix, join(folder, `chainside-${version}.vsix`));
    await cp(tarball, join(folder, `chainside-${version}.tgz`));
    const build = await buildAll();
    await cp(join(build.action, 'dist', 'action.cjs'), join(folder, getActionName(version)));
    const bundles = [
      ...['extension', 'views', 'mcp'].map((bundle) => readMetafile(build.extension, bundle)),
      readMetafile(build.npm, 'cli'),
    ];
    const sbom = await createSbom(
      projectRoot,
      manifest,
      await Promise.all(bundles),
      Number(await getCommitTime()),
    );
    await writeFile(join(folder, `chainside-${version}.cdx.json`), sbom);
    const server = JSON.stringify(createServerJson(manifest), undefined, 2);
    await writeFile(join(folder, 'server.json'), `${server}\n`);
    const digests = (await readdir(folder))
      .sort()
      .map(async (file) => `${await digestOf(join(folder, file))}  ${file}\n`);
    const sums = (await Promise.all(digests)).join('');
    await writeFile(join(folder, 'SHA256SUMS'), sums);
    await writeFile(
      join(folder, 'NOTES.md'),
      cutNotes(await readFile(fromRoot('CHANGELOG.md'), 'utf8'), version),
    );
    console.log(`${folder}\n${sums}`);
  }

  /** Checks the sums, and that the VSIX of the last `npm run package` or test run has the bytes of the release. */
  async function verify(): Promise<undefined> {
    const sums = await readFile(join(folder, 'SHA256SUMS'), 'utf8');
    for (const [, digest, file = ''] of sums.matchAll(/^([0-9a-f]{64}) {2}(.+)$/gm)) {
      if ((await digestOf(join(folder, file))) !== digest)
        throw new Error(`${file} is not what SHA256SUMS says.`);
      if (file.endsWith('.vsix') && (await digestOf(packagedVsix)) !== digest)
        throw new Error(`${packagedVsix}, which was tested, is not ${file}. Build the release again.`);
    }
  }

  /** Has the tag of the major version point to this commit with the built action, unless a later release has. */
  async function action(): Promise<number> {
    if (isPreRelease(version) || !(await isNewest(projectRoot, version))) return 0;
    const code = await runInTerminal(process.execPath, [
      fromRoot('esbuild.mjs'),
      '--production',
      '--only',
      'action',
    ]);
    if (code !== 0) return code;
    if (
      (await digestOf(fromRoot('dist', 'action.cjs'))) !==
      (await digestOf(join(folder, getActionName(version))))
    )
      throw new Error('The built action is not the attested one of the release.');
    const files = ['dist/action.cjs', 'dist/THIRD-PARTY-NOTICES.txt'];
    const tag = await commitAction(projectRoot, version, files);
    return runInTerminal('git', ['push', '--force', 'origin', `refs/tags/${tag}`]);
  }

  async function upload(): Promise<number> {
    const name = uploadNames.find((known) => known === positionals[1]);
    if (name === undefined) throw new Error(`Write one of ${uploadNames.join(', ')} after "upload".`);
    const { lockedIn, command, tokens } = listUploads(folder, version)[name satisfies UploadName];
    const set = tokens.find((token) => process.env[token] !== undefined);
    // The programs prefer it to the workflow's identity, without a word.
    if (set !== undefined)
      throw new Error(`${set} is set. Remove it: releases are published without tokens.`);
    if (name === 'mcp' && isPreRelease(version)) {
      console.log('Pre-releases are not in the MCP registry, which has one channel.');
      return 0;
    }
    if (await isUploaded(name, folder, version)) {
      console.log(`An earlier run has uploaded ${version} to ${name}.`);
      return 0;
    }
    if (lockedIn !== undefined) await npm(['ci'], lockedIn);
    const [program, ...args] = command;
    return runInTerminal(program, args);
  }
});

/** Packages a copy of the sources as on another machine; returns the digests of the files by their names. */
async function packageIn(root: string, time: string): Promise<ReadonlyMap<string, string>> {
  const umask = process.umask(0o077);
  try {
    await copySources(root, 0o600);
    const env = { ...process.env, SOURCE_DATE_EPOCH: time, TZ: 'America/Caracas', LC_ALL: 'C' };
    const printed = await run(process.execPath, [join(root, 'scripts', 'package.ts')], { cwd: root, env });
    const digests = printed
      .trim()
      .split(/\r?\n/)
      .map(async (file) => [basename(file), await digestOf(file)] as const);
    return new Map(await Promise.all(digests));
  } finally {
    process.umask(umask);
  }
}

async function digestOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}
