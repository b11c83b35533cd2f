import { globSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { cacheFolder, fromRoot, projectRoot } from '../paths.ts';

/** Bundles every host test, and the runner that VS Code loads, each into a file of its own; returns the runner. */
export function bundleHostTests(): Promise<string> {
  return bundleForHost('test/host', ['run.ts', ...globSync('**/*.test.ts', { cwd: fromRoot('test/host') })]);
}

/** Bundles files of `folder` for the extension host, into a folder of the same name in `.cache`; returns the first. */
export async function bundleForHost(folder: string, files: readonly [string, ...string[]]): Promise<string> {
  const outdir = join(cacheFolder, folder);
  await rm(outdir, { recursive: true, force: true });
  await build({
    absWorkingDir: projectRoot,
    entryPoints: files.map((file) => join(folder, file)),
    outbase: folder,
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
  return join(outdir, files[0].replace(/\.ts$/, '.cjs'));
}
