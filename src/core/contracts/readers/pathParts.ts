import { baseOf } from '../layout/paths.ts';

/**
 * The name of a file without folders, and without all that follows its first dot or is a version: the contract of
 * `out/Token.sol/Token.0.8.30.json` and of `abis/Token-1.2.json`, as no identifier has a dot.
 *
 * @example stemOf('out/Token.sol/Token.0.8.30.json') // 'Token'
 */
export function stemOf(path: string): string {
  const base = baseOf(path);
  const dot = base.indexOf('.', 1);
  if (dot === -1) return base;
  const isVersion = /^\.\d/.test(base.slice(dot));
  return isVersion ? base.slice(0, dot).replace(/[-_]v?\d{1,4}$/, '') : base.slice(0, dot);
}

const TESTS = /(?:^|\/)(?:tests?|__tests__|testdata|fixtures?|mocks?|__mocks__)\//i;

/** Whether a file is in a folder for tests, whose addresses are of nothing that was deployed. */
export function isInTests(path: string): boolean {
  return TESTS.test(path);
}
