import * as vscode from 'vscode';
import { sanitizeText } from '../../../core/index.ts';
import { Disposables } from '../../../host/disposables.ts';
import { ifExists } from '../../../host/files/storage.ts';
import { formatErrorForLog } from '../../../host/log.ts';
import {
  addRun,
  getQueryKey,
  limitQueries,
  MAX_QUERY_NAME_CHARS,
  MAX_SAVED_QUERIES,
  type NetworkQuery,
  parseRecent,
  parseSaved,
  type RecentQuery,
  recentToJson,
  type SavedQuery,
  type StoredRun,
  savedToJson,
} from './queryHistory.ts';

interface QueryStoreDeps {
  readonly workspaceState: vscode.Memento;
  /** Workspace storage; undefined in a window without a workspace. */
  readonly workspaceStorageUri: vscode.Uri | undefined;
  /** Global storage. */
  readonly storageUri: vscode.Uri;
  readonly log: Pick<vscode.LogOutputChannel, 'warn'>;
}

export interface StoredQuery extends NetworkQuery {
  readonly id: string;
  /** Undefined if it is not saved. */
  readonly name: string | undefined;
  /** Undefined if it did not run in this workspace. */
  readonly last: StoredRun | undefined;
  readonly earlier: StoredRun | undefined;
}

const STORE_KEY = 'chainside.queries';

/**
 * The stored queries: those that ran in this workspace, with their runs, and the saved ones of all
 * workspaces. Sends no requests.
 */
export class QueryStore implements vscode.Disposable {
  readonly #deps: QueryStoreDeps;
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #saved: SavedQueries;
  #recent: readonly RecentQuery[];

  readonly onDidChange = this.#changed.event;

  constructor(deps: QueryStoreDeps) {
    this.#deps = deps;
    const { workspaceStorageUri, storageUri } = deps;
    this.#recent = parseRecent(deps.workspaceState.get(STORE_KEY));
    this.#saved = this.#disposables.add(new SavedQueries(vscode.Uri.joinPath(storageUri, 'queries')));
    this.#disposables.add(this.#saved.onDidChange(() => this.#changed.fire()));
    // Earlier versions stored the rows of runs there.
    if (workspaceStorageUri) {
      const rows = vscode.Uri.joinPath(workspaceStorageUri, 'rows');
      this.#warnOnFailure(ifExists(vscode.workspace.fs.delete(rows, { recursive: true, useTrash: false })));
    }
  }

  /** Settles when the saved queries are read. */
  get ready(): Promise<void> {
    return this.#saved.ready;
  }

