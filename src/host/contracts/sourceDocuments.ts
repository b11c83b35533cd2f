import * as vscode from 'vscode';
import {
  type AbiItemText,
  type Clock,
  createImportResolver,
  createTimeSlices,
  MAX_SOURCE_CHARS,
  type Origin,
  parseSourceInSlices,
  readProject,
  type SourceFacts,
  type SourceFiles,
  systemClock,
} from '../../core/index.ts';
import { getDocumentLength } from '../places/documents.ts';
import { showFileLocation } from '../ui/virtualDocuments.ts';
import { findFolderFile, getFolderFiles } from '../workspace/folderFiles.ts';
import { readTextFile } from '../workspace/listFiles.ts';
import { findDeclarationOf } from './declarations.ts';
import type { WorkspaceContracts } from './workspaceContracts.ts';

/** Opens the declaration of an item if it is found, else its file. */
export async function openOrigin(
  { origin, text }: { readonly origin: Origin; readonly text: AbiItemText },
  contracts: WorkspaceContracts,
): Promise<void> {
  const file = findOriginFile(origin, contracts);
  if (!file) return;
  const declaration =
    origin.line === undefined ? await findInheritedDeclaration(file, origin, text) : undefined;
  const { uri, line } = declaration ?? { uri: file, line: origin.line ?? 1 };
  await showFileLocation({ uri, line: line - 1 });
}

/** The workspace file in which an item was found; undefined for items from elsewhere. */
export function findOriginFile(
  { trust, from }: Origin,
  contracts: WorkspaceContracts,
): vscode.Uri | undefined {
  return trust === 'deployment' || trust === 'workspace' ? contracts.uriOf(from) : undefined;
}

/** The search for a declaration is limited to this; then its file is shown from the start. */
const SEARCH_TIMEOUT_MS = 2_000;

