import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run } from './childProcess.ts';
import { cacheFolder, fromRoot, projectRoot } from './paths.ts';

export const packagedVsix = join(cacheFolder, 'chainside.vsix');

/** Builds for production and packs what ships; returns the path of the VSIX. */
export async function packageExtension(): Promise<string> {
  await mkdir(dirname(packagedVsix), { recursive: true });
  const vsce = fromRoot('node_modules', '@vscode', 'vsce', 'vsce');
  await run(process.execPath, [vsce, 'package', '--no-dependencies', '--out', packagedVsix], {
    cwd: projectRoot,
  });
  return packagedVsix;
}
