import { chmod, cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildCli } from './bundleCli.ts';
import { npm } from './npm.ts';
import { cacheFolder, fromRoot } from './paths.ts';

/**
 * Packs the command line as the npm package `chainside` into `out`; returns the path of the tarball. One commit makes the
 * same bytes, as with the VSIX.
 */
export async function packageCli(out: string = cacheFolder): Promise<string> {
  const manifest = JSON.parse(await readFile(fromRoot('package.json'), 'utf8'));
  const folder = join(out, 'npm');
  await rm(folder, { recursive: true, force: true });
  await buildCli(folder, ['--production']);
  await cp(fromRoot('LICENSE'), join(folder, 'LICENSE'));
  await writeFile(join(folder, 'README.md'), await createReadme(manifest));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(createManifest(manifest), null, 2)}\n`);
  // npm keeps who may read a file, which follows the umask.
  for (const file of await readdir(folder)) await chmod(join(folder, file), 0o644);
  await npm(['pack', '--pack-destination', out], folder);
  return join(out, `chainside-${manifest.version}.tgz`);
}

interface Manifest {
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
function createManifest({ name, version, type, license, repository, bugs, keywords, engines }: Manifest) {
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
    type,
    bin: { chainside: 'cli.js' },
    files: ['cli.js', 'THIRD-PARTY-NOTICES.txt'],
    engines: { node: engines.node },
  };
}

/** The page about the command line, with links that work outside of the repository. */
async function createReadme(manifest: Manifest): Promise<string> {
  const page = await readFile(fromRoot('docs', 'cli.md'), 'utf8');
  return page.replaceAll(/\]\((?=[\w-]+\.md)/g, `](${pageUrl(manifest)}/docs/`);
}

const pageUrl = ({ repository }: Pick<Manifest, 'repository'>) =>
  `${repository.url.replace(/\.git$/, '')}/blob/HEAD`;
