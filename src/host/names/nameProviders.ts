import * as vscode from 'vscode';
import { type Address, createTimeSlices, systemClock, teamLabelsPath } from '../../core/index.ts';
import type { WorkspaceContracts } from '../contracts/workspaceContracts.ts';
import { Disposables } from '../disposables.ts';
import type { Occurrence } from '../places/workspaceAddresses.ts';
import type { WorkspaceSearch } from '../places/workspaceSearch.ts';
import { settleWithin } from '../timing.ts';
import { isWrittenInside } from '../workspace/folderFiles.ts';
import { readTextFile } from '../workspace/listFiles.ts';
import type { ProvidedName } from './addressName.ts';
import {
  type AddressNames,
  createAddressNames,
  type NameProvider,
  standardNames,
  toConstantNames,
  toDeploymentNames,
  toDevelopmentNames,
  toFoundryNames,
  toTeamNamesInSlices,
  toUserNames,
} from './addressNames.ts';
import {
  editLabelsFile,
  editUnits,
  type LabelChange,
  parseLabelsFile,
  type UnitChange,
} from './labelsFile.ts';

/** The names of addresses, with the parts that read and write them. */
export interface NamesService extends AddressNames, vscode.Disposable {
  readonly contracts: WorkspaceContracts;
  readonly team: TeamLabels;
  /** The path that identifies a file to users. */
  pathOf(uri: vscode.Uri): string;
  /** The addresses in files of the workspace, with their places, as far as they have been read. */
  listInFiles(): Iterable<{ readonly address: Address; readonly place: string }>;
  /** Settles when all providers have read their files once. */
  readonly ready: Promise<void>;
  /** Settles with `ready`, or after a short delay: reading a large workspace takes seconds. */
  soon(): Promise<unknown>;
}

interface NamesDeps {
  readonly mine: UserLabels;
  readonly contracts: WorkspaceContracts;
  readonly search: WorkspaceSearch;
  readonly log: vscode.LogOutputChannel;
}

/** After this delay, the names that are available are used. */
const NAMES_TIMEOUT_MS = 300;

/** Opens the names that the user, the team and the workspace provide. */
export function openNamesService({ mine, contracts, search, log }: NamesDeps): NamesService {
  const disposables = new Disposables();
  // Uses the paths of the index, which distinguish folders of the same name.
  const pathOf = (uri: vscode.Uri) => contracts.pathOf(uri) ?? vscode.workspace.asRelativePath(uri);
  const team = disposables.add(new TeamLabels(log, pathOf));
  const constants = disposables.add(createConstantNameProvider(search, pathOf));
  const names = disposables.add(
    createAddressNames({
      // Where the team's file and the index have the same label, the one with a line comes first.
      providers: [
        createUserNameProvider(mine),
        team,
        createContractNameProvider(contracts),
        constants,
        standardNameProvider,
      ],
      index: () => contracts.known,
    }),
  );
  disposables.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void contracts.index()));
  const ready = async () => {
    await Promise.all([mine.ready, contracts.index(), team.ready(), constants.ready()]);
  };
  return {
    ...names,
    contracts,
    team,
    pathOf,
    listInFiles: constants.listInFiles,
    get ready() {
      return ready();
    },
    soon: () => settleWithin(NAMES_TIMEOUT_MS, ready()),
    dispose: () => disposables.dispose(),
  };
}

interface UserLabels {
  readonly ready: Promise<void>;
  labelsOf(chainId: number): readonly (readonly [Address, string])[];
  readonly onDidChange: vscode.Event<void>;
}

function createUserNameProvider(mine: UserLabels): NameProvider {
  return {
    names: (chainId) => toUserNames(mine.labelsOf(chainId), chainId),
    onDidChange: mine.onDidChange,
  };
}

function createContractNameProvider(contracts: WorkspaceContracts): NameProvider {
  return {
    names: () => [
      ...toDeploymentNames(contracts.known?.deployments ?? []),
      ...toFoundryNames(contracts.known?.labels ?? []),
    ],
    onDidChange: contracts.onDidRead,
  };
}

/** A folder of the workspace, or of a project in one. */
export type LabelFolder = Pick<vscode.WorkspaceFolder, 'uri'>;

/** Reads files once its names are first requested. */
interface LazyNameProvider extends NameProvider {
  ready(): Promise<unknown>;
}

/** Constants in code. Searched when names are first requested, and after each change. */
function createConstantNameProvider(
  search: WorkspaceSearch,
  pathOf: (uri: vscode.Uri) => string,
): LazyNameProvider & vscode.Disposable & Pick<NamesService, 'listInFiles'> {
  const changed = new vscode.EventEmitter<void>();
  let all: readonly Occurrence[] = [];
  let found: readonly Occurrence[] = [];
  let searching: Promise<void> | undefined;

  async function update(): Promise<void> {
    const { occurrences } = await search.found();
    all = occurrences;
    const constants = occurrences.filter(({ constant }) => constant !== undefined);
    if (isSame(found, constants)) return;
    found = constants;
    changed.fire();
  }
  const subscription = search.onDidChange(() => {
    if (searching) searching = update();
  });

  // An untrusted workspace names no addresses.
  async function ready(): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    searching ??= update();
    await searching;
  }

  return {
    ready,
    names() {
      void ready();
      return vscode.workspace.isTrusted ? toConstantNames(found, ({ uri }) => pathOf(uri)) : [];
    },
    *listInFiles() {
      void ready();
      for (const { address, uri, line } of all) yield { address, place: `${pathOf(uri)}:${line + 1}` };
    },
    onDidChange: changed.event,
    dispose: () => vscode.Disposable.from(subscription, changed).dispose(),
  };
}

