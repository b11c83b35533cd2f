import { join } from 'node:path';
import { run } from './childProcess.ts';
import { cacheFolder, fromRoot } from './paths.ts';

/**
 * Has tests start the headless runner as a program that is there three times as fast as its sources: what is started from
 * here finds its path in `CHAINSIDE_HEADLESS`.
 */
export async function bundleCli(): Promise<void> {
  process.env.CHAINSIDE_HEADLESS ??= await buildCli(join(cacheFolder, 'headless'));
}

/** Builds the command line as one file into `folder`, with the notices of third parties; returns the path of the file. */
export async function buildCli(folder: string, options: readonly string[] = []): Promise<string> {
  const out = ['--outdir', folder, '--metadir', join(cacheFolder, 'meta')];
  await run(process.execPath, [fromRoot('esbuild.mjs'), '--only', 'cli', ...options, ...out]);
  return join(folder, 'cli.js');
}
