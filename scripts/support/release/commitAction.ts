import { run } from '../childProcess.ts';

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
