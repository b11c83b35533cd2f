import { join, relative } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { cacheFolder, projectRoot } from '../paths.ts';

/**
 * Bundles host tests, with the runner that VS Code loads, into one file, of which each test file runs when its turn comes;
 * returns its path.
 */
export function bundleHostTests(files: readonly string[]): Promise<string> {
  const tests = files.map(nameOf).map((name) => `  '${name}': () => import('./${name}'),\n`);
  const contents = `import { runTests } from './test/host/run.ts';\nexport const run = () => runTests({\n${tests.join('')}});\n`;
  return bundleForHost('test/host', { stdin: { contents, resolveDir: projectRoot } });
}

/** Names bundled host tests for the runner. */
export function hostTestsToEnv(files: readonly string[]): Readonly<Record<string, string>> {
  return { CHAINSIDE_HOST_TESTS: JSON.stringify(files.map(nameOf)) };
}

/** Bundles a program for the extension host into a folder in `.cache`; returns its path. */
export async function bundleForHost(
  folder: string,
  entry: Pick<BuildOptions, 'entryPoints' | 'stdin'>,
): Promise<string> {
  const outfile = join(cacheFolder, folder, 'run.cjs');
  await build({
    ...entry,
    absWorkingDir: projectRoot,
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    sourcemap: 'inline',
    external: ['vscode', 'mocha'],
    logLevel: 'warning',
  });
  return outfile;
}

function nameOf(file: string): string {
  return relative(projectRoot, file).replaceAll('\\', '/');
}
