import type { SliceOptions } from '../base/timeSlices.ts';
import { asRecord, type PlainRecord } from '../base/values.ts';
import { hashInSlices } from '../eth/keccak.ts';
import type { IndexedContract } from '../project/index/joinContracts.ts';
import { getFolder, joinPath } from '../project/layout.ts';
import { isProject, type ProjectFiles } from '../project/projectFiles.ts';

/** How the sources of a build compare with the files of the project. Paths are from the workspace root. */
export interface SourceChanges {
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
  /** Whether some sources cannot be compared, although the project has the source of the contract. */
  readonly isPartial: boolean;
}

/** Sources of one contract. */
const MAX_SOURCES = 500;
/** Folders of packages: what is missing there may never have been installed. */
const PACKAGE_FOLDER = /^(?:lib|dependencies|node_modules)\/(?:@[^/]+\/)?[^/]+/;

/**
 * Compares the sources that a build was made from with the files of the project.
 *
 * @param sources.hashes entries of the metadata of solc: `keccak256`, or `content`, by the name that the compiler has.
 * @param sources.at the path of a source from the workspace root; undefined for one outside.
 * @param sources.readText undefined if there is no such file; `tooLarge` for one that is not compared.
 * @throws the reason of the signal when it aborts.
 * @example const { changed } = await compareSources(contract, { hashes, at, readText, files }, { slices });
 */
export async function compareSources(
  contract: Pick<IndexedContract, 'project' | 'source'>,
  {
    hashes,
    at,
    readText,
    files,
  }: {
    readonly hashes: PlainRecord;
    readonly at: (source: string) => string | undefined;
    readonly readText: (path: string) => Promise<SourceFile | undefined>;
    readonly files: Pick<ProjectFiles, 'list'>;
  },
  options: SliceOptions,
): Promise<SourceChanges> {
  const { project, source: own } = contract;
  const changed: string[] = [];
  const deleted: string[] = [];
  const entries = Object.entries(hashes);
  let hasUnknown = entries.length === 0 || entries.length > MAX_SOURCES;

  async function find(source: string, path: string) {
    for (const each of [path, ...listPackagePaths(project, source)]) {
      const file = await readText(each);
      if (file !== undefined) return { path: each, file };
    }
    return undefined;
  }

  /** A source of a folder that is still there. */
  async function isDeleted(path: string): Promise<boolean> {
    const inner = project === '' ? path : path.slice(project.length + 1);
    const [root = inner] = PACKAGE_FOLDER.exec(inner) ?? inner.split('/');
    return root !== inner && (await files.list(joinPath(project, root))).length > 0;
  }

  let hasFound = false;
  const missing: string[] = [];
  for (const [source, value] of entries.slice(0, MAX_SOURCES)) {
    const { keccak256, content } = asRecord(value);
    const path = at(source);
    const found = path === undefined ? undefined : await find(source, path);
    if (path === undefined) hasUnknown = true;
    else if (found) {
      hasFound = true;
      if (found.file === 'tooLarge') hasUnknown = true;
      else if ((await findCompiled(found.file.text, { keccak256, content }, options)) === undefined)
        changed.push(found.path);
    } else if (await isDeleted(path)) deleted.push(path);
    else missing.push(path);
  }
  // A published package has its artifacts alone, a project its configuration too.
  const isEmptied = !hasFound && missing.length > 0 && isProject(await files.list(project));
  if (isEmptied) for (const each of missing) deleted.push(each);
  const isHere = own !== undefined && (await readText(own)) !== undefined;
  return { changed, deleted, isPartial: isHere && (hasUnknown || missing.length > 0) };
}

/** A source of the project; `tooLarge` above {@link MAX_COMPARED_BYTES}. */
export type SourceFile = { readonly text: string } | 'tooLarge';

/** Of a source: what is longer is not compared with the one that was compiled. */
export const MAX_COMPARED_BYTES = 1024 * 1024;

/**
 * The text of a file as it was compiled; undefined if it is not the one. Compilers read files with the line ends of Unix,
 * some without a byte order mark.
 *
 * @param compiled its entry in the metadata of solc: `keccak256`, or `content`.
 * @throws the reason of the signal when it aborts.
 * @example await findCompiled('contract A {}', { content: 'contract A {}' }, { slices }); // 'contract A {}'
 */
export async function findCompiled(
  text: string,
  { keccak256, content }: PlainRecord,
  options: SliceOptions,
): Promise<string | undefined> {
  const unix = text.replaceAll('\r\n', '\n');
  for (const each of new Set([text, unix, `\ufeff${text}`, `\ufeff${unix}`])) {
    const isSame =
      typeof content === 'string' ? each === content : (await hashInSlices(each, options)) === keccak256;
    if (isSame) return each;
  }
  return undefined;
}

/** A package is in `node_modules` of the project, or of a folder around it. */
function listPackagePaths(project: string, source: string): readonly string[] {
  const folders = [project];
  for (let folder = project; folder !== ''; ) {
    folder = getFolder(folder);
    folders.push(folder);
  }
  return folders.map((folder) => joinPath(folder, `node_modules/${source}`));
}
