import { type Budget, createBudget } from '../base/timeSlices.ts';
import { pushAll } from '../base/values.ts';
import { joinPath, normalizePath, type ProjectLayout, type Remapping } from './layout.ts';

/** Folders that are listed for one project: real ones have up to a hundred, with those in libraries. */
const MAX_LISTED_FOLDERS = 300;
/** Of all libraries. */
const MAX_LIBRARY_REMAPPINGS = 400;
/** That are chosen from: hundreds of times what a library has. */
const MAX_READ_RULES = 5_000;

interface Entry {
  readonly name: string;
  readonly kind: string;
}

interface LibraryReader {
  /** Of the project. */
  readonly entries: readonly Entry[];
  readonly list: (folder: string) => Promise<readonly Entry[]>;
  /** The layout that a folder with these entries has as a project. */
  readonly readLayout: (folder: string, entries: readonly Entry[]) => Promise<ProjectLayout>;
  /** Folders that may be listed. */
  readonly budget: Budget;
}

interface LibraryRemappings {
  readonly remappings: readonly Remapping[];
  /** Whether some libraries were left out. */
  readonly isCut: boolean;
}

/**
 * Finds the remappings that the libraries of a project bring along, and those in libraries, as remappings of the project:
 *
 * - what a library declares counts in its folder, as for Hardhat 3 and for Foundry after 1.7;
 * - and everywhere, as for Foundry 1.7, like the name of each library: the target in the fewest folders.
 *
 * The project's own remappings go before, and the folders of its sources keep their names. Packages of npm are not
 * searched. https://hardhat.org/docs/guides/writing-contracts/remappings
 *
 * @param layout of the project itself. All folders are relative to it.
 * @example const { remappings } = await findLibraryRemappings(layout, reader);
 */
export async function findLibraryRemappings(
  layout: ProjectLayout,
  { entries: ofProject, list, readLayout, budget }: LibraryReader,
): Promise<LibraryRemappings> {
  const inContext: Remapping[] = [];
  const everywhere: Remapping[] = [];
  const pending = [...listLibraryFolders(layout, ofProject)];
  const folders = createBudget(MAX_LISTED_FOLDERS);
  const read = createBudget(MAX_READ_RULES);
  let isCut = false;
  const mayList = () => {
    const may = folders.pay(1) && budget.pay(1);
    isCut ||= !may;
    return may;
  };
  for (const folder of pending) {
    if (!mayList()) break;
    for (const { name, kind } of await list(folder)) {
      if (kind !== 'folder') continue;
      if (!mayList()) break;
      const library = joinPath(folder, name);
      const entries = await list(library);
      const ofLibrary = await readLayout(library, entries);
      everywhere.push(nameLibrary(name, library, entries));
      pushAll(
        pending,
        listLibraryFolders(ofLibrary, entries).map((lib) => joinPath(library, lib)),
      );
      if (!read.pay(ofLibrary.remappings.length)) {
        isCut = true;
        continue;
      }
      const rules = ofLibrary.remappings.flatMap((rule) => moveRule(rule, library));
      pushAll(
        inContext,
        rules.map((rule) => ({ ...rule, context: rule.context ?? library })),
      );
      pushAll(
        everywhere,
        rules.filter(({ context }) => context === undefined),
      );
    }
  }
  const closest = new Map<string, { readonly rule: Remapping; readonly parts: number }>();
  for (const rule of everywhere) {
    const parts = countParts(rule.target);
    if (parts < (closest.get(rule.prefix)?.parts ?? Number.POSITIVE_INFINITY))
      closest.set(rule.prefix, { rule, parts });
  }
  const own = layout.remappings
    .filter(({ context }) => context === undefined)
    .map(({ prefix }) => prefix.replace(/\/?$/, '/'));
  const taken = new Set([...layout.src, ...layout.test, ...layout.script, 'contracts', 'lib', 'src']);
  const ownPrefixes = new Set(own);
  const isTaken = ({ context, prefix }: Remapping) =>
    listPrefixes(prefix).some((start) => ownPrefixes.has(start)) ||
    (context === undefined && taken.has(prefix.replace(/\/$/, '')));
  const ofLibraries = [...closest.values()].sort((a, b) => a.parts - b.parts).map(({ rule }) => rule);
  const remappings = [...inContext, ...ofLibraries].filter((rule) => !isTaken(rule));
  return {
    remappings: remappings.slice(0, MAX_LIBRARY_REMAPPINGS),
    isCut: isCut || remappings.length > MAX_LIBRARY_REMAPPINGS,
  };
}

/** The folders at the start of a prefix. @example listPrefixes('a/b/c') // ['a/', 'a/b/'] */
function listPrefixes(prefix: string): readonly string[] {
  return [...prefix.matchAll(/\//g)].map(({ index }) => prefix.slice(0, index + 1));
}

const isOutside = (path: string) => /^(?:\/|\.\.(?:\/|$))/.test(path);

/** Also `lib` of Hardhat 3, where Git puts libraries. Without packages of npm, which are found by their names. */
function listLibraryFolders({ libs }: ProjectLayout, entries: readonly Entry[]): readonly string[] {
  const names = new Set(entries.map(({ name }) => name));
  return [...new Set(['lib', ...libs])].filter(
    (lib) => names.has(lib.split('/')[0] ?? '') && !/(?:^|\/)node_modules$/.test(lib),
  );
}

/** A rule of a library, from the root of the project. Empty if it leads out of the project or names a context elsewhere. */
function moveRule({ context, prefix, target }: Remapping, library: string): readonly Remapping[] {
  const [moved, within] = [target, context ?? ''].map((path) =>
    path.startsWith('/') ? undefined : normalizePath(joinPath(library, path)),
  );
  if (moved === undefined || within === undefined || isOutside(moved) || isOutside(within)) return [];
  return [{ context: context === undefined ? undefined : within, prefix, target: moved }];
}

/** `x/` is the folder of the library's sources. */
function nameLibrary(name: string, library: string, entries: readonly Entry[]): Remapping {
  const sources = ['src', 'contracts'].find((folder) =>
    entries.some((entry) => entry.kind === 'folder' && entry.name === folder),
  );
  const target = sources === undefined ? library : joinPath(library, sources);
  return { context: undefined, prefix: `${name}/`, target };
}

const countParts = (path: string) => path.split('/').length;
