import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run } from './childProcess.ts';
import { cacheFolder, fromRoot, projectRoot } from './paths.ts';
import { setPlainModes } from './zip.ts';

export const packagedVsix = join(cacheFolder, 'chainside.vsix');

/** The date that npm gives every file of a package, in seconds: for a copy of the sources outside git. */
const FIXED_TIME = '499162500';

/**
 * Builds for production and packs what ships; returns the path of the VSIX. One commit makes the same bytes in any
 * folder, at any time and with any umask, on the same system and version of Node.
 */
export async function packageExtension(): Promise<string> {
  await mkdir(dirname(packagedVsix), { recursive: true });
  const vsce = fromRoot('node_modules', '@vscode', 'vsce', 'vsce');
  const { version } = JSON.parse(await readFile(fromRoot('package.json'), 'utf8')) as { version: string };
  const channel = isPreRelease(version) ? ['--pre-release'] : [];
  await run(process.execPath, [vsce, 'package', '--no-dependencies', ...channel, '--out', packagedVsix], {
    cwd: projectRoot,
    // vsce writes local times and sorts by the language of the system.
    env: { ...process.env, SOURCE_DATE_EPOCH: await getCommitTime(), TZ: 'UTC', LC_ALL: 'C.UTF-8' },
  });
  const zip = await readFile(packagedVsix);
  // vsce takes the modes of the working copy, which follow its umask.
  setPlainModes(zip);
  await writeFile(packagedVsix, zip);
  return packagedVsix;
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
