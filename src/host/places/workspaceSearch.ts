import * as vscode from 'vscode';
import { type Clock, createTimeSlices, type TimeSlices } from '../../core/index.ts';
import { Disposables } from '../disposables.ts';
import { type Changes, mayHaveChanged } from '../workspace/changeBatches.ts';
import { documentStart } from '../workspace/documentText.ts';
import {
  buildOutput,
  type ChangeInterest,
  concerns,
  dependencies,
  type FileInterest,
} from '../workspace/fileInterest.ts';
import { followExcluded } from '../workspace/leftOut/excludedBySettings.ts';
import { searchRules } from '../workspace/leftOut/searchRules.ts';
import { LARGEST_FILE, listFiles, readTextFile } from '../workspace/listFiles.ts';
import type { WorkspaceFiles } from '../workspace/workspaceFiles.ts';
import {
  addressesIn,
  createGathering,
  MOST_ADDRESSES,
  type PlacedAddress,
  type WorkspaceAddresses,
} from './workspaceAddresses.ts';

/** Text that people write. */
const writtenText: FileInterest = {
  names:
    /(\.(sol|vy|yul|huff|cairo|move|rs|go|py|rb|java|kt|cs|swift|[mc]?[jt]s|[jt]sx|vue|svelte|json|jsonc|json5|toml|ya?ml|csv|mdx?|txt|sh|graphql|html|env)|^\.env.*)$/i,
  skippedFolders: new Set([...buildOutput, ...dependencies]),
};
/** Changes to such texts, and to what leaves some of them out. */
const mayMatter: ChangeInterest = (path, kind) =>
  path.at(-1) === '.gitignore' || concerns(path, kind, writtenText);
/** Addresses of files that are kept until a file changes, over all files. */
const MOST_KEPT = MOST_ADDRESSES;
/** Searches that changes may overtake one after the other until one is taken for what there is. */
const MOST_OVERTAKEN = 5;

interface WorkspaceSearchDeps {
  readonly files: WorkspaceFiles;
  readonly clock: Clock;
}

/**
 * The addresses in open editors, then in the files of the workspace that the editor's search looks into; of a long
 * document its first MiB.
 * Searched when first wanted, and again after a change, of which only the files that changed are read again. Asks no
 * server.
 */
export class WorkspaceSearch implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #deps: WorkspaceSearchDeps;
  /** By URI; only while changes are followed. */
  readonly #kept = new Map<string, readonly PlacedAddress[]>();
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
      vscode.Disposable.from(
        this.#deps.files.watch(mayMatter, (changes) => this.#follow(changes)),
        followExcluded(() => this.searchAgain()),
      ),
    );
    if (!this.#search) {
      const stop = new AbortController();
      this.#search = { stop, found: this.#searchAll(stop) };
    }
    return this.#search;
  }

  #follow(changes: Changes): void {
    for (const [name, addresses] of this.#kept) {
      if (!mayHaveChanged(name, changes)) continue;
      this.#kept.delete(name);
      this.#keptCount -= addresses.length;
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
      gathering.add(await addressesIn(documentStart(document, LARGEST_FILE), uri.path, slices), uri);
      if (slices.isOver()) await slices.rest();
    }
    const files = listFiles(writtenText, { signal, rulesOf: searchRules });
    for await (const uri of files) {
      if (signal.aborted || gathering.isFull) break;
      if (!opened.has(uri.toString())) gathering.add(await this.#addressesOf(uri, { signal, slices }), uri);
      if (slices.isOver()) await slices.rest();
    }
    return gathering.result(files.cut);
  }

  async #addressesOf(
    uri: vscode.Uri,
    { signal, slices }: { readonly signal: AbortSignal; readonly slices: TimeSlices },
  ): Promise<readonly PlacedAddress[]> {
    const name = uri.toString();
    const known = this.#kept.get(name);
    if (known) return known;
    const addresses = await addressesIn(await readTextFile(uri), uri.path, slices);
    // What was read while files changed may be of before.
    const keeps = this.#deps.files.isFollowing && !signal.aborted;
    if (keeps && this.#keptCount + addresses.length <= MOST_KEPT) {
      this.#kept.set(name, addresses);
      this.#keptCount += addresses.length;
    }
    return addresses;
  }
}
