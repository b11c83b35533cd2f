import { join } from 'node:path';
import { build } from 'esbuild';
import { cacheFolder, fromRoot } from './paths.ts';

/** The headless runner as a program that starts three times as fast as its sources; its path. */
export async function bundleHeadless(): Promise<string> {
  const outdir = join(cacheFolder, 'headless');
  await build({
    entryPoints: [fromRoot('src', 'headless', 'main.ts')],
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
