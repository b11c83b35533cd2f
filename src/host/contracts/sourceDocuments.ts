import * as vscode from 'vscode';
import {
  type AbiItemText,
  type Clock,
  createImportResolver,
  createTimeSlices,
  MAX_SOURCE_CHARS,
  type Origin,
  parseLayout,
  parseSourceInSlices,
  type SourceFacts,
  type SourceFiles,
  systemClock,
} from '../../core/index.ts';
import { getDocumentLength } from '../places/documents.ts';
import { showFileLocation } from '../ui/virtualDocuments.ts';
import { readTextFile } from '../workspace/listFiles.ts';
import { findDeclarationOf } from './declarations.ts';
import type { WorkspaceContracts } from './workspaceContracts.ts';

/** How long somebody who wants to see a declaration waits for it; after that its file is shown from the start. */
const SEARCH_TIMEOUT_MS = 2_000;

/** The file of the workspace that an item was found in; undefined for what is known from elsewhere. */
export function findOriginFile(
  { trust, from }: Origin,
  contracts: WorkspaceContracts,
): vscode.Uri | undefined {
  return trust === 'deployment' || trust === 'workspace' ? contracts.uriOf(from) : undefined;
}

/** Opens the declaration of an item, where there is one to be found; else the file that it is known from. */
export async function openOrigin(
  { origin, text }: { readonly origin: Origin; readonly text: AbiItemText },
  contracts: WorkspaceContracts,
): Promise<void> {
  const file = findOriginFile(origin, contracts);
  if (!file) return;
  const known = origin.line === undefined ? await inherited(file, origin, text) : undefined;
  const { uri, line } = known ?? { uri: file, line: origin.line ?? 1 };
  await showFileLocation({ uri, line: line - 1 });
}

