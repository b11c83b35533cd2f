import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fromRoot } from './paths.ts';

/** Writes what the npm package `chainside` has beside its program: licence, page and manifest. */
export async function describeNpmPackage(folder: string, manifest: ExtensionManifest): Promise<void> {
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
    type,
    bin: { chainside: 'cli.js' },
    files: ['cli.js', 'THIRD-PARTY-NOTICES.txt'],
    engines: { node: engines.node },
  };
}

/** The page about the command line, with links that work outside of the repository. */
async function createReadme(manifest: ExtensionManifest): Promise<string> {
  const page = await readFile(fromRoot('docs', 'cli.md'), 'utf8');
  return page.replaceAll(/\]\((?=[\w-]+\.md)/g, `](${pageUrl(manifest)}/docs/`);
}

const pageUrl = ({ repository }: Pick<ExtensionManifest, 'repository'>) =>
  `${repository.url.replace(/\.git$/, '')}/blob/HEAD`;
