import { sanitizeText } from '../base/text.ts';
import { createBudget } from '../base/timeSlices.ts';
import { compareValues } from '../base/values.ts';
import { readFoundryConfig } from './foundryExtends.ts';
import { joinPath, type ProjectLayout, parseLayout } from './layout.ts';
import { findLibraryRemappings } from './libraryRemappings.ts';

/** Folders that are listed. A workspace of 50,000 files has about 5,000. */
export const MAX_FOLDERS = 20_000;
/** The deepest real artifacts are at about 12. */
export const MAX_FOLDER_DEPTH = 32;
/** Entries of one folder: `out` of a project has one per source. */
export const MAX_FOLDER_ENTRIES = 20_000;
export const MAX_PROJECT_FILES = 30_000;
/** Artifacts have up to 4 MB: they contain the syntax tree of the contract. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Contracts and deployments of all files: several times what the largest workspaces have. */
export const MAX_CONTRACTS = 30_000;
export const MAX_DEPLOYMENTS = 100_000;
/** Characters of all stored texts, each counted once; limits the memory. */
export const MAX_TEXT_CHARS = 32 * 1024 * 1024;
/** Sources outside of the walked folders, read because others import them. */
export const MAX_IMPORTED_SOURCES = 5_000;
/** A larger file was not written by hand. */
const MAX_CONFIG_BYTES = 256 * 1024;
/** Skipped files that are listed; more are only counted. */
const MAX_REPORTED_FILES = 1_000;

const MAX_REASON_CHARS = 300;

/**
 * The files of a workspace. Paths are '/'-separated and relative to one common root; the empty path is the workspace.
 * Nothing rejects for a file that does not exist or cannot be read.
 */
export interface ProjectFiles {
  /** How many files are read at most, where each takes a request. */
  readonly maxFiles?: number | undefined;
  /** Empty if the folder does not exist. */
  list(folder: string): Promise<readonly FolderEntry[]>;
  stat(path: string): Promise<FileStat | undefined>;
  /** Undefined if the file does not exist or has more than `maxBytes` bytes. */
  read(path: string, maxBytes: number): Promise<Uint8Array | undefined>;
}

/** An entry of a folder. A symbolic link is `other`: links are never followed, so there are no loops to detect. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
}

export interface FileStat {
  readonly kind: FolderEntry['kind'];
  readonly size: number;
  /** The time of the last write, in any unit: it is only compared. */
  readonly modified: number;
}

/** A project in the workspace: a folder with a tool's configuration, or a root of the workspace. */
export interface Project {
  /** From the workspace root; empty for the root itself. */
  readonly folder: string;
  readonly layout: ProjectLayout;
  /** What of `foundry.toml` and of the files that it extends is not used, and why. */
  readonly leftOut?: string | undefined;
}

const TOOL_CONFIG =
  /^(?:foundry\.toml|hardhat\.config\.[cm]?[jt]s|truffle(?:-config)?\.c?js|ape-config\.ya?ml)$/;
const HARDHAT_CONFIG = /^hardhat\.config\./;
const TRUFFLE_CONFIG = /^truffle/;

/** A Swift package has a `.build` too. */
function isApe(entries: readonly { readonly name: string }[]): boolean {
  return entries.some(({ name }) =>
    /^(?:ape-config\.ya?ml|pyproject\.toml|contracts|interfaces)$/.test(name),
  );
}

export function isProject(entries: readonly FolderEntry[]): boolean {
  return entries.some(({ name, kind }) => kind === 'file' && TOOL_CONFIG.test(name));
}

/** A `foundry.toml` may extend any file. */
export function isConfigFile(name: string): boolean {
  return TOOL_CONFIG.test(name) || name === 'remappings.txt' || name.endsWith('.toml');
}

/**
 * Reads the configuration of a project, and what its libraries add to it.
 *
 * @param budget of folders of libraries that are listed, for all projects of a workspace.
 */
export async function readProject(
  files: Pick<ProjectFiles, 'list' | 'read'>,
  folder: string,
  entries: readonly FolderEntry[],
  budget = createBudget(MAX_LIBRARY_FOLDERS),
): Promise<Project> {
  const { layout, leftOut } = await readLayout(files, folder, entries);
  const ofLibraries = await findLibraryRemappings(layout, {
    entries,
    budget,
    list: (inner) => files.list(joinPath(folder, inner)),
    readLayout: async (inner, listed) => (await readLayout(files, joinPath(folder, inner), listed)).layout,
  });
  const remappings = [...layout.remappings, ...ofLibraries.remappings];
  const all = [leftOut, ofLibraries.isCut ? LIBRARIES_CUT : undefined].filter(Boolean).join(' ');
  return { folder, layout: { ...layout, remappings }, leftOut: all === '' ? undefined : all };
}

