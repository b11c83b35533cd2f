import * as vscode from 'vscode';
import { type Clock, createTimeSlices } from '../../core/index.ts';
import { Disposables } from '../disposables.ts';
import { type Changes, mayHaveChanged } from '../workspace/changeBatches.ts';
import { documentStart } from '../workspace/documentText.ts';
import { buildOutput, dependencies, type FileInterest } from '../workspace/fileInterest.ts';
import { LARGEST_FILE, readTextFile, type WorkspaceFiles } from '../workspace/workspaceFiles.ts';
import {
  createGathering,
  type LinesOfAddresses,
  linesOfAddresses,
  type WorkspaceAddresses,
} from './workspaceAddresses.ts';

/** Text that people write. */
const writtenText: FileInterest = {
  names:
    /(\.(sol|vy|yul|huff|cairo|move|rs|go|py|rb|java|kt|cs|swift|[mc]?[jt]s|[jt]sx|vue|svelte|json|jsonc|json5|toml|ya?ml|csv|mdx?|txt|sh|graphql|html|env)|^\.env.*)$/i,
  skippedFolders: new Set([...buildOutput, ...dependencies]),
};
/** Addresses of files that are kept until a file changes, over all files. */
const MOST_KEPT = 20_000;
/** Searches that changes may overtake one after the other until one is taken for what there is. */
const MOST_OVERTAKEN = 5;

interface WorkspaceSearchDeps {
  readonly files: WorkspaceFiles;
  readonly clock: Clock;
}

/**
 * The addresses in open editors, then in the files of the workspace, each once; of a long document its first MiB.
 * Searched when first wanted, and again after a change, of which only the files that changed are read again. Asks no
 * server.
 */
export class WorkspaceSearch implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #deps: WorkspaceSearchDeps;
  /** By URI; only while changes are followed. */
  readonly #kept = new Map<string, LinesOfAddresses>();
  #keptCount = 0;
  #search: { readonly stop: AbortController; readonly found: Promise<WorkspaceAddresses> } | undefined;
  #watcher: vscode.Disposable | undefined;

  /** Fires when what was found may be so no longer. */
  readonly onDidChange = this.#changed.event;

  constructor(deps: WorkspaceSearchDeps) {
    this.#deps = deps;
  }

  /** What is found. Where a change has overtaken the search, of the one after it: a search given up has found a part. */
  async found(): Promise<WorkspaceAddresses> {
    for (let overtaken = 0; ; overtaken++) {
      const { stop, found } = this.#currentSearch();
      const addresses = await found;
      if (!stop.signal.aborted || overtaken === MOST_OVERTAKEN) return addresses;
    }
  }

  /** Forgets all that was found. */
  searchAgain(): void {
    this.#follow({ names: new Set(), cut: true });
  }

  dispose(): void {
    this.#search?.stop.abort();
    this.#disposables.dispose();
  }

  #currentSearch() {
    this.#watcher ??= this.#disposables.add(
      this.#deps.files.watch(writtenText, (changes) => this.#follow(changes)),
    );
    if (!this.#search) {
      const stop = new AbortController();
      this.#search = { stop, found: this.#searchAll(stop) };
    }
    return this.#search;
  }

  #follow(changes: Changes): void {
    for (const [name, lines] of this.#kept) {
      if (!mayHaveChanged(name, changes)) continue;
      this.#kept.delete(name);
      this.#keptCount -= lines.size;
    }
    this.#search?.stop.abort();
    this.#search = undefined;
    this.#changed.fire();
  }

  /** All else goes on between two files. */
  async #searchAll({ signal }: AbortController): Promise<WorkspaceAddresses> {
    const gathering = createGathering();
    const opened = new Set<string>();
    const slices = createTimeSlices(this.#deps.clock);
    for (const document of vscode.workspace.textDocuments) {
      const { uri } = document;
      if (signal.aborted || gathering.isFull) break;
      if (uri.scheme === 'output') continue;
      opened.add(uri.toString());
      gathering.add(linesOfAddresses(documentStart(document, LARGEST_FILE), uri.path), uri);
      if (slices.isOver()) await slices.rest();
    }
    const files = this.#deps.files.list(writtenText, { signal });
    for await (const uri of files) {
      if (signal.aborted || gathering.isFull) break;
      if (!opened.has(uri.toString())) gathering.add(await this.#linesOf(uri, { signal }), uri);
      if (slices.isOver()) await slices.rest();
    }
    return gathering.result(files.cut);
  }

  async #linesOf(uri: vscode.Uri, { signal }: { readonly signal: AbortSignal }): Promise<LinesOfAddresses> {
    const name = uri.toString();
    const known = this.#kept.get(name);
    if (known) return known;
    const lines = linesOfAddresses(await readTextFile(uri), uri.path);
    // What was read while files changed may be of before.
    const keeps = this.#deps.files.isFollowing && !signal.aborted;
    if (keeps && this.#keptCount + lines.size <= MOST_KEPT) {
      this.#kept.set(name, lines);
      this.#keptCount += lines.size;
    }
    return lines;
  }
}
