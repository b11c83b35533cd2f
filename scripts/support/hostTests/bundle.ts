import { cp } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { buildAll } from '../build.ts';
import { cacheFolder, projectRoot } from '../paths.ts';
import { removeFolder } from '../script.ts';

/**
 * Copies the built extension into a folder of `.cache`. Programs for the extension host are bundled into that folder: VS
 * Code gives the API of an extension only to files in its folder.
 */
export async function copyExtension(name: string): Promise<string> {
  const folder = join(cacheFolder, name);
  await removeFolder(folder);
  await cp((await buildAll()).extension, folder, { recursive: true });
  return folder;
}

/**
 * Bundles the runner that VS Code loads, and beside it one file with all host tests, each loaded when it runs; returns the
 * folder of the extension, and the path of the runner in it.
 */
export async function bundleHostTests(
  files: readonly string[],
): Promise<{ readonly extension: string; readonly runner: string }> {
  const extension = await copyExtension('test/host');
  const tests = files.map(nameOf).map((name) => `  '${name}': () => import('./${name}'),\n`);
  const contents = `export const tests = {\n${tests.join('')}};\n`;
  await bundleForHost('test/host/tests.cjs', { stdin: { contents, resolveDir: projectRoot } });
  const runner = await bundleForHost('test/host/run.cjs', { entryPoints: ['test/host/run.ts'] });
  return { extension, runner };
}

/** Names bundled host tests for the runner. */
export function hostTestsToEnv(files: readonly string[]): Readonly<Record<string, string>> {
  return { CHAINSIDE_HOST_TESTS: JSON.stringify(files.map(nameOf)) };
}

/** Bundles a program for the extension host into a file in `.cache`; returns its path. */
export async function bundleForHost(
  name: string,
  entry: Pick<BuildOptions, 'entryPoints' | 'stdin'>,
): Promise<string> {
  const outfile = join(cacheFolder, name);
  await build({
    ...entry,
    absWorkingDir: projectRoot,
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    sourcemap: 'inline',
    // `require('mocha')` returns a namespace in Node 22 and the class in Node 24; this file is the class in both.
    alias: { mocha: 'mocha/lib/mocha.cjs' },
    external: ['vscode', 'mocha/*'],
    logLevel: 'warning',
  });
  return outfile;
}

function nameOf(file: string): string {
  return relative(projectRoot, file).replaceAll('\\', '/');
}
