import { globSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { cacheFolder, projectRoot } from '../paths.ts';

/** Bundles every host test, and the runner that VS Code loads, each into a file of its own; returns the runner. */
export async function bundleHostTests(): Promise<string> {
  const outdir = join(cacheFolder, 'hostTests');
  await rm(outdir, { recursive: true, force: true });
  await build({
    absWorkingDir: projectRoot,
    entryPoints: ['test/host/run.ts', ...globSync('test/host/**/*.test.ts', { cwd: projectRoot })],
    outbase: 'test/host',
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    sourcemap: 'inline',
    external: ['vscode', 'mocha'],
    logLevel: 'warning',
  });
  return join(outdir, 'run.cjs');
}
