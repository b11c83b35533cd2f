import type { AbiItemText } from '../abi/abiItem.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import { LONGEST_SOURCE } from '../contracts/sources/limits.ts';
import { linkLoading } from '../contracts/sources/link/linkLoading.ts';
import { readSourceInSlices } from '../contracts/sources/readSource.ts';
import type { SourceFacts } from '../contracts/sources/sourceFacts.ts';
import type { VerifiedFile } from './verifiedContract.ts';

/** A line of a file, from 1. */
export interface DeclaredPlace {
  readonly path: string;
  readonly line: number;
}

/**
 * Where an item of a verified contract is declared: in it, or in what it inherits or uses. Where that is not found, the
 * contract's own line; undefined where none of the files has a contract of that name. Of a contract without a known
 * name all are looked through.
 *
 * @example
 * await declaredIn(files, { contract: 'Shop', text: 'event Paid(address indexed by)' }, { slices });
 */
export async function declaredIn(
  files: readonly VerifiedFile[],
  { contract: name, text }: { readonly contract: string | undefined; readonly text: AbiItemText },
  { slices }: { readonly slices: TimeSlices },
): Promise<DeclaredPlace | undefined> {
  const read = new Map<string, SourceFacts>();
  for (const file of files) {
    if (!/\.(?:sol|vyi?)$/.test(file.path)) continue;
    if (file.text.length <= LONGEST_SOURCE) read.set(file.path, await readSourceInSlices(file, slices));
  }
  const resolve = (from: string, imported: string) => {
    const beside = joined(from, imported);
    return [beside, ...[...read.keys()].filter((path) => isMapped(path, beside))];
  };
  const kind = text.slice(0, text.indexOf(' '));
  for (const [path, facts] of read) {
    const contracts = facts.contracts.filter((one) => name === undefined || one.name === name);
    const [first] = contracts;
    if (!first) continue;
    const reader = { read: async (wanted: string) => read.get(wanted), resolve };
    const found = await linkLoading((linker) => {
      const own = facts.items.map((item) => ({ item, at: { path, contract: undefined } }));
      const all = [...contracts.flatMap((contract) => [...linker.itemsOf(contract, path)]), ...own];
      return all.find(({ item, at }) => item.kind === kind && linker.textOf(item, at) === text);
    }, reader);
    if (found) return { path: found.at.path, line: found.item.line };
    if (name !== undefined) return { path, line: first.line };
  }
  return undefined;
}

/** A path beside that of the file that names it: of an import that begins with a dot. */
function joined(from: string, imported: string): string {
  if (!imported.startsWith('.')) return imported;
  const parts = from.split('/').slice(0, -1);
  for (const part of imported.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** Whether a file may be what a remapping makes of an import: `@lib/token/A.sol` is `node_modules/@lib/token/A.sol`. */
function isMapped(path: string, imported: string): boolean {
  const below = imported.slice(imported.indexOf('/') + 1);
  return path.endsWith(`/${imported}`) || path.endsWith(`/${below}`);
}
