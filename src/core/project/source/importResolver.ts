/** The settings that resolve imports of a project. Paths are '/'-separated. */
export interface ImportRules {
  /** Relative to the project's folder. */
  readonly remappings: readonly ImportRemapping[];
  /** Folders of libraries, such as `lib` and `node_modules`. */
  readonly libs: readonly string[];
  /** The folder of the project if paths are relative to a folder above it; without a trailing slash. */
  readonly folder?: string;
}

/** An import that begins with `prefix` refers to the file at `target`; only in files below `context`, if set. */
export interface ImportRemapping {
  readonly context: string | undefined;
  readonly prefix: string;
  readonly target: string;
}

/** More than any project has. */
const MAX_IMPORT_REMAPPINGS = 500;
const MAX_PARENT_FOLDERS = 12;
const MAX_IMPORT_PATH_CHARS = 1_000;
/** Of one import. A URL of GitHub in a project with two folders of libraries has up to 430 a few folders deep. */
const MAX_PLACES = 500;

/** The same as {@link createImportSearch}, all at once. */
export function createImportResolver(
  rules: ImportRules,
): (from: string, imported: string) => readonly string[] {
  const search = createImportSearch(rules);
  return (from, imported) => [...search(from, imported)];
}

/**
 * Creates the search for imports: the paths at which an imported file may be, the best first, each once, up to
 * {@link MAX_PLACES}.
 *
 * - relative paths;
 * - the remapping with the longest context, then the longest prefix, as in solc;
 * - `node_modules` in the folders above;
 * - libraries of Foundry with their `src` and `contracts`;
 * - the path from the root;
 * - as Remix writes them: a version in the path of a package, and the URL of a file at GitHub or a CDN of npm, which is
 *   looked for where the package or the repository lies, or in the `.deps` of Remix; nothing is downloaded;
 * - Vyper's dotted names as `.vy` and `.vyi`.
 *
 * @example [...createImportSearch({ remappings: [], libs: [] })('src/A.sol', '../B.sol')] // ['B.sol']
 */
export function createImportSearch({
  remappings,
  libs,
  folder: project = '',
}: ImportRules): (from: string, imported: string) => Iterable<string> {
  const root = project === '' ? '' : `${project}/`;
  const rules = remappings.slice(0, MAX_IMPORT_REMAPPINGS).sort(compareLength);

  function remap(from: string, imported: string, foldersAbove: readonly string[]): readonly string[] {
    const rule = rules.find(
      ({ context, prefix }) => isInContext(from, root, context) && imported.startsWith(prefix),
    );
    if (!rule) return [];
    const below = imported.slice(rule.prefix.length);
    const path = rule.target + (rule.prefix.endsWith('/') ? '/' : '') + below;
    // npm may have put the package into a folder above the project.
    return path.startsWith('node_modules/') ? foldersAbove.map((parent) => parent + path) : [root + path];
  }

  function* listPlaces(from: string, imported: string): Iterable<string> {
    if (imported.length > MAX_IMPORT_PATH_CHARS || from.length > MAX_IMPORT_PATH_CHARS) return;
    const folder = getFolderPrefix(from);
    if (/\.vyi?$/.test(from)) return yield* listVyperPaths({ root, folder, imported });
    if (imported.startsWith('./') || imported.startsWith('../')) return yield folder + imported;
    const foldersAbove = listFoldersAbove(folder);
    // Foundry takes the library of the project before one of the same name in a library.
    const inProject = foldersAbove.filter((parent) => parent.startsWith(root)).reverse();
    const withLibraries = [...inProject, ...foldersAbove.filter((parent) => !inProject.includes(parent))];
    for (const name of listPackageNames(imported)) {
      yield* remap(from, name, foldersAbove);
      yield root + name;
      for (const parent of foldersAbove) yield `${parent}node_modules/${name}`;
      for (const parent of withLibraries) {
        for (const lib of libs) yield* listLibraryPaths(`${parent}${lib}/`, name);
      }
    }
    for (const path of listRemixPaths(imported)) yield root + path;
  }

  return function* search(from, imported) {
    const places = new Set<string>();
    let left = MAX_PLACES;
    for (const path of listPlaces(from, imported)) {
      if (left-- === 0) return;
      const place = normalizePath(path);
      if (place === undefined || places.has(place)) continue;
      places.add(place);
      yield place;
    }
  };
}

const VERSIONED = /^((?:@[\w.-]+\/)?[\w.-]+)@[^/]+\/(.+)$/;
/** Also at jsDelivr, with the version behind the repository. */
const GITHUB =
  /^(?:https?:\/\/)?(?:(?:www\.)?github\.com\/([\w.-]+)\/([\w.-]+)\/(?:(?:blob|tree|raw)\/[^/]+\/)?|raw\.githubusercontent\.com\/([\w.-]+)\/([\w.-]+)\/(?:refs\/(?:heads|tags)\/)?[^/]+\/|cdn\.jsdelivr\.net\/gh\/([\w.-]+)\/([\w.-]+?)(?:@[^/]+)?\/)(.+)$/i;
