/** An import that begins with `prefix` means the file at `target` instead, in files below `context` where there is one. */
export interface ImportRemapping {
  readonly context: string | undefined;
  readonly prefix: string;
  readonly target: string;
}

/** What decides where imports of a project lead. Paths are separated by `/`. */
export interface ImportRules {
  /** From the folder of the project. */
  readonly remappings: readonly ImportRemapping[];
  /** Folders of libraries, `lib` and `node_modules`. */
  readonly libs: readonly string[];
  /** The folder of the project, where the files begin somewhere above it; no slash at its end. */
  readonly folder?: string;
}

/** Remappings and folders above a file that are looked into: no project has so many. */
const MAX_IMPORT_REMAPPINGS = 500;
const MAX_PARENT_FOLDERS = 12;
const MAX_IMPORT_PATH_CHARS = 1_000;

/**
 * Makes the `resolve` of `linkSource`: where the file may be that another one imports, the best place first. Relative
 * paths; the remapping with the longest context, then the longest prefix, as solc takes it; `node_modules` of the
 * folders above; libraries of Foundry with their `src` and `contracts`; the path from the root. Names with dots of
 * Vyper lead to `.vy`, `.vyi`.
 *
 * @example createImportResolver({ remappings: [], libs: [] })('src/A.sol', '../B.sol') // ['B.sol']
 */
export function createImportResolver({
  remappings,
  libs,
  folder: project = '',
}: ImportRules): (from: string, imported: string) => readonly string[] {
  const root = project === '' ? '' : `${project}/`;
  const rules = remappings.slice(0, MAX_IMPORT_REMAPPINGS).sort(byLength);

  function remapped(from: string, imported: string): readonly string[] {
    const rule = rules.find(
      ({ context = '', prefix }) => from.startsWith(root + context) && imported.startsWith(prefix),
    );
    if (!rule) return [];
    const below = imported.slice(rule.prefix.length);
    return [root + rule.target + (rule.prefix.endsWith('/') ? '/' : '') + below];
  }

  return (from, imported) => {
    if (imported.length > MAX_IMPORT_PATH_CHARS || from.length > MAX_IMPORT_PATH_CHARS) return [];
    const folder = folderOf(from);
    if (/\.vyi?$/.test(from)) return vyperPlaces({ root, folder, imported });
    if (imported.startsWith('./') || imported.startsWith('../')) return inside([folder + imported]);
    const above = rootsAbove(folder);
    const installed = above.map((at) => `${at}node_modules/${imported}`);
    const inLibraries = above.flatMap((at) => libs.flatMap((lib) => libraryPlaces(`${at}${lib}/`, imported)));
    return inside([...remapped(from, imported), root + imported, ...installed, ...inLibraries]);
  };
}

/** The longest context first, then the longest prefix. */
function byLength(a: ImportRemapping, b: ImportRemapping): number {
  return (b.context ?? '').length - (a.context ?? '').length || b.prefix.length - a.prefix.length;
}

/** Empty, or with a slash at its end. */
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

/** A folder, and those above it up to the root of the project. */
function rootsAbove(folder: string): readonly string[] {
  const roots = [folder];
  for (let at = folder; at !== '' && roots.length < MAX_PARENT_FOLDERS; ) {
    at = folderOf(at.slice(0, -1));
    roots.push(at);
  }
  return roots;
}

/** `forge-std/Test.sol` is `lib/forge-std/src/Test.sol`; `@scope/name/…` is often `lib/scope-name/contracts/…`. */
function libraryPlaces(lib: string, imported: string): readonly string[] {
  const [first = '', second = '', ...rest] = imported.split('/');
  const isScoped = first.startsWith('@') && rest.length > 0;
  const names = isScoped ? [`${first.slice(1)}-${second}`, first.slice(1)] : [first];
  const below = (isScoped ? rest : [second, ...rest]).join('/');
  return names.flatMap((name) => [
    ...(isScoped ? [`${lib}${name}/${second}/${below}`] : []),
    ...['src/', 'contracts/', ''].map((part) => `${lib}${name}/${part}${below}`),
  ]);
}

/** `.math` is beside the file, `..math` a folder above; other names are from the root, or beside the file. */
function vyperPlaces({
  root,
  folder,
  imported,
}: Readonly<Record<'root' | 'folder' | 'imported', string>>): readonly string[] {
  const dots = /^\.{0,16}/.exec(imported)?.[0].length ?? 0;
  const below = imported.slice(dots).replaceAll('.', '/');
  const starts = dots > 0 ? [folder + '../'.repeat(dots - 1)] : [root, folder];
  return inside(starts.flatMap((start) => [`${start}${below}.vy`, `${start}${below}.vyi`]));
}

/** Without `.` and `..`; none that leads out of where the files begin, and each once. */
function inside(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap((path) => normalised(path) ?? []))];
}

function normalised(path: string): string | undefined {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined;
    if (part !== '..' && part !== '.' && part !== '') parts.push(part);
  }
  return parts.length > 0 ? parts.join('/') : undefined;
}