  /** Sorted by name. */
  get saved(): readonly StoredQuery[] {
    const runs = new Map(this.#recent.map((query) => [getQueryKey(query), query]));
    return this.#saved.list.map((query) => {
      const { last, earlier } = runs.get(getQueryKey(query)) ?? {};
      return { ...query, last, earlier };
    });
  }

  /** Without the saved ones; the last run first. */
  get recent(): readonly StoredQuery[] {
    const isSaved = this.#savedKeys();
    return this.#recent
      .filter((query) => !isSaved.has(getQueryKey(query)))
      .map((query) => ({ ...query, name: undefined, earlier: query.earlier }));
  }

  byId(id: string): StoredQuery | undefined {
    return [...this.saved, ...this.recent].find((query) => query.id === id);
  }

  /** Undefined if the query neither ran nor is saved. */
  find(networkQuery: NetworkQuery): StoredQuery | undefined {
    const key = getQueryKey(networkQuery);
    return [...this.saved, ...this.recent].find((query) => getQueryKey(query) === key);
  }

  /** Adds or updates a run of a query, beginning with its start. */
  addRun(networkQuery: NetworkQuery, run: StoredRun): void {
    this.#setRecent(addRun(this.#recent, networkQuery, run));
  }

  /** Settles when saved queries are on disk. */
  async settled(): Promise<void> {
    await this.#saved.settled();
  }

  /**
   * Saves a query under a name, or renames it. `unfit`: the query cannot run; `tooMany`: the limit is
   * reached.
   */
  async save(networkQuery: NetworkQuery, name: string): Promise<'saved' | 'tooMany' | 'unfit'> {
    await this.#saved.ready;
    const { question, network } = networkQuery;
    const { title: _, ...untitled } = question;
    const existing = this.#saved.list.find((query) => getQueryKey(query) === getQueryKey(networkQuery));
    const text = sanitizeText(name, MAX_QUERY_NAME_CHARS);
    const query: SavedQuery = existing
      ? { ...existing, name: text }
      : { id: crypto.randomUUID(), name: text, network, question: untitled };
    if (!parseSaved(query.id, savedToJson(query))) return 'unfit';
    return (await this.#saved.save(query)) ? 'saved' : 'tooMany';
  }

  /** Removes a query. A saved one that ran stays in the recent ones. */
  async remove(id: string): Promise<void> {
    if (this.#saved.list.some((query) => query.id === id)) await this.#saved.remove(id);
    else this.#setRecent(this.#recent.filter((query) => query.id !== id));
  }

  clearRecent(): void {
    const isSaved = this.#savedKeys();
    this.#setRecent(this.#recent.filter((query) => isSaved.has(getQueryKey(query))));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #savedKeys(): ReadonlySet<string> {
    return new Set(this.#saved.list.map(getQueryKey));
  }

  #setRecent(list: readonly RecentQuery[]): void {
    const keys = this.#savedKeys();
    const isSaved = (query: RecentQuery) => keys.has(getQueryKey(query));
    this.#recent = limitQueries(list, this.#saved.isRead ? isSaved : undefined);
    this.#warnOnFailure(this.#deps.workspaceState.update(STORE_KEY, recentToJson(this.#recent)));
    this.#changed.fire();
  }

  #warnOnFailure(step: Thenable<unknown> | undefined): void {
    step?.then(undefined, (error) => this.#deps.log.warn(`Queries: ${formatErrorForLog(error)}`));
  }
}

/** A larger file is not ours. */
const MAX_FILE_BYTES = 256 * 1024;
const FILE_NAME = /^([0-9a-f-]{36})\.json$/;

/**
 * The saved queries: one file each in a folder that all windows share, so that windows do not overwrite each
 * other.
 */
class SavedQueries implements vscode.Disposable {
  readonly #folder: vscode.Uri;
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  #list: readonly SavedQuery[] = [];
  /** The newest step; it ends after all earlier ones. */
  #lastStep: Promise<unknown> = Promise.resolve();
  /** A read that is queued but has not started. */
  #queuedRead: Promise<void> | undefined;

  readonly onDidChange = this.#changed.event;
  /** Settles when the queries are read, or reading failed. */
  readonly ready: Promise<void>;
  isRead = false;

  constructor(folder: vscode.Uri) {
    this.#folder = folder;
    this.ready = this.#read().catch(() => undefined);
    this.#follow();
  }

  /** Sorted by name. */
  get list(): readonly SavedQuery[] {
    return this.#list;
  }

  /** Settles when the changes so far are on disk, or failed. */
  async settled(): Promise<void> {
    await this.#lastStep;
  }

  /**
   * Saves or renames a query. False if the limit is reached.
   *
   * @throws Errors of the file system.
   */
  save(query: SavedQuery): Promise<boolean> {
    return this.#enqueue(async () => {
      await this.#readAll();
      const others = this.#list.filter(({ id }) => id !== query.id);
      if (others.length >= MAX_SAVED_QUERIES) return false;
      const text = `${JSON.stringify(savedToJson(query), undefined, 2)}\n`;
      await vscode.workspace.fs.createDirectory(this.#folder);
      await vscode.workspace.fs.writeFile(this.#toUri(query.id), new TextEncoder().encode(text));
      this.#setList([...others, query]);
      return true;
    });
  }

  remove(id: string): Promise<void> {
    return this.#enqueue(async () => {
      await ifExists(vscode.workspace.fs.delete(this.#toUri(id), { recursive: false, useTrash: false }));
      this.#setList(this.#list.filter((query) => query.id !== id));
    });
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #toUri(id: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, `${id}.json`);
  }

  /**
   * Runs reads and changes one after the other: a read that began before a change would undo it in the list.
   */
  #enqueue<T>(step: () => Promise<T>): Promise<T> {
    const done = this.#lastStep.then(step);
    this.#lastStep = done.catch(() => undefined);
    return done;
  }

  /** Joins a queued read. */
  #read(): Promise<void> {
    this.#queuedRead ??= this.#enqueue(() => {
      this.#queuedRead = undefined;
      return this.#readAll();
    });
    return this.#queuedRead;
  }

  async #readAll(): Promise<void> {
    const { fs } = vscode.workspace;
    const found = (await ifExists(fs.readDirectory(this.#folder))) ?? [];
    const ids = found.flatMap(([name]) => FILE_NAME.exec(name)?.[1] ?? []).sort();
    const queries = await Promise.all(ids.slice(0, MAX_SAVED_QUERIES).map((id) => this.#readOne(id)));
    this.isRead = true;
    this.#setList(queries.flatMap((query) => query ?? []));
  }

  async #readOne(id: string): Promise<SavedQuery | undefined> {
    const { fs } = vscode.workspace;
    const stat = await ifExists(fs.stat(this.#toUri(id)));
    if (!stat || stat.size > MAX_FILE_BYTES) return undefined;
    const bytes = await ifExists(fs.readFile(this.#toUri(id)));
    try {
      return bytes && parseSaved(id, JSON.parse(new TextDecoder().decode(bytes)));
    } catch {
      return undefined;
    }
  }

  #setList(queries: readonly SavedQuery[]): void {
    const before = JSON.stringify(this.#list.map(toEntry));
    this.#list = queries.toSorted((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1));
    if (JSON.stringify(this.#list.map(toEntry)) !== before) this.#changed.fire();
  }

  /** Picks up changes of other windows. */
  #follow(): void {
    const reread = () => void this.#read().catch(() => undefined);
    const watch = () => {
      const pattern = new vscode.RelativePattern(this.#folder, '*.json');
      const watcher = this.#disposables.add(vscode.workspace.createFileSystemWatcher(pattern));
      for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]) {
        this.#disposables.add(event(reread));
      }
    };
    // A watcher on a missing folder polls only every few seconds.
    void vscode.workspace.fs.createDirectory(this.#folder).then(watch, () => undefined);
    this.#disposables.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && reread()));
  }
}

function toEntry(query: SavedQuery) {
  return [query.id, savedToJson(query)];
}