/** Where what a contract inherits or uses is declared. */
async function inherited(file: vscode.Uri, { contract }: Origin, text: AbiItemText) {
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

/** A source with those that it imports, as the linker takes them. */
interface OpenedSource {
  /** From the folder of the workspace on. */
  readonly path: string;
  readonly resolve: SourceFiles['resolve'];
  readonly read: (path: string) => Promise<SourceFacts | undefined>;
  readonly uriOf: (path: string) => vscode.Uri;
}

/** What sources declare, of documents by version, of other files by when they were written. */
interface SourceDocuments {
  open(document: vscode.TextDocument, options: { readonly signal: AbortSignal }): Promise<OpenedSource>;
}

/** Files whose facts are kept: twice what the largest source imports. */
const MAX_CACHED_FILES = 1_000;
/** For how long a file, or its absence, is taken as it was: a lens asks again with each key that is pressed. */
const CACHE_TTL_MS = 2_000;

interface CachedFacts {
  /** Time, from the start of the clock. */
  readonly at: number;
  readonly stamp: string;
  readonly facts: SourceFacts | undefined;
}

export function createSourceDocuments(clock: Clock): SourceDocuments {
  const ofDocuments = new WeakMap<vscode.TextDocument, CachedFacts>();
  const ofFiles = new Map<string, CachedFacts>();
  const projects = new Map<
    string,
    { readonly at: number; readonly project: Promise<SourceProject | undefined> }
  >();

  function projectOf(uri: vscode.Uri): Promise<SourceProject | undefined> {
    const key = uri.with({ path: uri.path.slice(0, uri.path.lastIndexOf('/')) }).toString();
    const known = projects.get(key);
    if (known && clock.elapsed() - known.at < CACHE_TTL_MS) return known.project;
    const project = findSourceProject(uri);
    setCached(projects, key, { at: clock.elapsed(), project });
    return project;
  }

  async function ofDocument(
    document: vscode.TextDocument,
    signal: AbortSignal,
  ): Promise<SourceFacts | undefined> {
    const stamp = String(document.version);
    const known = ofDocuments.get(document);
    if (known?.stamp === stamp) return known.facts;
    if (getDocumentLength(document) > MAX_SOURCE_CHARS) return undefined;
    const source = { path: getSourcePath(document), text: document.getText() };
    const facts = await parseSourceInSlices(source, createTimeSlices(clock), { signal });
    ofDocuments.set(document, { at: 0, stamp, facts });
    return facts;
  }

  async function ofFile(uri: vscode.Uri, signal: AbortSignal): Promise<SourceFacts | undefined> {
    const key = uri.toString();
    const opened = vscode.workspace.textDocuments.find((document) => document.uri.toString() === key);
    if (opened) return ofDocument(opened, signal);
    const known = ofFiles.get(key);
    if (known && clock.elapsed() - known.at < CACHE_TTL_MS) return known.facts;
    const stamp = await stampOf(uri);
    const facts = known && known.stamp === stamp ? known.facts : stamp && (await readFile(uri, signal));
    setCached(ofFiles, key, { at: clock.elapsed(), stamp, facts: facts || undefined });
    return facts || undefined;
  }

  async function readFile(uri: vscode.Uri, signal: AbortSignal): Promise<SourceFacts> {
    const source = { path: uri.path, text: await readTextFile(uri) };
    return parseSourceInSlices(source, createTimeSlices(clock), { signal });
  }

  return {
    async open(document, { signal }) {
      // Only of a workspace that is trusted more is read than what is shown.
      const project = vscode.workspace.isTrusted ? await projectOf(document.uri) : undefined;
      if (!project) {
        const read = () => ofDocument(document, signal);
        return { path: getSourcePath(document), resolve: () => [], read, uriOf: () => document.uri };
      }
      const { root, resolve } = project;
      const path = getPathFrom(root, document.uri);
      const uriOf = (wanted: string) => vscode.Uri.joinPath(root, wanted);
      const read = (wanted: string) =>
        wanted === path ? ofDocument(document, signal) : ofFile(uriOf(wanted), signal);
      return { path, resolve, read, uriOf };
    },
  };
}

function setCached<Value>(all: Map<string, Value>, key: string, value: Value): void {
  all.delete(key);
  all.set(key, value);
  for (const oldest of all.keys()) {
    if (all.size <= MAX_CACHED_FILES) return;
    all.delete(oldest);
  }
}

/** A path whose end says in which language the document is. */
function getSourcePath({ uri, languageId }: vscode.TextDocument): string {
  return languageId === 'vyper' && !/\.vyi?$/.test(uri.path) ? `${uri.path}.vy` : uri.path;
}

/** Empty where there is no such file. */
async function stampOf(uri: vscode.Uri): Promise<string> {
  try {
    const { type, mtime, size } = await vscode.workspace.fs.stat(uri);
    return type & vscode.FileType.File ? `${mtime} ${size}` : '';
  } catch {
    return '';
  }
}

/** The folder of the workspace that a source is in, and where imports lead there. */
interface SourceProject {
  /** Paths begin here. */
  readonly root: vscode.Uri;
  readonly resolve: SourceFiles['resolve'];
}

/** Above a source; deeper ones have the rules of the workspace's folder. */
const MAX_FOLDERS = 12;

/**
 * The project of a source: its rules for imports are those of the innermost folder with `foundry.toml` or
 * `remappings.txt`. Undefined outside of the workspace, where no import is followed.
 */
async function findSourceProject(uri: vscode.Uri): Promise<SourceProject | undefined> {
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  if (!root) return undefined;
  const folders = foldersAbove(getPathFrom(root, uri));
  for (const folder of folders) {
    const [foundryToml, remappingsTxt] = await Promise.all(
      ['foundry.toml', 'remappings.txt'].map((name) => readTextFile(vscode.Uri.joinPath(root, folder, name))),
    );
    if (!foundryToml && !remappingsTxt) continue;
    return { root, resolve: resolverOf({ foundryToml: foundryToml || undefined, remappingsTxt }, folder) };
  }
  return { root, resolve: resolverOf({}, '') };
}

function resolverOf(files: Parameters<typeof parseLayout>[0], folder: string): SourceFiles['resolve'] {
  const { remappings, libs } = parseLayout(files);
  return createImportResolver({ remappings, libs, folder });
}

/** The path of a file from a folder of the workspace on. */
function getPathFrom(root: vscode.Uri, uri: vscode.Uri): string {
  return uri.path.slice(root.path.length).replace(/^\//, '');
}

function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  let folder = path;
  while (folder !== '' && folders.length < MAX_FOLDERS) {
    folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0));
    folders.push(folder);
  }
  return folders;
}
