import { run } from '../childProcess.ts';
import { isPreRelease } from '../packages.ts';

/** @throws Error if the tag of the version is that of another commit. */
export async function requireFreeTag(folder: string, version: string): Promise<void> {
  const find = (name: string) =>
    run('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], { cwd: folder }).catch(() => '');
  const tagged = await find(`refs/tags/v${version}`);
  if (tagged !== '' && tagged !== (await find('HEAD')))
    throw new Error(
      `v${version} is the tag of another commit. Give package.json and CHANGELOG.md the next version.`,
    );
}

/** Whether no later release of the major version has a tag at `origin`, as when an old run is repeated. */
export async function isNewest(folder: string, version: string): Promise<boolean> {
  const list = await run('git', ['ls-remote', '--tags', 'origin', `refs/tags/v${version.split('.')[0]}.*`], {
    cwd: folder,
  });
  const versions = [...list.matchAll(/\trefs\/tags\/v(\d+\.\d+\.\d+)$/gm)].map(([, tagged = '']) => tagged);
  const isLater = (other: string) => other.localeCompare(version, 'en', { numeric: true }) > 0;
  return !versions.some((tagged) => !isPreRelease(tagged) && isLater(tagged));
}

/**
 * Commits built files, which git ignores, on top of the checked out commit and has the tag of the major version point
 * there. No branch moves. Returns the tag.
 */
export async function commitAction(
  folder: string,
  version: string,
  files: readonly string[],
): Promise<string> {
  const tag = `v${version.split('.')[0]}`;
  const git = (...args: readonly string[]) => run('git', args, { cwd: folder });
  const author = [
    '-c',
    'user.name=github-actions[bot]',
    '-c',
    'user.email=github-actions[bot]@users.noreply.github.com',
  ];
  await git('checkout', '--quiet', '--detach');
  await git('add', '--force', '--', ...files);
  await git(...author, 'commit', '--quiet', '--message', `Build the action of ${version}`);
  await git('tag', '--force', tag);
  return tag;
}
