import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type Clock, createTimeSlices, type TimeSlices } from '../../core/index.ts';
import { Disposables } from '../disposables.ts';
import { type Changes, mayHaveChanged } from '../timing.ts';
import {
  buildOutput,
  type ChangeInterest,
  dependencies,
  type FileInterest,
  isOfInterest,
} from '../workspace/fileInterest.ts';
import {
  compileGlob,
  type FolderFiles,
  type FolderRules,
  type RulesOptions,
  readFolderRules,
} from '../workspace/ignoreRules.ts';
import { listFiles, MAX_READ_BYTES, readTextFile } from '../workspace/listFiles.ts';
import type { Entry, Rules } from '../workspace/walkFolders.ts';
import type { WorkspaceFiles } from '../workspace/workspaceFiles.ts';
import { getDocumentStart } from './documents.ts';
import {
  createAddressCollector,
  type FileAddress,
  findFileAddresses,
  MAX_ADDRESSES,
  type WorkspaceAddresses,
} from './workspaceAddresses.ts';

/** Text files that people write. */
const textFiles: FileInterest = {
  names:
    /(\.(sol|vy|yul|huff|cairo|move|rs|go|py|rb|java|kt|cs|swift|[mc]?[jt]s|[jt]sx|vue|svelte|json|jsonc|json5|toml|ya?ml|csv|mdx?|txt|sh|graphql|html|env)|^\.env.*)$/i,
  skippedFolders: new Set([...buildOutput, ...dependencies]),
};
/** Changes to such files and to the `.gitignore` files that exclude some of them. */
const isRelevantChange: ChangeInterest = (path, kind) =>
  path.at(-1) === '.gitignore' || isOfInterest(path, kind, textFiles);
/** Cached until a file changes, over all files. */
const MAX_CACHED_ADDRESSES = MAX_ADDRESSES;
/** After this many interrupted searches in a row, the partial result is returned. */
const MAX_RESTARTS = 5;

interface WorkspaceSearchDeps {
  readonly files: WorkspaceFiles;
  readonly clock: Clock;
}

/**
 * The addresses in open editors, then in the workspace files that the editor's own search covers; of a long
 * document its first MiB. The first use starts the search; after a change, only the changed files are read again.
 * Sends no request.
 */
export class WorkspaceSearch implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #deps: WorkspaceSearchDeps;
  /** By URI; only while changes are watched. */
  readonly #cache = new Map<string, readonly FileAddress[]>();
  #cachedCount = 0;
  #search: { readonly stop: AbortController; readonly found: Promise<WorkspaceAddresses> } | undefined;
  #watcher: vscode.Disposable | undefined;

  /** Fires when the last result may be out of date. */
  readonly onDidChange = this.#changed.event;

  constructor(deps: WorkspaceSearchDeps) {
    this.#deps = deps;
  }

  /**
   * The result of the current search. When a change interrupts it, waits for the next search: an interrupted one is
   * partial.
   */
  async found(): Promise<WorkspaceAddresses> {
    for (let interrupted = 0; ; interrupted++) {
      const { stop, found } = this.#currentSearch();
      const addresses = await found;
      if (!stop.signal.aborted || interrupted === MAX_RESTARTS) return addresses;
    }
  }

  /** Drops the result and every cached file. */
  searchAgain(): void {
    this.#invalidate({ names: new Set(), cut: true });
  }

  dispose(): void {
    this.#search?.stop.abort();
    this.#disposables.dispose();
  }

  #currentSearch() {
    this.#watcher ??= this.#disposables.add(
      vscode.Disposable.from(
        this.#deps.files.watch(isRelevantChange, (changes) => this.#invalidate(changes)),
        watchExcludeSettings(() => this.searchAgain()),
      ),
    );
    if (!this.#search) {
      const stop = new AbortController();
      this.#search = { stop, found: this.#searchAll(stop) };
    }
    return this.#search;
  }

  #invalidate(changes: Changes): void {
    for (const [name, addresses] of this.#cache) {
      if (!mayHaveChanged(name, changes)) continue;
      this.#cache.delete(name);
      this.#cachedCount -= addresses.length;
    }
    this.#search?.stop.abort();
    this.#search = undefined;
    this.#changed.fire();
  }

  /** Yields to other work between two files. */
  async #searchAll({ signal }: AbortController): Promise<WorkspaceAddresses> {
    const collector = createAddressCollector();
    const openUris = new Set<string>();
    const slices = createTimeSlices(this.#deps.clock);
    for (const document of vscode.workspace.textDocuments) {
      const { uri } = document;
      if (signal.aborted || collector.isFull) break;
      if (!isOfWorkspace(uri)) continue;
      openUris.add(uri.toString());
      collector.add(
        await findFileAddresses(getDocumentStart(document, MAX_READ_BYTES), uri.path, slices),
        uri,
      );
      if (slices.isOver()) await slices.rest();
    }
    const files = listFiles(textFiles, { signal, rulesOf: readSearchRules });
    for await (const uri of files) {
      if (signal.aborted || collector.isFull) break;
      if (!openUris.has(uri.toString()))
        collector.add(await this.#readAddresses(uri, { signal, slices }), uri);
      if (slices.isOver()) await slices.rest();
    }
    return collector.result(files.cut);
  }

  async #readAddresses(
    uri: vscode.Uri,
    { signal, slices }: { readonly signal: AbortSignal; readonly slices: TimeSlices },
  ): Promise<readonly FileAddress[]> {
    const name = uri.toString();
    const cached = this.#cache.get(name);
    if (cached) return cached;
    const addresses = await findFileAddresses(await readTextFile(uri), uri.path, slices);
    // A file that was read during a change may be out of date.
    const canCache = this.#deps.files.isFollowing && !signal.aborted;
    if (canCache && this.#cachedCount + addresses.length <= MAX_CACHED_ADDRESSES) {
      this.#cache.set(name, addresses);
      this.#cachedCount += addresses.length;
    }
    return addresses;
  }
}

