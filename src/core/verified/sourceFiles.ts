import type { AbiItemText } from '../abi/item.ts';
import type { Abortable } from '../base/concurrency.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import { MAX_SOURCE_CHARS, type SourceFacts } from '../project/source/declarations.ts';
import { type LocatedDeclaration, linkWithLoading } from '../project/source/linkSource.ts';
import { parseSourceInSlices } from '../project/source/readSource.ts';
import type { VerifiedFile } from './verifiedContract.ts';

/** A line of a file, from 1. */
export interface DeclarationLocation {
  readonly path: string;
  readonly line: number;
}

/**
 * Where an item of a verified contract is declared: in it, or in what it inherits or uses. Where that is not found, the
 * contract's own line; undefined where none of the files has a contract of that name. Of a contract without a known
 * name all are looked through.
 *
 * @example
 * await findDeclaration(createSourceFilesReader(files, { slices }), { contract: 'Shop', text: 'event Paid(address indexed by)' });
 */
export async function findDeclaration(
  reader: SourceFilesReader,
  { contract: name, text }: { readonly contract: string | undefined; readonly text: AbiItemText },
): Promise<DeclarationLocation | undefined> {
  const kind = text.slice(0, text.indexOf(' '));
  for (const path of reader.paths) {
    const facts = await reader.read(path);
    const contracts = facts?.contracts.filter((one) => name === undefined || one.name === name);
    const [first] = contracts ?? [];
    if (!facts || !contracts || !first) continue;
    const found = await linkWithLoading((linker) => {
      const own = facts.items.map((item) => ({ item, at: { path, contract: undefined } }));
      const all = [...contracts.flatMap((contract) => [...linker.itemsOf(contract, path)]), ...own];
      return all.find(({ item, at }) => item.kind === kind && linker.formatItem(item, at) === text);
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
 * await findUsedDeclarations(createSourceFilesReader(files, { slices }), { path: 'src/Shop.sol', offset: text.indexOf('Paid(') });
 */
export async function findUsedDeclarations(
  reader: SourceFilesReader,
  { path, offset }: { readonly path: string; readonly offset: number },
  { signal }: Abortable = {},
): Promise<readonly DeclarationLocation[]> {
  const facts = await reader.read(path);
  const use = facts?.uses.find((each) => each.offset <= offset && offset <= each.end);
  if (!facts || !use) return [];
  const at = { path, contract: facts.contracts[use.contract ?? -1] };
  const found = await linkWithLoading((linker) => linker.itemsUsed(use, at), { ...reader, signal });
  return found.map(placeOf);
}

function placeOf({ item, at }: LocatedDeclaration): DeclarationLocation {
  return { path: at.path, line: item.line };
}

/** Reads what the files of a verified source declare, each once, and finds what they import. */
export interface SourceFilesReader {
  /** Of Solidity and Vyper. */
  readonly paths: readonly string[];
  /** Undefined where there is no such file, or one that is too long to be read. */
  read(path: string): Promise<SourceFacts | undefined>;
  resolve(from: string, imported: string): readonly string[];
}

/**
 * A reader of files that have nothing read yet.
 *
 * @example
 * const reader = createSourceFilesReader(files, { slices });
 * await findDeclaration(reader, { contract: 'Shop', text: 'event Paid(address indexed by)' });
 */
export function createSourceFilesReader(
  files: readonly VerifiedFile[],
  { slices }: { readonly slices: TimeSlices },
): SourceFilesReader {
  const sources = new Map(
    files
      .filter(({ path, text }) => /\.(?:sol|vyi?)$/.test(path) && text.length <= MAX_SOURCE_CHARS)
      .map((file) => [file.path, file]),
  );
  const paths = [...sources.keys()];
  const known = new Map<string, Promise<SourceFacts>>();
  return {
    paths,
    async read(path) {
      const file = sources.get(path);
      const facts = known.get(path) ?? (file && parseSourceInSlices(file, slices));
      if (facts) known.set(path, facts);
      return facts;
    },
    resolve(from, imported) {
      const beside = joined(from, imported);
      return [beside, ...paths.filter((path) => isMapped(path, beside))];
    },
  };
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
