/**
 * The end of a path from where it differs from the other paths; undefined if there is no other.
 *
 * @example formatDistinctPath('a/usdc/roots.json', ['a/usdc/roots.json', 'a/weth/roots.json']) // 'usdc/roots.json'
 */
function formatDistinctPath(path: string, paths: readonly string[]): string | undefined {
  const others = paths.filter((other) => other !== path);
  if (others.length === 0) return undefined;
  const parts = path.split('/');
  const isShared = (index: number) => others.every((other) => other.split('/')[index] === parts[index]);
  const firstDistinct = parts.findIndex((_, index) => !isShared(index));
  return parts.slice(Math.min(firstDistinct < 0 ? 0 : firstDistinct, parts.length - 1)).join('/');
}

interface ListedDeployment {
  readonly chainId: string | number;
  /** Of the contract. */
  readonly name: string | undefined;
  /** The file that tells of it, relative to the workspace. */
  readonly file: string | undefined;
}

/**
 * What tells a deployment apart from others of the same name on the same chain in a list: the end of the path of its
 * file, such as `usdc/roots.json`. Undefined where there is nothing to tell apart, or one file tells of all.
 */
export function findDistinctFile<T>(
  deployment: T,
  list: readonly T[],
  read: (deployment: T) => ListedDeployment,
): string | undefined {
  const { chainId, name, file } = read(deployment);
  if (file === undefined) return undefined;
  const alike = list.map(read).filter((other) => other.chainId === chainId && other.name === name);
  return formatDistinctPath(
    file,
    alike.flatMap((other) => other.file ?? []),
  );
}
