import * as vscode from 'vscode';
import { Disposables } from '../../../host/disposables.ts';
import { ifThere } from '../../../host/files/ifThere.ts';
import { MOST_SAVED, readSaved, type SavedQuery, savedToJson } from './recentQueries.ts';

/** More bytes than one has; what is larger is none. */
const LARGEST = 256 * 1024;
const FILE = /^([0-9a-f-]{36})\.json$/;

/** Queries with a name, a file each in a folder that all windows share, so that none writes over what another saved. */
export class SavedQueries implements vscode.Disposable {
  readonly #folder: vscode.Uri;
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  #list: readonly SavedQuery[] = [];
  /** The newest step, which ends after all before it. */
  #last: Promise<unknown> = Promise.resolve();
  /** A reading that has not begun. */
  #next: Promise<void> | undefined;

  readonly onDidChange = this.#changed.event;
  /** Settles when they have been read, or could not be. */
  readonly ready: Promise<void>;
  isRead = false;

  constructor(folder: vscode.Uri) {
    this.#folder = folder;
    this.ready = this.#read().catch(() => undefined);
    this.#follow();
  }

  /** By name. */
  get list(): readonly SavedQuery[] {
    return this.#list;
  }

  /** Settles when the changes so far are on disk, or could not be written. */
  async settled(): Promise<void> {
    await this.#last;
  }

  /** Saves a query, or another name of one. False if as many are saved as can be. @throws what the file system does. */
  save(query: SavedQuery): Promise<boolean> {
    return this.#inTurn(async () => {
      await this.#readAll();
      const others = this.#list.filter(({ id }) => id !== query.id);
      if (others.length >= MOST_SAVED) return false;
      const text = `${JSON.stringify(savedToJson(query), undefined, 2)}\n`;
      await vscode.workspace.fs.createDirectory(this.#folder);
      await vscode.workspace.fs.writeFile(this.#at(query.id), new TextEncoder().encode(text));
      this.#take([...others, query]);
      return true;
    });
  }

  remove(id: string): Promise<void> {
    return this.#inTurn(async () => {
      await ifThere(vscode.workspace.fs.delete(this.#at(id), { recursive: false, useTrash: false }));
      this.#take(this.#list.filter((query) => query.id !== id));
    });
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #at(id: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, `${id}.json`);
  }

  /** Reads and changes come one after the other: a read that began before a change would undo it in the list. */
  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const done = this.#last.then(step);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** One reading for all that ask before it begins. */
  #read(): Promise<void> {
    this.#next ??= this.#inTurn(() => {
      this.#next = undefined;
      return this.#readAll();
    });
    return this.#next;
  }

  async #readAll(): Promise<void> {
    const { fs } = vscode.workspace;
    const found = (await ifThere(fs.readDirectory(this.#folder))) ?? [];
    const ids = found.flatMap(([name]) => FILE.exec(name)?.[1] ?? []).sort();
    const queries = await Promise.all(ids.slice(0, MOST_SAVED).map((id) => this.#readOne(id)));
    this.isRead = true;
    this.#take(queries.flatMap((query) => query ?? []));
  }

  async #readOne(id: string): Promise<SavedQuery | undefined> {
    const { fs } = vscode.workspace;
    const stat = await ifThere(fs.stat(this.#at(id)));
    if (!stat || stat.size > LARGEST) return undefined;
    const bytes = await ifThere(fs.readFile(this.#at(id)));
    try {
      return bytes && readSaved(id, JSON.parse(new TextDecoder().decode(bytes)));
    } catch {
      return undefined;
    }
  }

  #take(queries: readonly SavedQuery[]): void {
    const before = JSON.stringify(this.#list.map(told));
    this.#list = queries.toSorted((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1));
    if (JSON.stringify(this.#list.map(told)) !== before) this.#changed.fire();
  }

  /** Takes up what other windows save. */
  #follow(): void {
    const again = () => void this.#read().catch(() => undefined);
    const begin = () => {
      const pattern = new vscode.RelativePattern(this.#folder, '*.json');
      const watcher = this.#disposables.add(vscode.workspace.createFileSystemWatcher(pattern));
      for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]) {
        this.#disposables.add(event(again));
      }
    };
    // For a folder that is not there yet a watcher looks every few seconds only.
    void vscode.workspace.fs.createDirectory(this.#folder).then(begin, () => undefined);
    this.#disposables.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && again()));
  }
}

function told(query: SavedQuery) {
  return [query.id, savedToJson(query)];
}
