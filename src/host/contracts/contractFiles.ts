import type { ChangeKind } from '../workspace/fileInterest.ts';

const NAMES = /(?:\.(?:sol|vyi?|json[cl]?|toml|txt|ya?ml|[cm]?[jt]sx?)|^\.chainId)$/i;

/**
 * Whether a change at `path`, from a folder of the workspace on, may be of a file that the index reads, what compilers
 * write and libraries among them. What was created or deleted may be a folder.
 */
export function concernsContracts(path: readonly string[], kind: ChangeKind): boolean {
  const folders = path.slice(0, -1);
  const name = path.at(-1) ?? '';
  if (folders.some(isPassedOver)) return false;
  return NAMES.test(name) || (kind !== 'changed' && !isPassedOver(name));
}

function isPassedOver(name: string): boolean {
  return name === 'node_modules' || name.startsWith('.');
}
