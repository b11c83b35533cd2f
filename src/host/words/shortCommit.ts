/** As many characters of a commit as tell it from others of a repository. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 8);
}
