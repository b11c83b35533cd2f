import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildAll } from './build.ts';
import { run } from './childProcess.ts';
import { npm } from './npm.ts';
import { cacheFolder, fromRoot, projectRoot } from './paths.ts';
import { doing } from './progress.ts';
import { setPlainModes } from './zip.ts';

export const packagedVsix = join(cacheFolder, 'chainside.vsix');

/** The date that npm gives every file of a package, in seconds: for a copy of the sources outside git. */
const FIXED_TIME = '499162500';

/**
 * Packs the extension as it ships; returns the path of the VSIX. One commit makes the same bytes in any folder, at any
 * time and with any umask, on the same system and version of Node.
 */
export async function packageExtension(): Promise<string> {
  const { extension } = await doing('Building the extension', buildAll);
  const time = await getCommitTime();
  const packed = join(dirname(extension), `chainside-${time}.vsix`);
  if (!existsSync(packed)) await doing('Packing the extension', () => packWithVsce(extension, packed, time));
  // Under the name that people know.
  await cp(packed, packagedVsix);
  return packagedVsix;
}

async function packWithVsce(extension: string, packed: string, time: string): Promise<void> {
  const vsce = fromRoot('node_modules', '@vscode', 'vsce', 'vsce');
  const { version } = JSON.parse(await readFile(fromRoot('package.json'), 'utf8')) as { version: string };
  const channel = isPreRelease(version) ? ['--pre-release'] : [];
  const partial = `${packed}.${process.pid}`;
  await run(process.execPath, [vsce, 'package', '--no-dependencies', ...channel, '--out', partial], {
    cwd: extension,
    // vsce writes local times and sorts by the language of the system.
    env: { ...process.env, SOURCE_DATE_EPOCH: time, TZ: 'UTC', LC_ALL: 'C.UTF-8' },
  });
  const zip = await readFile(partial);
  // vsce takes the modes of the working copy, which follow its umask.
  setPlainModes(zip);
  await writeFile(partial, zip);
  await rename(partial, packed);
}

/**
 * Packs the command line as the npm package `chainside` into `out`; returns the path of the tarball. One commit makes the
 * same bytes, as with the VSIX.
 */
export async function packageCli(out: string = cacheFolder): Promise<string> {
  const build = await buildAll();
  const folder = join(out, 'npm');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { files } = JSON.parse(await readFile(join(build.npm, 'package.json'), 'utf8'));
  for (const file of ['package.json', 'README.md', 'LICENSE', ...files]) {
    await cp(join(build.npm, file), join(folder, file));
    // npm keeps who may read a file, which follows the umask.
    await chmod(join(folder, file), 0o644);
  }
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  await npm(['pack', '--pack-destination', out], folder);
  return join(out, `chainside-${version}.tgz`);
}

/** Whether a version belongs to the pre-release channel: its minor number is odd. */
export function isPreRelease(version: string): boolean {
  return Number(version.split('.')[1]) % 2 === 1;
}

/** When the packaged commit was made, in seconds. */
export async function getCommitTime(): Promise<string> {
  const { SOURCE_DATE_EPOCH } = process.env;
  if (SOURCE_DATE_EPOCH !== undefined) return SOURCE_DATE_EPOCH;
  if (!existsSync(fromRoot('.git'))) return FIXED_TIME;
  return (await run('git', ['log', '-1', '--format=%ct'], { cwd: projectRoot })).trim();
}
