import * as vscode from 'vscode';
import { teamLabelsPath } from '../../core/index.ts';
import { Disposables } from '../disposables.ts';
import { readTextFile } from '../workspace/listFiles.ts';
import type { GivenName } from './addressName.ts';
import { namesOfTeam } from './givenNames.ts';
import { type LabelChange, readLabels, withLabel } from './labelsFile.ts';
import type { ReadyGiver } from './nameGivers.ts';

/** A watcher of the file system may miss a file that is made at once with its folder, and tells of the folder then. */
const WATCHED = `{${teamLabelsPath.slice(0, teamLabelsPath.lastIndexOf('/'))},${teamLabelsPath}}`;

/** The labels that teams share in their repositories; followed from the first time that they are wanted. */
export class TeamLabels implements ReadyGiver, vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #log: vscode.LogOutputChannel;
  /** By the URI of the file. */
  readonly #read = new Map<string, readonly GivenName[]>();
  readonly #pathOf: (uri: vscode.Uri) => string;
  #following: Disposables | undefined;
  #loading = Promise.resolve();

  readonly onDidChange = this.#changed.event;

  /** `pathOf` tells the path by which a file is named. */
  constructor(log: vscode.LogOutputChannel, pathOf: (uri: vscode.Uri) => string) {
    this.#log = log;
    this.#pathOf = pathOf;
  }

  async ready(): Promise<void> {
    if (!this.#following) this.#follow();
    await this.#loading;
  }

  /** None in a workspace that is not trusted. */
  names(): readonly GivenName[] {
    if (!this.#following) this.#follow();
    return [...this.#read.values()].flat();
  }

  /**
   * Says something of an address in the file of `folder`, which is made if it is not there. A document with changes
   * that are not saved gets this one too, and stays unsaved.
   *
   * @returns false where the file is there and is none of labels: then nothing is written.
   */
  async write(folder: vscode.WorkspaceFolder, change: LabelChange): Promise<boolean> {
    const uri = fileIn(folder);
    const unsaved = vscode.workspace.textDocuments.find(
      (document) => document.isDirty && document.uri.toString() === uri.toString(),
    );
    const text = unsaved?.getText() ?? (await readTextFile(uri));
    // A file that cannot be read, as one that is too large, has no text either.
    if (text === '' && (await hasContent(uri))) return false;
    const changed = withLabel(text, change);
    if (changed === undefined) return false;
    if (unsaved) return replaceText(unsaved, changed);
    if (changed !== text) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(changed));
    await this.#load(folder);
    return true;
  }

  dispose(): void {
    this.#following?.dispose();
    this.#disposables.dispose();
  }

  #follow(): void {
    this.#following?.dispose();
    const following = new Disposables();
    this.#following = following;
    following.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#follow()));
    following.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#follow()));
    const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
    const there = new Set(folders.map((folder) => fileIn(folder).toString()));
    for (const file of this.#read.keys()) if (!there.has(file)) this.#read.delete(file);
    for (const folder of folders) {
      const load = () => void this.#load(folder);
      const watcher = following.add(
        vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, WATCHED)),
      );
      for (const changed of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]) {
        following.add(changed(load));
      }
      following.add(
        vscode.workspace.onDidSaveTextDocument(({ uri }) => {
          if (uri.toString() === fileIn(folder).toString()) load();
        }),
      );
      load();
    }
    this.#changed.fire();
  }

  /** One after the other, so that what was read last is what was last written. */
  #load(folder: vscode.WorkspaceFolder): Promise<void> {
    this.#loading = this.#loading.then(() => this.#readFile(folder));
    return this.#loading;
  }

  async #readFile(folder: vscode.WorkspaceFolder): Promise<void> {
    const uri = fileIn(folder);
    const shown = this.#pathOf(uri);
    const text = await readTextFile(uri);
    const read = readLabels(text);
    if (text.trim() !== '' && !read) this.#log.warn(`${shown} is not a label file.`);
    if (read && read.skipped > 0) this.#log.warn(`${shown}: ${read.skipped} entries are not labels.`);
    this.#read.set(uri.toString(), namesOfTeam(read?.labels ?? [], shown));
    this.#changed.fire();
  }
}

function fileIn(folder: vscode.WorkspaceFolder): vscode.Uri {
  return vscode.Uri.joinPath(folder.uri, teamLabelsPath);
}

async function hasContent(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    ({ size }) => size > 0,
    () => false,
  );
}

async function replaceText(document: vscode.TextDocument, text: string): Promise<boolean> {
  const edits = new vscode.WorkspaceEdit();
  const all = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
  edits.replace(document.uri, all, text);
  return vscode.workspace.applyEdit(edits);
}
