import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { cacheFolder, fromRoot, projectRoot } from '../paths.ts';

const hostTests = 'test/host';

/** Bundles host tests, and the runner that VS Code loads, each into a file of its own; returns the runner. */
export function bundleHostTests(files: readonly string[]): Promise<string> {
  return bundleForHost(hostTests, ['run.ts', ...files.map((file) => relative(fromRoot(hostTests), file))]);
}

/** Names bundled host tests for the runner. */
export function hostTestsToEnv(files: readonly string[]): Readonly<Record<string, string>> {
  const bundles = files.map((file) => join(cacheFolder, bundleOf(relative(projectRoot, file))));
  return { CHAINSIDE_HOST_TESTS: JSON.stringify(bundles) };
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
  return join(outdir, bundleOf(files[0]));
}

function bundleOf(file: string): string {
  return file.replace(/\.ts$/, '.cjs');
}