/** Finds a declaration that a contract inherits or uses. */
async function findInheritedDeclaration(file: vscode.Uri, { contract }: Origin, text: AbiItemText) {
  if (!/\.(?:sol|vyi?)$/.test(file.path)) return undefined;
  const signal = AbortSignal.timeout(SEARCH_TIMEOUT_MS);
  try {
    const document = await vscode.workspace.openTextDocument(file);
    const source = await createSourceDocuments(systemClock).open(document, { signal });
    const found = await findDeclarationOf(text, { path: source.path, contract }, { ...source, signal });
    return found && { uri: source.uriOf(found.at.path), line: found.item.line };
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

export function createSourceDocuments(clock: Clock): SourceDocuments {
  const documentCache = new WeakMap<vscode.TextDocument, CachedFacts>();
  const fileCache = new Map<string, CachedFacts>();
  const projectCache = new Map<
    string,
    { readonly at: number; readonly project: Promise<SourceProject | undefined> }
  >();

  function getProject(uri: vscode.Uri): Promise<SourceProject | undefined> {
    const key = uri.with({ path: uri.path.slice(0, uri.path.lastIndexOf('/')) }).toString();
    const cached = projectCache.get(key);
    if (cached && clock.elapsed() - cached.at < CACHE_TTL_MS) return cached.project;
    const project = findSourceProject(uri);
    setCached(projectCache, key, { at: clock.elapsed(), project });
    return project;
  }

  async function parseDocument(
    document: vscode.TextDocument,
    signal: AbortSignal,
  ): Promise<SourceFacts | undefined> {
    const stamp = String(document.version);
    const cached = documentCache.get(document);
    if (cached?.stamp === stamp) return cached.facts;
    if (getDocumentLength(document) > MAX_SOURCE_CHARS) return undefined;
    const source = { path: getSourcePath(document), text: document.getText() };
    const facts = await parseSourceInSlices(source, createTimeSlices(clock), { signal });
    documentCache.set(document, { at: 0, stamp, facts });
    return facts;
  }

  async function parseFile(uri: vscode.Uri, signal: AbortSignal): Promise<SourceFacts | undefined> {
    const key = uri.toString();
    const opened = vscode.workspace.textDocuments.find((document) => document.uri.toString() === key);
    if (opened) return parseDocument(opened, signal);
    const cached = fileCache.get(key);
    if (cached && clock.elapsed() - cached.at < CACHE_TTL_MS) return cached.facts;
    const stamp = await readStamp(uri);
    const facts = cached && cached.stamp === stamp ? cached.facts : stamp && (await readFile(uri, signal));
    setCached(fileCache, key, { at: clock.elapsed(), stamp, facts: facts || undefined });
    return facts || undefined;
  }

  async function readFile(uri: vscode.Uri, signal: AbortSignal): Promise<SourceFacts> {
    const source = { path: uri.path, text: await readTextFile(uri) };
    return parseSourceInSlices(source, createTimeSlices(clock), { signal });
  }

  return {
    async open(document, { signal }) {
      // In an untrusted workspace, only the shown document is read.
      const project = vscode.workspace.isTrusted ? await getProject(document.uri) : undefined;
      if (!project) {
        const read = () => parseDocument(document, signal);
        return { path: getSourcePath(document), resolve: () => [], read, uriOf: () => document.uri };
      }
      const { root, resolve } = project;
      const path = getPathFrom(root, document.uri);
      const uriOf = (target: string) => vscode.Uri.joinPath(root, target);
      const read = (wanted: string) =>
        wanted === path ? parseDocument(document, signal) : parseFile(uriOf(wanted), signal);
      return { path, resolve, read, uriOf };
    },
  };
}

/** Parsed sources: of documents by version, of other files by modification time. */
interface SourceDocuments {
  open(document: vscode.TextDocument, options: { readonly signal: AbortSignal }): Promise<OpenedSource>;
}

/** A source and its imports, as the linker takes them. */
interface OpenedSource {
  /** Relative to the workspace folder. */
  readonly path: string;
  readonly resolve: SourceFiles['resolve'];
  readonly read: (path: string) => Promise<SourceFacts | undefined>;
  readonly uriOf: (path: string) => vscode.Uri;
}

export interface RecordedSource extends OpenedSource {
  /** Whether another opening of the source gives the same for everything that was read and resolved. */
  isUnchanged(reopened: OpenedSource): Promise<boolean>;
}

/** Records what is read first, so that a result can be cached for as long as it depends on the same declarations. */
export function recordReads(source: OpenedSource): RecordedSource {
  const reads = new Map<string, SourceFacts | undefined>();
  const imports = new Map<string, { from: string; imported: string; paths: readonly string[] }>();
  return {
    ...source,
    async read(path) {
      const facts = await source.read(path);
      if (!reads.has(path)) reads.set(path, facts);
      return facts;
    },
    resolve(from, imported) {
      const paths = source.resolve(from, imported);
      const key = `${from}\n${imported}`;
      if (!imports.has(key)) imports.set(key, { from, imported, paths });
      return paths;
    },
    async isUnchanged(reopened) {
      for (const { from, imported, paths } of imports.values()) {
        if (reopened.resolve(from, imported).join('\n') !== paths.join('\n')) return false;
      }
      for (const [path, facts] of reads) if ((await reopened.read(path)) !== facts) return false;
      return true;
    },
  };
}

interface CachedFacts {
  /** Milliseconds on the monotonic clock. */
  readonly at: number;
  readonly stamp: string;
  readonly facts: SourceFacts | undefined;
}

/** Cached files: twice what the largest source imports. */
const MAX_CACHED_FILES = 1_000;
/** A file, or its absence, is cached for this long: a CodeLens requests it on each key press. */
const CACHE_TTL_MS = 2_000;

function setCached<Value>(cache: Map<string, Value>, key: string, value: Value): void {
  cache.delete(key);
  cache.set(key, value);
  for (const oldest of cache.keys()) {
    if (cache.size <= MAX_CACHED_FILES) return;
    cache.delete(oldest);
  }
}

/** A path with the extension of the language. */
function getSourcePath({ uri, languageId }: vscode.TextDocument): string {
  return languageId === 'vyper' && !/\.vyi?$/.test(uri.path) ? `${uri.path}.vy` : uri.path;
}

/** Empty where the file is missing. */
async function readStamp(uri: vscode.Uri): Promise<string> {
  const found = findFolderFile(uri);
  const stat = await found?.files.stat(found.path);
  return stat?.kind === 'file' ? `${stat.modified} ${stat.size}` : '';
}

/** The workspace folder of a source, and its import resolution. */
interface SourceProject {
  /** Paths are relative to it. */
  readonly root: vscode.Uri;
  readonly resolve: SourceFiles['resolve'];
}

/** Searched above a source; deeper sources use the rules of the workspace folder. */
const MAX_FOLDERS = 12;

/**
 * Finds the project of a source: the innermost folder with `foundry.toml` or `remappings.txt` defines its import
 * rules. Undefined outside of the workspace, where imports are not resolved.
 */
async function findSourceProject(uri: vscode.Uri): Promise<SourceProject | undefined> {
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  if (!root) return undefined;
  const files = getFolderFiles(root);
  for (const folder of new Set([...listFoldersAbove(getPathFrom(root, uri)), ''])) {
    const entries = await files.list(folder);
    const isProject = entries.some(({ name }) => name === 'foundry.toml' || name === 'remappings.txt');
    if (folder !== '' && !isProject) continue;
    const { remappings, libs } = (await readProject(files, folder, entries)).layout;
    return { root, resolve: createImportResolver({ remappings, libs, folder }) };
  }
  return undefined;
}

/** The path of a file relative to `root`. */
function getPathFrom(root: vscode.Uri, uri: vscode.Uri): string {
  return uri.path.slice(root.path.length).replace(/^\//, '');
}

function listFoldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  let folder = path;
  while (folder !== '' && folders.length < MAX_FOLDERS) {
    folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0));
    folders.push(folder);
  }
  return folders;
}
