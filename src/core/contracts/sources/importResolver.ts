/** What decides where imports lead. Paths are separated by `/` and relative to the root of the project. */
export interface ImportRules {
  /** As Foundry and solc write them, `context:prefix=target`, the context and its colon often left out. */
  readonly remappings: readonly string[];
  /** Folders of libraries, `lib` and `node_modules`. */
  readonly libs: readonly string[];
}

/** Remappings and folders above a file that are looked into: no project has so many. */
const MOST_REMAPPINGS = 500;
const MOST_FOLDERS = 12;
const LONGEST_PATH = 1_000;

/**
 * Makes the `resolve` of `linkSource`: where the file may be that another one imports, the best place first. Relative
 * paths; the remapping with the longest context, then the longest prefix, as solc takes it; `node_modules` of the
 * folders above; libraries of Foundry with their `src` and `contracts`; the path from the root. Names with dots of
 * Vyper lead to `.vy`, `.vyi`.
 *
 * @example createImportResolver({ remappings: ['oz/=lib/oz/src/'], libs: [] })('src/A.sol', 'oz/B.sol')[0] // 'lib/oz/src/B.sol'
 */
export function createImportResolver({
  remappings,
  libs,
}: ImportRules): (from: string, imported: string) => readonly string[] {
  const rules = remappings.slice(0, MOST_REMAPPINGS).flatMap((text) => readRemapping(text) ?? []);
  rules.sort((a, b) => b.context.length - a.context.length || b.prefix.length - a.prefix.length);

  return (from, imported) => {
    if (imported.length > LONGEST_PATH || from.length > LONGEST_PATH) return [];
    const folder = folderOf(from);
    if (/\.vyi?$/.test(from)) return vyperPlaces(folder, imported);
    if (imported.startsWith('./') || imported.startsWith('../')) return inProject([`${folder}${imported}`]);
    const rule = rules.find(({ context, prefix }) => from.startsWith(context) && imported.startsWith(prefix));
    const remapped = rule ? [rule.target + imported.slice(rule.prefix.length)] : [];
    const roots = rootsAbove(folder);
    const installed = roots.map((root) => `${root}node_modules/${imported}`);
    const inLibraries = roots.flatMap((root) =>
      libs.flatMap((lib) => libraryPlaces(`${root}${lib}/`, imported)),
    );
    return inProject([...remapped, imported, ...installed, ...inLibraries]);
  };
}

interface Remapping {
  readonly context: string;
  readonly prefix: string;
  readonly target: string;
}

function readRemapping(text: string): Remapping | undefined {
  const equals = text.indexOf('=');
  const colon = text.lastIndexOf(':', equals);
  const prefix = text.slice(colon + 1, equals).trim();
  if (equals < 0 || prefix === '') return undefined;
  return { context: text.slice(0, Math.max(colon, 0)).trim(), prefix, target: text.slice(equals + 1).trim() };
}

/** Empty, or with a slash at its end. */
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

/** A folder, and those above it up to the root of the project. */
function rootsAbove(folder: string): readonly string[] {
  const roots = [folder];
  for (let at = folder; at !== '' && roots.length < MOST_FOLDERS; ) {
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
function vyperPlaces(folder: string, imported: string): readonly string[] {
  const dots = /^\.{0,16}/.exec(imported)?.[0].length ?? 0;
  const below = imported.slice(dots).replaceAll('.', '/');
  const starts = dots > 0 ? [folder + '../'.repeat(dots - 1)] : ['', folder];
  return inProject(starts.flatMap((start) => [`${start}${below}.vy`, `${start}${below}.vyi`]));
}

/** Without `.` and `..`; none that leads out of the project, and each once. */
function inProject(paths: readonly string[]): readonly string[] {
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