/** Folders of libraries that are listed for the projects of a workspace. */
export const MAX_LIBRARY_FOLDERS = 3_000;
const LIBRARIES_CUT = 'There are too many libraries in libraries. The remappings of some are not used.';

async function readLayout(
  files: Pick<ProjectFiles, 'read'>,
  folder: string,
  entries: readonly { readonly name: string; readonly kind: string }[],
): Promise<Pick<Project, 'layout' | 'leftOut'>> {
  const has = (name: string | RegExp) =>
    entries.some(
      (entry) =>
        entry.kind === 'file' && (typeof name === 'string' ? entry.name === name : name.test(entry.name)),
    );
  const readText = async (path: string) => {
    const bytes = await files.read(path, MAX_CONFIG_BYTES);
    return bytes && decodeFileText(bytes);
  };
  const text = async (name: string) => (has(name) ? readText(joinPath(folder, name)) : undefined);
  const [foundryToml, remappingsTxt] = [await text('foundry.toml'), await text('remappings.txt')];
  const config =
    foundryToml === undefined
      ? undefined
      : await readFoundryConfig(joinPath(folder, 'foundry.toml'), foundryToml, readText);
  const layout = parseLayout({
    foundryToml: config?.toml,
    remappingsTxt,
    hardhat: has(HARDHAT_CONFIG),
    truffle: has(TRUFFLE_CONFIG),
    ape: entries.some(({ name, kind }) => kind === 'folder' && name === '.build') && isApe(entries),
  });
  const leftOut = [config?.error, layout.limit].filter(Boolean).join(' ');
  return { layout, leftOut: leftOut === '' ? undefined : leftOut };
}

/** A path in the project, relative to the project's folder. */
export function getPathInProject({ folder }: Project, path: string): string {
  return folder === '' ? path : path.slice(folder.length + 1);
}

/** The innermost project that contains `path`. */
export function findProject(path: string, projects: ReadonlyMap<string, Project>): Project | undefined {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const project = projects.get(path.slice(0, end));
    if (project) return project;
  }
  return projects.get('');
}

export interface SkippedFile {
  readonly path: string;
  readonly reason: string;
}

export interface SkippedFiles {
  add(path: string, reason: string): void;
  remove(path: string): void;
  /** Like `add`, for a limit that was reached while listing folders. */
  addLimit(path: string, reason: string): void;
  clearLimits(): void;
  /** Sorted by path, the first {@link MAX_REPORTED_FILES}. */
  readonly reported: readonly SkippedFile[];
  readonly count: number;
}

/** Stores the last reason of each path; a path without a reason has all its limits. */
export function createSkippedFiles(): SkippedFiles {
  const reasons = new Map<string, string>();
  const limits = new Map<string, string>();
  const merge = () => new Map([...reasons, ...limits]);
  return {
    add: (path, reason) => void reasons.set(path, sanitizeText(reason, MAX_REASON_CHARS)),
    remove: (path) => void reasons.delete(path),
    addLimit(path, reason) {
      const known = limits.get(path);
      if (!known?.includes(reason)) limits.set(path, known === undefined ? reason : `${known} ${reason}`);
    },
    clearLimits: () => limits.clear(),
    get reported() {
      const all = [...merge()].map(([path, reason]) => ({ path, reason }));
      return all.sort((a, b) => compareValues(a.path, b.path)).slice(0, MAX_REPORTED_FILES);
    },
    get count() {
      return merge().size;
    },
  };
}

/** Bytes that show the encoding of a file without a mark. */
const MAX_EXAMINED_BYTES = 1_024;

/**
 * The text of a file, without its byte order mark: UTF-8, or UTF-16 as editors and shells of Windows write it, with a mark
 * or where every other byte is zero. It has a NUL only if the file is not text, or UTF-32.
 *
 * @example decodeFileText(Uint8Array.of(0xff, 0xfe, 0x41, 0)) // 'A'
 */
export function decodeFileText(bytes: Uint8Array): string {
  return new TextDecoder(findEncoding(bytes)).decode(bytes);
}

function findEncoding(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const examined = bytes.subarray(0, MAX_EXAMINED_BYTES);
  const isZeroAt = (parity: number) => (byte: number, index: number) => byte === 0 && index % 2 === parity;
  const [even, odd] = [examined.filter(isZeroAt(0)).length, examined.filter(isZeroAt(1)).length];
  // Names and keywords are ASCII; comments may not be.
  const many = examined.length / 4;
  if (odd > many && even < odd / 16) return 'utf-16le';
  return even > many && odd < even / 16 ? 'utf-16be' : 'utf-8';
}
