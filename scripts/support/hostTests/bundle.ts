import { join, relative } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { cacheFolder, projectRoot } from '../paths.ts';

/**
 * Bundles the runner that VS Code loads, and beside it one file with all host tests, each loaded when it runs; returns the
 * path of the runner.
 */
export async function bundleHostTests(files: readonly string[]): Promise<string> {
  const tests = files.map(nameOf).map((name) => `  '${name}': () => import('./${name}'),\n`);
  const contents = `export const tests = {\n${tests.join('')}};\n`;
  await bundleForHost('test/host/tests.cjs', { stdin: { contents, resolveDir: projectRoot } });
  return bundleForHost('test/host/run.cjs', { entryPoints: ['test/host/run.ts'] });
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