const NPM_CDN = /^https?:\/\/(?:unpkg\.com|cdn\.jsdelivr\.net\/npm|esm\.sh)\//i;

interface RepositoryFile {
  readonly owner: string;
  readonly repository: string;
  readonly path: string;
}

function parseGithubUrl(imported: string): RepositoryFile | undefined {
  const found = GITHUB.exec(imported);
  if (!found) return undefined;
  const [owner, repository] = [found[1] ?? found[3] ?? found[5], found[2] ?? found[4] ?? found[6]];
  const path = found[7]?.replace(/[?#][\s\S]*/, '');
  return owner && repository && path
    ? { owner, repository: repository.replace(/\.git$/, ''), path }
    : undefined;
}

/** The import itself, without the version of its package, or for a URL the names that its package may have. */
function listPackageNames(imported: string): readonly string[] {
  const file = parseGithubUrl(imported);
  if (file) return listRepositoryNames(file);
  const path = imported.replace(NPM_CDN, '');
  const [, name, below] = VERSIONED.exec(path) ?? [];
  return name === undefined ? [path] : [imported, `${name}/${below}`];
}

/**
 * OpenZeppelin publishes `contracts` of `openzeppelin-contracts` as `@openzeppelin/contracts`, Chainlink a folder of its
 * repository as `@chainlink/contracts`; others keep the names.
 */
function listRepositoryNames({ owner, repository, path }: RepositoryFile): readonly string[] {
  const scope = owner.toLowerCase();
  const name = repository.toLowerCase();
  const short = name.startsWith(`${scope}-`) ? name.slice(scope.length + 1) : name;
  const below = path.replace(/^(?:contracts|src)\//, '');
  return [
    `${repository}/${path}`,
    `@${scope}/${short}/${below}`,
    ...[`@${scope}/${short}`, `@${scope}/${name}`, `@${name}`, name].map((one) => `${one}/${path}`),
    `${name}/${below}`,
  ];
}

/** Where Remix saves what it downloads. */
function listRemixPaths(imported: string): readonly string[] {
  const file = parseGithubUrl(imported);
  if (file) return [`.deps/github/${file.owner}/${file.repository}/${file.path}`];
  const path = imported.replace(NPM_CDN, '');
  return [path, ...listPackageNames(path)].map((name) => `.deps/npm/${name}`);
}

function isInContext(from: string, root: string, context: string | undefined): boolean {
  if (context === undefined || context === '') return from.startsWith(root);
  return from === root + context || from.startsWith(`${root}${context}/`);
}

/** The longest context first, then the longest prefix. */
function compareLength(a: ImportRemapping, b: ImportRemapping): number {
  return (b.context ?? '').length - (a.context ?? '').length || b.prefix.length - a.prefix.length;
}

/** The folder of a file with a trailing slash, or empty. */
const getFolderPrefix = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

/** A folder and those above it, up to the root of the project. */
function listFoldersAbove(folder: string): readonly string[] {
  const roots = [folder];
  for (let at = folder; at !== '' && roots.length < MAX_PARENT_FOLDERS; ) {
    at = getFolderPrefix(at.slice(0, -1));
    roots.push(at);
  }
  return roots;
}

/** `forge-std/Test.sol` is `lib/forge-std/src/Test.sol`; `@scope/name/…` is often `lib/scope-name/contracts/…`. */
function listLibraryPaths(lib: string, imported: string): readonly string[] {
  const [first = '', second = '', ...rest] = imported.split('/');
  const isScoped = first.startsWith('@') && rest.length > 0;
  const names = isScoped ? [`${first.slice(1)}-${second}`, first.slice(1)] : [first];
  const below = (isScoped ? rest : [second, ...rest]).join('/');
  return names.flatMap((name) => [
    ...(isScoped ? [`${lib}${name}/${second}/${below}`] : []),
    ...['src/', 'contracts/', ''].map((part) => `${lib}${name}/${part}${below}`),
  ]);
}

/** `.math` is in the folder of the file, `..math` one folder above; other names are at the root or beside the file. */
function listVyperPaths({
  root,
  folder,
  imported,
}: Readonly<Record<'root' | 'folder' | 'imported', string>>): readonly string[] {
  const dots = /^\.{0,16}/.exec(imported)?.[0].length ?? 0;
  const below = imported.slice(dots).replaceAll('.', '/');
  const starts = dots > 0 ? [folder + '../'.repeat(dots - 1)] : [root, folder];
  return starts.flatMap((start) => [`${start}${below}.vy`, `${start}${below}.vyi`]);
}

/** Undefined for a path that leads outside of the root. */
function normalizePath(path: string): string | undefined {
  if (!UNUSUAL_PART.test(path)) return path;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined;
    if (part !== '..' && part !== '.' && part !== '') parts.push(part);
  }
  return parts.length > 0 ? parts.join('/') : undefined;
}

/** A part of a path that is empty, `.` or `..`. */
const UNUSUAL_PART = /(?:^|\/)\.{0,2}(?:\/|$)/;