function isSame(one: readonly Occurrence[], other: readonly Occurrence[]): boolean {
  const text = ({ address, uri, line, constant }: Occurrence) => [address, uri, line, constant].join(' ');
  return one.length === other.length && one.every((place, at) => text(place) === text(other[at] ?? place));
}

/** Also matches the folder: a watcher may miss a file that is created together with its folder. */
const WATCHED_GLOB = `{${teamLabelsPath.slice(0, teamLabelsPath.lastIndexOf('/'))},${teamLabelsPath}}`;

/** The labels that teams share in their repositories; watched once they are first requested. */
class TeamLabels implements LazyNameProvider, vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #log: vscode.LogOutputChannel;
  readonly #namesByUri = new Map<string, readonly ProvidedName[]>();
  readonly #pathOf: (uri: vscode.Uri) => string;
  #watchers: Disposables | undefined;
  #loading = Promise.resolve();

  readonly onDidChange = this.#changed.event;

  /** @param pathOf the path that identifies a file to users. */
  constructor(log: vscode.LogOutputChannel, pathOf: (uri: vscode.Uri) => string) {
    this.#log = log;
    this.#pathOf = pathOf;
  }

  async ready(): Promise<void> {
    if (!this.#watchers) this.#watch();
    await this.#loading;
  }

  /** Empty in an untrusted workspace. */
  names(): readonly ProvidedName[] {
    if (!this.#watchers) this.#watch();
    return [...this.#namesByUri.values()].flat();
  }

  /**
   * Changes a label in the file of `folder`, which is created if needed. In a document with unsaved changes, the
   * change is made there, and it stays unsaved.
   *
   * @returns false where the existing file is not a label file, or behind a symbolic link; nothing is written then.
   */
  write(folder: LabelFolder, change: LabelChange): Promise<boolean> {
    return this.#edit(folder, (text) => editLabelsFile(text, change));
  }

  /** As {@link write}, for the unit of a field. */
  writeUnit(folder: vscode.WorkspaceFolder, change: UnitChange): Promise<boolean> {
    return this.#edit(folder, (text) => editUnits(text, change));
  }

  async #edit(folder: LabelFolder, edit: (text: string) => string | undefined): Promise<boolean> {
    const uri = labelsUri(folder);
    if (!(await isWrittenInside(uri))) return false;
    const unsaved = vscode.workspace.textDocuments.find(
      (document) => document.isDirty && document.uri.toString() === uri.toString(),
    );
    const text = unsaved?.getText() ?? (await readTextFile(uri));
    // Text is also empty where the file cannot be read, for example because it is too large.
    if (text === '' && (await hasContent(uri))) return false;
    const changed = edit(text);
    if (changed === undefined) return false;
    if (unsaved) return replaceText(unsaved, changed);
    if (changed !== text) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(changed));
    const root = vscode.workspace.getWorkspaceFolder(uri);
    if (root && labelsUri(root).toString() === uri.toString()) await this.#load(root);
    return true;
  }

  dispose(): void {
    this.#watchers?.dispose();
    this.#disposables.dispose();
  }

  #watch(): void {
    this.#watchers?.dispose();
    const watchers = new Disposables();
    this.#watchers = watchers;
    watchers.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#watch()));
    watchers.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#watch()));
    const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
    const uris = new Set(folders.map((folder) => labelsUri(folder).toString()));
    for (const file of this.#namesByUri.keys()) if (!uris.has(file)) this.#namesByUri.delete(file);
    for (const folder of folders) {
      const load = () => void this.#load(folder);
      const watcher = watchers.add(
        vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, WATCHED_GLOB)),
      );
      for (const changed of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]) {
        watchers.add(changed(load));
      }
      watchers.add(
        vscode.workspace.onDidSaveTextDocument(({ uri }) => {
          if (uri.toString() === labelsUri(folder).toString()) load();
        }),
      );
      load();
    }
    this.#changed.fire();
  }

  /** Loads one after another, so that the last content wins. */
  #load(folder: vscode.WorkspaceFolder): Promise<void> {
    this.#loading = this.#loading.then(() => this.#readFile(folder));
    return this.#loading;
  }

  async #readFile(folder: vscode.WorkspaceFolder): Promise<void> {
    const uri = labelsUri(folder);
    const path = this.#pathOf(uri);
    const text = await readTextFile(uri);
    const parsed = parseLabelsFile(text);
    if (text.trim() !== '' && !parsed) this.#log.warn(`${path} is not a label file.`);
    if (parsed && parsed.skipped > 0) this.#log.warn(`${path}: ${parsed.skipped} entries are not labels.`);
    const slices = createTimeSlices(systemClock);
    const names = await toTeamNamesInSlices(parsed?.labels ?? [], path, slices);
    this.#namesByUri.set(uri.toString(), names);
    this.#changed.fire();
  }
}

function labelsUri(folder: LabelFolder): vscode.Uri {
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

const standardNameProvider: NameProvider = {
  names: (chainId) => [...standardNames, ...toDevelopmentNames(chainId)],
  onDidChange: () => new vscode.Disposable(() => {}),
};