/** Whether an open document is the user's: not output, an old version, or what an extension shows. */
function isOfWorkspace(uri: vscode.Uri): boolean {
  const isOwn = ['file', 'untitled', 'vscode-notebook-cell'].includes(uri.scheme);
  return isOwn || vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}

/** Per setting; real ones have dozens. */
const MAX_PATTERNS = 200;

/** A value may also be `{ when: … }`, which depends on sibling files: those patterns are ignored. */
const Patterns = z.record(z.string(), z.unknown());

const excludeSettings = ['files.exclude', 'search.exclude', 'search.useIgnoreFiles'] as const;

/** The paths that the editor's settings exclude from its search. */
function readExcludeSettings(folder: vscode.Uri): RulesOptions {
  const configuration = vscode.workspace.getConfiguration(undefined, folder);
  const excludes = ['files.exclude', 'search.exclude'].flatMap((id) => {
    const patterns = Patterns.safeParse(configuration.get(id)).data ?? {};
    const enabled = Object.entries(patterns).filter(([, isOn]) => isOn === true);
    return enabled.slice(0, MAX_PATTERNS).flatMap(([pattern]) => compileGlob(pattern) ?? []);
  });
  return {
    excluded: (path) => excludes.some((test) => test(path)),
    useIgnoreFiles: configuration.get('search.useIgnoreFiles') !== false,
  };
}

/** Calls `changed` when one of these settings changes. */
function watchExcludeSettings(changed: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (excludeSettings.some((id) => event.affectsConfiguration(id))) changed();
  });
}

type FolderEntries = readonly Entry<vscode.Uri>[];

/** The rules within a workspace folder: what the editor's search leaves out, and Foundry libraries. */
async function readSearchRules(folder: vscode.Uri, entries: FolderEntries): Promise<Rules<vscode.Uri>> {
  return toRules(await readFolderRules(toFolderFiles(entries), readExcludeSettings(folder)));
}

function toRules(rules: FolderRules): Rules<vscode.Uri> {
  return {
    ignores: rules.ignores,
    within: async (name, entries) => toRules(await rules.within(name, toFolderFiles(entries))),
  };
}

function toFolderFiles(entries: FolderEntries): FolderFiles {
  const find = (name: string) => entries.find((entry) => entry.name === name && entry.kind === 'file');
  return {
    has: (name) => find(name) !== undefined,
    async read(name) {
      const found = find(name);
      return found ? readTextFile(found.at) : '';
    },
  };
}
