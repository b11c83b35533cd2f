import * as vscode from 'vscode';
import { type Clock, type LogStore, sanitizeText, type Verdict } from '../../../core/index.ts';
import { Disposables } from '../../../host/disposables.ts';
import { errorText } from '../../../host/log.ts';
import { createHeldRows, createKeptRows, type KeptRows, type RunRows } from './keptRows.ts';
import { type KeptRun, toKeptVerdict } from './keptRun.ts';
import {
  bounded,
  keyOf,
  LONGEST_NAME,
  type NetworkQuestion,
  type RecentQuery,
  readRecent,
  readSaved,
  recentToJson,
  runsIn,
  type SavedQuery,
  savedToJson,
  withRows,
  withRun,
} from './recentQueries.ts';
import { SavedQueries } from './savedQueries.ts';

export interface KeptDeps {
  /** Of the workspace. */
  readonly workspaceState: vscode.Memento;
  /** Where the extension keeps files of this workspace; undefined in a window without one. */
  readonly workspaceStorageUri: vscode.Uri | undefined;
  /** Where it keeps those of all windows. */
  readonly storageUri: vscode.Uri;
  readonly clock: Clock;
  readonly log: Pick<vscode.LogOutputChannel, 'warn'>;
}

/** A query of either list. */
export interface KeptQuery extends NetworkQuestion {
  readonly id: string;
  /** Undefined where it is not saved. */
  readonly name: string | undefined;
  /** Undefined where it did not run in this workspace. */
  readonly last: KeptRun | undefined;
  readonly earlier: KeptRun | undefined;
}

const STORED = 'chainside.queries';
/** On disk, of all runs of a workspace: the rows of those that ran longest ago go first. */
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * The queries that are kept: those that ran in this workspace, with what came of it, and in every workspace those that are
 * saved. Asks no server.
 */
export class KeptQueries implements vscode.Disposable {
  readonly #deps: KeptDeps;
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #saved: SavedQueries;
  readonly #rows: KeptRows;
  #recent: readonly RecentQuery[];
  /** One after the other: each may be large. */
  #saving: Promise<void>;

  readonly onDidChange = this.#changed.event;

