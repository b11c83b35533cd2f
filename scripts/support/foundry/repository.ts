import { run } from '../childProcess.ts';
import { ownEnvironment } from './forge.ts';

// The same author and time on every run, so that the commit has the same name.
const identity = {
  GIT_AUTHOR_NAME: 'Keeper',
  GIT_AUTHOR_EMAIL: 'keeper@example.com',
  GIT_AUTHOR_DATE: '2026-01-05T09:00:00Z',
  GIT_COMMITTER_NAME: 'Keeper',
  GIT_COMMITTER_EMAIL: 'keeper@example.com',
  GIT_COMMITTER_DATE: '2026-01-05T09:00:00Z',
  GIT_CONFIG_NOSYSTEM: '1',
};

/** Makes the folder a git repository if it is none, and commits all that is in it. Without git nothing is done. */
export async function commitAll(folder: string, message: string): Promise<void> {
  const git = (...args: string[]) =>
    run('git', ['-c', 'core.autocrlf=false', ...args], {
      cwd: folder,
      env: { ...ownEnvironment(), ...identity },
    });
  try {
    await git('--version');
  } catch {
    return;
  }
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', message);
}
