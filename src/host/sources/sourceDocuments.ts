import * as vscode from 'vscode';
import {
  type Clock,
  createTimeSlices,
  MAX_SOURCE_CHARS,
  parseSourceInSlices,
  type SourceFacts,
  type SourceFiles,
} from '../../core/index.ts';
import { documentLength } from '../workspace/documentText.ts';
import { readTextFile } from '../workspace/listFiles.ts';
import { pathFrom, type SourceProject, sourceProject } from './sourceProject.ts';

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
const MOST_KEPT = 1_000;
/** For how long a file, or its absence, is taken as it was: a lens asks again with each key that is pressed. */
const FRESH = 2_000;

interface Kept {
  /** Time, from the start of the clock. */
  readonly at: number;
  readonly stamp: string;
  readonly facts: SourceFacts | undefined;
}

export function createSourceDocuments(clock: Clock): SourceDocuments {
  const ofDocuments = new WeakMap<vscode.TextDocument, Kept>();
  const ofFiles = new Map<string, Kept>();
  const projects = new Map<
    string,
    { readonly at: number; readonly project: Promise<SourceProject | undefined> }
  >();

  function projectOf(uri: vscode.Uri): Promise<SourceProject | undefined> {
    const key = uri.with({ path: uri.path.slice(0, uri.path.lastIndexOf('/')) }).toString();
    const known = projects.get(key);
    if (known && clock.elapsed() - known.at < FRESH) return known.project;
    const project = sourceProject(uri);
    keep(projects, key, { at: clock.elapsed(), project });
    return project;
  }

  async function ofDocument(
    document: vscode.TextDocument,
    signal: AbortSignal,
  ): Promise<SourceFacts | undefined> {
    const stamp = String(document.version);
    const known = ofDocuments.get(document);
    if (known?.stamp === stamp) return known.facts;
    if (documentLength(document) > MAX_SOURCE_CHARS) return undefined;
    const source = { path: sourceName(document), text: document.getText() };
    const facts = await parseSourceInSlices(source, createTimeSlices(clock), { signal });
    ofDocuments.set(document, { at: 0, stamp, facts });
    return facts;
  }

  async function ofFile(uri: vscode.Uri, signal: AbortSignal): Promise<SourceFacts | undefined> {
    const key = uri.toString();
    const opened = vscode.workspace.textDocuments.find((document) => document.uri.toString() === key);
    if (opened) return ofDocument(opened, signal);
    const known = ofFiles.get(key);
    if (known && clock.elapsed() - known.at < FRESH) return known.facts;
    const stamp = await stampOf(uri);
    const facts = known && known.stamp === stamp ? known.facts : stamp && (await readFile(uri, signal));
    keep(ofFiles, key, { at: clock.elapsed(), stamp, facts: facts || undefined });
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
        return { path: sourceName(document), resolve: () => [], read, uriOf: () => document.uri };
      }
      const { root, resolve } = project;
      const path = pathFrom(root, document.uri);
      const uriOf = (wanted: string) => vscode.Uri.joinPath(root, wanted);
      const read = (wanted: string) =>
        wanted === path ? ofDocument(document, signal) : ofFile(uriOf(wanted), signal);
      return { path, resolve, read, uriOf };
    },
  };
}

function keep<Value>(all: Map<string, Value>, key: string, value: Value): void {
  all.delete(key);
  all.set(key, value);
  for (const oldest of all.keys()) {
    if (all.size <= MOST_KEPT) return;
    all.delete(oldest);
  }
}

/** A path whose end says in which language the document is. */
function sourceName({ uri, languageId }: vscode.TextDocument): string {
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
