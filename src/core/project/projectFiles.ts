import { sanitizeText } from '../base/text.ts';
import { compareValues } from '../base/values.ts';
import { joinPath, type ProjectLayout, parseLayout } from './layout.ts';

/** A project in the workspace: the folder of a tool's configuration, or a root of the workspace. */
export interface Project {
  /** From the root of the workspace; empty for the root itself. */
  readonly folder: string;
  readonly layout: ProjectLayout;
}

const TOOLS = /^(?:foundry\.toml|hardhat\.config\.[cm]?[jt]s|truffle(?:-config)?\.c?js|ape-config\.ya?ml)$/;
const OF_HARDHAT = /^hardhat\.config\./;
const OF_TRUFFLE = /^truffle/;
/** Bytes: what is larger is not what somebody wrote. */
const MAX_CONFIG_BYTES = 256 * 1024;

/** Whether a folder in which this is has a project of its own. */
export function isProject(entries: readonly FolderEntry[]): boolean {
  return entries.some(({ name, kind }) => kind === 'file' && TOOLS.test(name));
}

/** Whether a file of this name says how its project is laid out. */
export function isConfigFile(name: string): boolean {
  return TOOLS.test(name) || name === 'remappings.txt';
}

/** The project whose folder has `entries`. */
export async function readProject(
  files: ProjectFiles,
  folder: string,
  entries: readonly FolderEntry[],
): Promise<Project> {
  const has = (name: string | RegExp) =>
    entries.some(
      (entry) =>
        entry.kind === 'file' && (typeof name === 'string' ? entry.name === name : name.test(entry.name)),
    );
  const text = async (name: string) => {
    if (!has(name)) return undefined;
    const bytes = await files.read(joinPath(folder, name), MAX_CONFIG_BYTES);
    return bytes && new TextDecoder().decode(bytes);
  };
  const [foundryToml, remappingsTxt] = [await text('foundry.toml'), await text('remappings.txt')];
  const layout = parseLayout({
    foundryToml,
    remappingsTxt,
    hardhat: has(OF_HARDHAT),
    truffle: has(OF_TRUFFLE),
  });
  return { folder, layout };
}

/** `path`, which is in the project, from the folder of the project on. */
export function getPathInProject({ folder }: Project, path: string): string {
  return folder === '' ? path : path.slice(folder.length + 1);
}

/** The innermost of the projects that `path` is in. */
export function findProject(path: string, projects: ReadonlyMap<string, Project>): Project | undefined {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const project = projects.get(path.slice(0, end));
    if (project) return project;
  }
  return projects.get('');
}

/** Something in a folder. A symbolic link is `other`: none is followed, so that no loop has to be found. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
}

export interface FileStat {
  readonly kind: FolderEntry['kind'];
  /** In bytes. */
  readonly size: number;
  /** When it was last written, in a number that only ever is compared. */
  readonly modified: number;
}

/**
 * The files of a workspace, wherever they are. Paths are '/'-separated and begin at one root for all: the empty path is
 * the workspace. Nothing here rejects for a file that is not there or may not be read.
 */
export interface ProjectFiles {
  /** Empty where there is no such folder. */
  list(folder: string): Promise<readonly FolderEntry[]>;
  stat(path: string): Promise<FileStat | undefined>;
  /** Undefined where it is not there, or has more than `most` bytes. */
  read(path: string, most: number): Promise<Uint8Array | undefined>;
}

/** Folders whose names are held: more than the sources of a workspace lie in. */
const MAX_CACHED_FOLDERS = 20_000;

export interface FolderNames {
  /** Whether something is at a path, which no part of leads upwards. */
  has(path: string): Promise<boolean>;
}

/** Answers for many paths, for which each folder is listed once. Made for one update, as it keeps what it has seen. */
export function createFolderNames(files: ProjectFiles): FolderNames {
  const folders = new Map<string, Promise<ReadonlySet<string>>>();

  function namesIn(folder: string): Promise<ReadonlySet<string>> {
    const known = folders.get(folder);
    if (known) return known;
    if (folders.size >= MAX_CACHED_FOLDERS) folders.clear();
    const names = files.list(folder).then(namesOf);
    folders.set(folder, names);
    return names;
  }

  return {
    async has(path) {
      const slash = path.lastIndexOf('/');
      return (await namesIn(path.slice(0, Math.max(0, slash)))).has(path.slice(slash + 1));
    },
  };
}

function namesOf(entries: readonly FolderEntry[]): ReadonlySet<string> {
  return new Set(entries.filter(({ kind }) => kind !== 'folder').map(({ name }) => name));
}

/** Folders that are listed. A workspace of 50,000 files has about 5,000. */
export const MAX_FOLDERS = 20_000;
/** Folders in one another; the deepest real artifacts lie at about 12. */
export const MAX_FOLDER_DEPTH = 32;
/** Entries of one folder: `out` of a project has one for each source. */
export const MAX_FOLDER_ENTRIES = 20_000;
/** Files that may tell something. */
export const MAX_PROJECT_FILES = 30_000;
/** Bytes of a file: artifacts have up to 4 MB, with the syntax tree of a large contract in them. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Contracts and deployments in all files together: several times what the largest workspaces have. */
export const MAX_CONTRACTS = 30_000;
export const MAX_DEPLOYMENTS = 100_000;
/** Characters of all texts that are held, each counted once: it bounds the memory. */
export const MAX_TEXT_CHARS = 32 * 1024 * 1024;
/** Sources that are read because others import them. */
export const MAX_IMPORTED_SOURCES = 5_000;
/** Files named in the report as left out; more are counted. */
const MAX_REPORTED_FILES = 1_000;

const MAX_REASON_CHARS = 300;

/** A file or folder that was left out, and why, in one line. */
export interface SkippedFile {
  readonly path: string;
  readonly reason: string;
}

export interface SkippedFiles {
  add(path: string, why: string): void;
  remove(path: string): void;
  /** As `add`, for a bound that was met when the files were looked for. */
  addBound(path: string, why: string): void;
  /** Forgets those bounds, before all is looked for again. */
  clearBounds(): void;
  /** By path, the first {@link MAX_REPORTED_FILES}. */
  readonly reported: readonly SkippedFile[];
  readonly count: number;
}

/** What was left out, one reason a path; the last counts. */
export function createSkippedFiles(): SkippedFiles {
  const reasons = new Map<string, string>();
  const bounds = new Map<string, string>();
  const both = () => new Map([...reasons, ...bounds]);
  return {
    add: (path, reason) => void reasons.set(path, sanitizeText(reason, MAX_REASON_CHARS)),
    remove: (path) => void reasons.delete(path),
    addBound: (path, reason) => void bounds.set(path, reason),
    clearBounds: () => bounds.clear(),
    get reported() {
      const all = [...both()].map(([path, reason]) => ({ path, reason }));
      return all.sort((a, b) => compareValues(a.path, b.path)).slice(0, MAX_REPORTED_FILES);
    },
    get count() {
      return both().size;
    },
  };
}
