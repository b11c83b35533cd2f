import type { AbiItemText } from '../abi/abiItem.ts';
import type { Abortable } from '../base/abortable.ts';
import { linkLoading } from '../contracts/sources/link/linkLoading.ts';
import type { DeclaredAt } from '../contracts/sources/link/linkSource.ts';
import type { FilesReader } from './filesReader.ts';

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
 * await declaredIn(createFilesReader(files, { slices }), { contract: 'Shop', text: 'event Paid(address indexed by)' });
 */
export async function declaredIn(
  reader: FilesReader,
  { contract: name, text }: { readonly contract: string | undefined; readonly text: AbiItemText },
): Promise<DeclaredPlace | undefined> {
  const kind = text.slice(0, text.indexOf(' '));
  for (const path of reader.paths) {
    const facts = await reader.read(path);
    const contracts = facts?.contracts.filter((one) => name === undefined || one.name === name);
    const [first] = contracts ?? [];
    if (!facts || !contracts || !first) continue;
    const found = await linkLoading((linker) => {
      const own = facts.items.map((item) => ({ item, at: { path, contract: undefined } }));
      const all = [...contracts.flatMap((contract) => [...linker.itemsOf(contract, path)]), ...own];
      return all.find(({ item, at }) => item.kind === kind && linker.textOf(item, at) === text);
    }, reader);
    if (found) return placeOf(found);
    if (name !== undefined) return { path, line: first.line };
  }
  return undefined;
}

/**
 * Where the events or errors are declared that an `emit`, `log` or `revert` at an index of a file names: several where
 * they are overloaded. Empty where nothing of the kind stands there.
 *
 * @throws the signal's reason when it aborts.
 * @example
 * await usedIn(createFilesReader(files, { slices }), { path: 'src/Shop.sol', offset: text.indexOf('Paid(') });
 */
export async function usedIn(
  reader: FilesReader,
  { path, offset }: { readonly path: string; readonly offset: number },
  { signal }: Abortable = {},
): Promise<readonly DeclaredPlace[]> {
  const facts = await reader.read(path);
  const use = facts?.uses.find((each) => each.offset <= offset && offset <= each.end);
  if (!facts || !use) return [];
  const at = { path, contract: facts.contracts[use.contract ?? -1] };
  const found = await linkLoading((linker) => linker.itemsUsed(use, at), { ...reader, signal });
  return found.map(placeOf);
}

function placeOf({ item, at }: DeclaredAt): DeclaredPlace {
  return { path: at.path, line: item.line };
}
