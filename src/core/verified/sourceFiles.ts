import type { AbiItemText } from '../abi/item.ts';
import type { Abortable } from '../base/concurrency.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import { addToList } from '../base/values.ts';
import { MAX_SOURCE_CHARS, type SourceFacts } from '../project/source/declarations.ts';
import { type LocatedDeclaration, linkWithLoading } from '../project/source/linkSource.ts';
import { parseSourceInSlices } from '../project/source/readSource.ts';
import type { VerifiedFile } from './verifiedContract.ts';

/**
 * Finds the declaration of an item of a verified contract: in the contract, or in what it inherits or uses.
 * Falls back to the line of the contract; undefined if no file contains that contract. Without a contract
 * name, searches all contracts.
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
    const found = await linkWithLoading(async (linker) => {
      const fileLevel = facts.items.map((item) => ({ item, at: { path, contract: undefined } }));
      for (const items of [...contracts.map((contract) => linker.itemsOf(contract, path)), fileLevel])
        for (const { item, at } of items) {
          if (item.kind === kind && linker.isDeclarationOf(text, item, at)) return { item, at };
          if (reader.slices.isOver()) await reader.slices.rest();
        }
      return undefined;
    }, reader);
    if (found) return toLocation(found);
    if (name !== undefined) return { path, line: first.line };
  }
  return undefined;
}

interface DeclarationLocation {
  readonly path: string;
  readonly line: number;
}

/**
 * Finds the declarations of the event or error that an `emit`, `log` or `revert` at an offset uses: several
 * if it is overloaded, none if there is no such use.
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
  return found.map(toLocation);
}

function toLocation({ item, at }: LocatedDeclaration): DeclarationLocation {
  return { path: at.path, line: item.line };
}

/** Parses the declarations of verified source files, each once, and resolves their imports. */
export interface SourceFilesReader {
  /** Solidity and Vyper files. */
  readonly paths: readonly string[];
  /** Undefined if the file does not exist or is too long. */
  read(path: string): Promise<SourceFacts | undefined>;
  resolve(from: string, imported: string): readonly string[];
  readonly slices: TimeSlices;
}

/**
 * Creates a reader; files are parsed on first use.
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
  const parsed = new Map<string, Promise<SourceFacts>>();
  const places = indexEnds(paths);
  return {
    paths,
    slices,
    async read(path) {
      const file = sources.get(path);
      const facts = parsed.get(path) ?? (file && parseSourceInSlices(file, slices));
      if (facts) parsed.set(path, facts);
      return facts;
    },
    resolve(from, imported) {
      const literal = resolveRelative(from, imported);
      // A remapping may turn `@lib/token/A.sol` into `node_modules/@lib/token/A.sol`, or `lib/src/token/A.sol`.
      const below = literal.slice(literal.indexOf('/') + 1);
      const mapped = [...(places.get(literal) ?? []), ...(places.get(below) ?? [])];
      return [...new Set([literal, ...mapped])];
    },
  };
}

function resolveRelative(from: string, imported: string): string {
  if (!imported.startsWith('.')) return imported;
  const parts = from.split('/').slice(0, -1);
  for (const part of imported.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** The paths that end with `/` and a text, by that text. */
function indexEnds(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, string[]>();
  for (const path of paths)
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      const end = path.slice(slash + 1);
      if ((index.get(end)?.length ?? 0) < MAX_PLACES) addToList(index, end, path);
    }
  return index;
}

/** Files of one import. */
const MAX_PLACES = 8;
