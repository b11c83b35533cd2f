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

/** Text that people write. */
const textFiles: FileInterest = {
  names:
    /(\.(sol|vy|yul|huff|cairo|move|rs|go|py|rb|java|kt|cs|swift|[mc]?[jt]s|[jt]sx|vue|svelte|json|jsonc|json5|toml|ya?ml|csv|mdx?|txt|sh|graphql|html|env)|^\.env.*)$/i,
  skippedFolders: new Set([...buildOutput, ...dependencies]),
};
/** Changes to such texts, and to what leaves some of them out. */
const isRelevantChange: ChangeInterest = (path, kind) =>
  path.at(-1) === '.gitignore' || isOfInterest(path, kind, textFiles);
/** Addresses of files that are kept until a file changes, over all files. */
const MAX_CACHED_ADDRESSES = MAX_ADDRESSES;
/** Searches that changes may overtake one after the other until one is taken for what there is. */
const MAX_RESTARTS = 5;

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
  readonly #kept = new Map<string, readonly FileAddress[]>();
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
      if (!stop.signal.aborted || overtaken === MAX_RESTARTS) return addresses;
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
        this.#deps.files.watch(isRelevantChange, (changes) => this.#follow(changes)),
        watchExcludeSettings(() => this.searchAgain()),
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
    const gathering = createAddressCollector();
    const opened = new Set<string>();
    const slices = createTimeSlices(this.#deps.clock);
    for (const document of vscode.workspace.textDocuments) {
      const { uri } = document;
      if (signal.aborted || gathering.isFull) break;
      if (uri.scheme === 'output') continue;
      opened.add(uri.toString());
      gathering.add(
        await findFileAddresses(getDocumentStart(document, MAX_READ_BYTES), uri.path, slices),
        uri,
      );
      if (slices.isOver()) await slices.rest();
    }
    const files = listFiles(textFiles, { signal, rulesOf: readSearchRules });
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
  ): Promise<readonly FileAddress[]> {
    const name = uri.toString();
    const known = this.#kept.get(name);
    if (known) return known;
    const addresses = await findFileAddresses(await readTextFile(uri), uri.path, slices);
    // What was read while files changed may be of before.
    const keeps = this.#deps.files.isFollowing && !signal.aborted;
    if (keeps && this.#keptCount + addresses.length <= MAX_CACHED_ADDRESSES) {
      this.#kept.set(name, addresses);
      this.#keptCount += addresses.length;
    }
    return addresses;
  }
}

/** Of one setting; real ones have some dozens. */
const MAX_PATTERNS = 200;

/** A pattern may also be `{ when: … }`, which depends on what stands beside a file: such ones are not looked at. */
const Patterns = z.record(z.string(), z.unknown());

const settings = ['files.exclude', 'search.exclude', 'search.useIgnoreFiles'] as const;

/** What the editor's own settings leave out of a folder of the workspace, as its search does. */
function readExcludeSettings(folder: vscode.Uri): RulesOptions {
  const configured = vscode.workspace.getConfiguration(undefined, folder);
  const tests = ['files.exclude', 'search.exclude'].flatMap((id) => {
    const patterns = Patterns.safeParse(configured.get(id)).data ?? {};
    const chosen = Object.entries(patterns).filter(([, isOn]) => isOn === true);
    return chosen.slice(0, MAX_PATTERNS).flatMap(([pattern]) => compileGlob(pattern) ?? []);
  });
  return {
    excluded: (path) => tests.some((test) => test(path)),
    useIgnoreFiles: configured.get('search.useIgnoreFiles') !== false,
  };
}

/** Calls `changed` when these settings leave out something else. */
function watchExcludeSettings(changed: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (settings.some((id) => event.affectsConfiguration(id))) changed();
  });
}

type FolderEntries = readonly Entry<vscode.Uri>[];

/** The rules within a folder of the workspace: what the editor's search leaves out, and libraries of Foundry. */
async function readSearchRules(folder: vscode.Uri, entries: FolderEntries): Promise<Rules<vscode.Uri>> {
  return asRules(await readFolderRules(filesOf(entries), readExcludeSettings(folder)));
}

function asRules(rules: FolderRules): Rules<vscode.Uri> {
  return {
    ignores: rules.ignores,
    within: async (name, entries) => asRules(await rules.within(name, filesOf(entries))),
  };
}

function filesOf(entries: FolderEntries): FolderFiles {
  const find = (name: string) => entries.find((entry) => entry.name === name && entry.kind === 'file');
  return {
    has: (name) => find(name) !== undefined,
    async read(name) {
      const found = find(name);
      return found ? readTextFile(found.at) : '';
    },
  };
}
