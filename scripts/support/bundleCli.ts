import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { cacheFolder, fromRoot } from './paths.ts';

/**
 * Has tests start the headless runner as a program that is there three times as fast as its sources: what is started from
 * here finds its path in `CHAINSIDE_HEADLESS`.
 */
export async function bundleCli(): Promise<void> {
  process.env.CHAINSIDE_HEADLESS ??= await build();
}

async function build(): Promise<string> {
  const outdir = join(cacheFolder, 'headless');
  await esbuild.build({
    entryPoints: [fromRoot('src', 'cli', 'main.ts')],
    outdir,
    bundle: true,
    splitting: true,
    ...{ format: 'esm', platform: 'node', target: 'node24', mainFields: ['module', 'main'] },
    // Packages that are CommonJS ask for what is built into Node.
    banner: {
      js: "import { createRequire as requiring } from 'node:module'; const require = requiring(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return join(outdir, 'main.js');
}