  constructor(deps: KeptDeps) {
    this.#deps = deps;
    const { workspaceStorageUri, storageUri, clock } = deps;
    this.#recent = readRecent(deps.workspaceState.get(STORED));
    this.#saved = this.#disposables.add(new SavedQueries(vscode.Uri.joinPath(storageUri, 'queries')));
    this.#disposables.add(this.#saved.onDidChange(() => this.#changed.fire()));
    this.#rows = workspaceStorageUri
      ? createKeptRows(vscode.Uri.joinPath(workspaceStorageUri, 'rows'), clock)
      : createHeldRows(clock);
    const wanted = new Set(runsIn(this.#recent).flatMap(({ id, rows }) => (rows ? [id] : [])));
    const swept = this.#rows.keepOnly(wanted);
    this.#attempt(swept);
    this.#saving = swept.catch(() => undefined);
  }

  /** Settles when those that are saved have been read. */
  get ready(): Promise<void> {
    return this.#saved.ready;
  }

  /** By name. */
  get saved(): readonly KeptQuery[] {
    const runs = new Map(this.#recent.map((query) => [keyOf(query), query]));
    return this.#saved.list.map((query) => {
      const { last, earlier } = runs.get(keyOf(query)) ?? {};
      return { ...query, last, earlier };
    });
  }

  /** Those that ran last first; those that are saved left out. */
  get recent(): readonly KeptQuery[] {
    const isSaved = this.#savedKeys();
    return this.#recent
      .filter((query) => !isSaved.has(keyOf(query)))
      .map((query) => ({ ...query, name: undefined, earlier: query.earlier }));
  }

  byId(id: string): KeptQuery | undefined {
    return [...this.saved, ...this.recent].find((query) => query.id === id);
  }

  /** What is kept of a query; undefined where it neither ran nor is saved. */
  find(asked: NetworkQuestion): KeptQuery | undefined {
    const key = keyOf(asked);
    return [...this.saved, ...this.recent].find((query) => keyOf(query) === key);
  }

  /** Takes down how a run of a query stands, first when it begins. */
  note(asked: NetworkQuestion, run: KeptRun): void {
    this.#take(withRun(this.#recent, asked, run));
  }

  /** Keeps the rows of a complete run, where they are not too many. Never rejects. */
  keepRows(runId: string, rows: RunRows, verdict: Verdict): Promise<void> {
    const { length, slice } = rows;
    this.#saving = this.#saving.then(() => this.#saveRows(runId, { length, slice }, verdict));
    return this.#saving;
  }

  /** Settles when what is to be kept is on disk. */
  async settled(): Promise<void> {
    await Promise.all([this.#saving, this.#saved.settled()]);
  }

  async #saveRows(runId: string, rows: RunRows, verdict: Verdict): Promise<void> {
    const isKept = () => runsIn(this.#recent).some(({ id }) => id === runId);
    if (!isKept()) return;
    try {
      const found = await this.#rows.save(runId, rows, verdict.order);
      const told = { count: rows.length, verdict: toKeptVerdict(verdict) };
      if (found && isKept()) this.#take(withRows(this.#recent, runId, { ...found, ...told }));
      else await this.#rows.remove(runId);
    } catch (error) {
      this.#deps.log.warn(`The rows of a run could not be kept. ${errorText(error)}`);
    }
  }

  /** The rows of a run; undefined, and forgotten, where they are not there as they were kept. */
  async rowsOf(run: KeptRun): Promise<LogStore | undefined> {
    try {
      return await this.#rows.load(run);
    } catch (error) {
      this.#deps.log.warn(`The rows of a run are not as they were kept. ${errorText(error)}`);
      this.#take(withRows(this.#recent, run.id, undefined));
      return undefined;
    }
  }

  /** Gives a query a name, or another one; says why not, where it is none that can be asked, or as many are saved as can be. */
  async save(asked: NetworkQuestion, name: string): Promise<'saved' | 'tooMany' | 'unfit'> {
    await this.#saved.ready;
    const { question, network } = asked;
    const { title: _, ...untitled } = question;
    const known = this.#saved.list.find((query) => keyOf(query) === keyOf(asked));
    const text = sanitizeText(name, LONGEST_NAME);
    const query: SavedQuery = known
      ? { ...known, name: text }
      : { id: crypto.randomUUID(), name: text, network, question: untitled };
    if (!readSaved(query.id, savedToJson(query))) return 'unfit';
    return (await this.#saved.save(query)) ? 'saved' : 'tooMany';
  }

  /** Takes the name of a saved query away, which stays among the recent ones if it ran; else forgets it. */
  async remove(id: string): Promise<void> {
    if (this.#saved.list.some((query) => query.id === id)) await this.#saved.remove(id);
    else this.#take(this.#recent.filter((query) => query.id !== id));
  }

  /** Forgets those that are not saved, with their rows. */
  clearRecent(): void {
    const isSaved = this.#savedKeys();
    this.#take(this.#recent.filter((query) => isSaved.has(keyOf(query))));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #savedKeys(): ReadonlySet<string> {
    return new Set(this.#saved.list.map(keyOf));
  }

  #take(list: readonly RecentQuery[]): void {
    const before = this.#recent;
    const keys = this.#savedKeys();
    const isSaved = (query: RecentQuery) => keys.has(keyOf(query));
    const within = bounded(list, this.#saved.isRead ? isSaved : undefined);
    const tooMany = rowsBeyond(within, MOST_BYTES);
    this.#recent = tooMany.reduce((kept, runId) => withRows(kept, runId, undefined), within);
    const stay = new Set(runsIn(this.#recent).flatMap(({ id, rows }) => (rows ? [id] : [])));
    for (const { id, rows } of runsIn(before)) {
      if (rows && !stay.has(id)) this.#attempt(this.#rows.remove(id));
    }
    this.#attempt(this.#deps.workspaceState.update(STORED, recentToJson(this.#recent)));
    this.#changed.fire();
  }

  #attempt(step: Thenable<unknown> | undefined): void {
    step?.then(undefined, (error) => this.#deps.log.warn(`Queries: ${errorText(error)}`));
  }
}

/** The runs whose rows have no room any more. */
function rowsBeyond(list: readonly RecentQuery[], most: number): readonly string[] {
  let bytes = 0;
  const byAge = runsIn(list).toSorted((a, b) => b.at - a.at);
  return byAge.flatMap(({ id, rows }) => {
    bytes += rows?.bytes ?? 0;
    return rows && bytes > most ? [id] : [];
  });
}
