/**
 * The name of a file without folders and without all that follows its first dot: the contract of
 * `out/Token.sol/Token.0.8.30.json`, as no identifier has a dot.
 */
export function stemOf(path: string): string {
  const base = baseOf(path);
  const dot = base.indexOf('.', 1);
  return dot === -1 ? base : base.slice(0, dot);
}

/** The name of a file without its folders. */
export function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The folder in which a file is; empty for the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
