import { createHash } from 'node:crypto';
import { globSync, statSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { cachedFolder } from './cachedFolder.ts';
import { run } from './childProcess.ts';
import { cacheFolder, fromRoot, projectRoot } from './paths.ts';
import { removeFolder } from './script.ts';

/** The folders that one build fills. Metafiles of esbuild are in `meta` beside the folder of their bundles. */
export interface Build {
  /** The extension as it ships: bundles for production in `dist`, and what else the VSIX holds. */
  readonly extension: string;
  /** The bundle of the extension for development. */
  readonly development: string;
  /** The npm package: `cli.js`, and what it ships with. */
  readonly npm: string;
  /** The program of `action.yml`, in `dist`. */
  readonly action: string;
}

/** Files and folders of the root that ship beside the bundles; `.vscodeignore` narrows them down. */
const shippedSources = [
  ...['package.json', 'package.nls.json', 'package.nls.*.json', 'l10n', 'media'],
  ...['LICENSE', 'README.md', 'CHANGELOG.md', '.vscodeignore'],
];
const inputs = [
  ...shippedSources,
  ...['src', 'docs/cli.md', 'package-lock.json', 'esbuild.mjs', 'tsconfig*.json', 'scripts/support/*.ts'],
];

const MAX_BUILDS = 5;

let made: Promise<Build> | undefined;

/** Builds all that ships into `.cache/build`, unless a build of the same sources is there. */
export function buildAll(): Promise<Build> {
  made ??= makeBuild();
  return made;
}

async function makeBuild(): Promise<Build> {
  const folder = await cachedFolder(join('build', await hashInputs()), fillBuild);
  const part = (name: keyof Build) => join(folder, name);
  return {
    extension: part('extension'),
    development: part('development'),
    npm: part('npm'),
    action: part('action'),
  };
}

/** One hash of the contents of all files that the build reads, and of their names. */
async function hashInputs(): Promise<string> {
  const files = inputs
    .flatMap((pattern) => globSync([pattern, `${pattern}/**`], { cwd: projectRoot, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hash = createHash('sha256').update(process.version);
  for (const file of files) {
    const content = await readFile(file);
    hash.update(`\n${file.slice(projectRoot.length)} ${content.length}\n`).update(content);
  }
  return hash.digest('hex').slice(0, 16);
}

async function fillBuild(folder: string): Promise<void> {
  await removeOldBuilds();
  const bundle = (part: string, dist: string, ...flags: readonly string[]) => {
    const folders = ['--outdir', join(folder, part, dist), '--metadir', join(folder, part, 'meta')];
    return run(process.execPath, [fromRoot('esbuild.mjs'), ...flags, ...folders]);
  };
  await Promise.all([
    bundle('extension', 'dist', '--production'),
    bundle('development', 'dist', '--only', 'extension'),
    bundle('npm', '.', '--production', '--only', 'cli'),
    bundle('action', 'dist', '--production', '--only', 'action'),
  ]);

  for (const path of globSync(shippedSources, { cwd: projectRoot }))
    await cp(fromRoot(path), join(folder, 'extension', path), { recursive: true });
  const manifest = JSON.parse(await readFile(fromRoot('package.json'), 'utf8'));
  const { name, version } = manifest;
  await writeFile(join(folder, 'action', 'package.json'), JSON.stringify({ name, version }));
  await describeNpmPackage(join(folder, 'npm'), manifest);
}

/** What esbuild reports of one bundle in a folder of the build; paths of outputs begin there. */
export async function readMetafile(folder: string, bundle: string): Promise<Metafile> {
  return JSON.parse(await readFile(join(folder, 'meta', `${bundle}.json`), 'utf8'));
}

/** The outputs that are loaded with the one made of `entryPoint`, itself among them: all but those loaded lazily. */
export function loadedAtOnce({ outputs }: Metafile, entryPoint: string): readonly string[] {
  const entry = Object.keys(outputs).find((file) => outputs[file]?.entryPoint === entryPoint);
  if (entry === undefined) throw new Error(`Nothing is built from ${entryPoint}.`);
  const found = new Set([entry]);
  for (const file of found) {
    for (const { path, kind, external } of outputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && !external) found.add(path);
    }
  }
  return [...found];
}

/** Leaves the builds that were made last: a running program may still load from one of them. */
async function removeOldBuilds(): Promise<void> {
  const builds = globSync('build/*', { cwd: cacheFolder, withFileTypes: true })
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => ({ path, madeMs: statSync(path).mtimeMs }))
    .sort((a, b) => b.madeMs - a.madeMs);
  for (const { path } of builds.slice(MAX_BUILDS)) await removeFolder(path);
}

/** Writes what the npm package `chainside` has beside its program: licence, page and manifest. */
async function describeNpmPackage(folder: string, manifest: ExtensionManifest): Promise<void> {
  await cp(fromRoot('LICENSE'), join(folder, 'LICENSE'));
  await writeFile(join(folder, 'README.md'), await createReadme(manifest));
  const content = JSON.stringify(createManifest(manifest), undefined, 2);
  await writeFile(join(folder, 'package.json'), `${content}\n`);
}

interface ExtensionManifest {
  readonly name: string;
  readonly version: string;
  readonly type: string;
  readonly license: string;
  readonly repository: { readonly type: string; readonly url: string };
  readonly bugs: { readonly url: string };
  readonly keywords: readonly string[];
  readonly engines: { readonly node: string };
}

/** The manifest of the npm package, from that of the extension. Nothing is installed with it, and no script runs. */
function createManifest({
  name,
  version,
  type,
  license,
  repository,
  bugs,
  keywords,
  engines,
}: ExtensionManifest) {
  return {
    name,
    version,
    description:
      'Event logs, contract state and transactions, decoded and checked on the command line and in CI',
    keywords: [...keywords, 'cli', 'mcp'],
    homepage: `${pageUrl({ repository })}/docs/cli.md`,
    bugs,
    // npm compares the URL with the repository that publishes.
    repository: { ...repository, url: `git+${repository.url}` },
    license,
    // The registry of MCP servers takes the package for the server of this name alone.
    mcpName: getServerName({ name, repository }),
    type,
    bin: { chainside: 'cli.js' },
    files: ['cli.js', 'THIRD-PARTY-NOTICES.txt'],
    engines: { node: engines.node },
  };
}

/** The name in the registry of MCP servers, in the namespace of the owner of the repository on GitHub. */
export function getServerName({
  name,
  repository,
}: {
  readonly name: string;
  readonly repository: { readonly url: string };
}): string {
  const owner = /^https:\/\/github\.com\/([\w-]+)\//.exec(repository.url)?.[1];
  if (owner === undefined) throw new Error(`${repository.url} is not a repository at GitHub.`);
  return `io.github.${owner}/${name}`;
}

/** The page about the command line, with links that work outside of the repository. */
async function createReadme(manifest: ExtensionManifest): Promise<string> {
  const page = await readFile(fromRoot('docs', 'cli.md'), 'utf8');
  return page.replaceAll(/\]\((?=[\w-]+\.md)/g, `](${pageUrl(manifest)}/docs/`);
}

const pageUrl = ({ repository }: Pick<ExtensionManifest, 'repository'>) =>
  `${repository.url.replace(/\.git$/, '')}/blob/HEAD`;
