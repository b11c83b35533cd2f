import * as vscode from 'vscode';
import { type Address, teamLabelsPath } from '../../core/index.ts';
import type { WorkspaceContracts } from '../contracts/workspaceContracts.ts';
import { Disposables } from '../disposables.ts';
import type { Occurrence } from '../places/workspaceAddresses.ts';
import type { WorkspaceSearch } from '../places/workspaceSearch.ts';
import { settleWithin } from '../timing.ts';
import { readTextFile } from '../workspace/listFiles.ts';
import type { ProvidedName } from './addressName.ts';
import {
  type AddressNames,
  createAddressNames,
  type NameProvider,
  standardNames,
  toConstantNames,
  toDeploymentNames,
  toFoundryNames,
  toTeamNames,
  toUserNames,
} from './addressNames.ts';
import { editLabelsFile, type LabelChange, parseLabelsFile } from './labelsFile.ts';

/** The labels that a user keeps for each chain. */
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

/** One that reads files, from the time that its names are first wanted. */
interface LazyNameProvider extends NameProvider {
  /** Settles when they have been read. */
  ready(): Promise<unknown>;
}

/** Constants of the code. Searched when names are first wanted, and then after each change. */
function createConstantNameProvider(
  search: WorkspaceSearch,
  pathOf: (uri: vscode.Uri) => string,
): LazyNameProvider & vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  let found: readonly Occurrence[] = [];
  let looked: Promise<void> | undefined;

  async function look(): Promise<void> {
    const { occurrences } = await search.found();
    const constants = occurrences.filter(({ constant }) => constant !== undefined);
    if (isSame(found, constants)) return;
    found = constants;
    changed.fire();
  }
  const listening = search.onDidChange(() => {
    if (looked) looked = look();
  });

  // What an untrusted workspace says is told of none of its addresses.
  async function ready(): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    looked ??= look();
    await looked;
  }

  return {
    ready,
    names() {
      void ready();
      return vscode.workspace.isTrusted ? toConstantNames(found, ({ uri }) => pathOf(uri)) : [];
    },
    onDidChange: changed.event,
    dispose: () => vscode.Disposable.from(listening, changed).dispose(),
  };
}

function isSame(one: readonly Occurrence[], other: readonly Occurrence[]): boolean {
  const text = ({ address, uri, line, constant }: Occurrence) => [address, uri, line, constant].join(' ');
  return one.length === other.length && one.every((place, at) => text(place) === text(other[at] ?? place));
}

const standards: NameProvider = {
  names: () => standardNames,
  onDidChange: () => new vscode.Disposable(() => {}),
};

/** After this long names are taken as far as they are known. */
const NAMES_TIMEOUT_MS = 300;

interface NamesDeps {
  readonly mine: UserLabels;
  readonly contracts: WorkspaceContracts;
  readonly search: WorkspaceSearch;
  readonly log: vscode.LogOutputChannel;
}

/** Names, and those who write some down. */
export interface NamesService extends AddressNames, vscode.Disposable {
  readonly contracts: WorkspaceContracts;
  readonly team: TeamLabels;
  /** The path by which a file is named. */
  pathOf(uri: vscode.Uri): string;
  /** Settles when all that gives names has been read once. */
  readonly ready: Promise<void>;
  /** Settles as `ready`, or after a moment: a large workspace is read for seconds. */
  soon(): Promise<unknown>;
}

/** The names of all addresses, from what the user, the team and the workspace say. */
export function openNamesService({ mine, contracts, search, log }: NamesDeps): NamesService {
  const disposables = new Disposables();
  // As the index names files: of two folders that are called the same, it tells one from the other.
  const pathOf = (uri: vscode.Uri) => contracts.pathOf(uri) ?? vscode.workspace.asRelativePath(uri);
  const team = disposables.add(new TeamLabels(log, pathOf));
  const constants = disposables.add(createConstantNameProvider(search, pathOf));
  const names = disposables.add(
    createAddressNames({
      // Of the labels that the team's file and the index tell alike, those with a line come first.
      providers: [
        createUserNameProvider(mine),
        team,
        createContractNameProvider(contracts),
        constants,
        standards,
      ],
      deploymentsAt: (address) => contracts.known?.deploymentsAt(address) ?? [],
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
    get ready() {
      return ready();
    },
    soon: () => settleWithin(NAMES_TIMEOUT_MS, ready()),
    dispose: () => disposables.dispose(),
  };
}

/** A watcher of the file system may miss a file that is made at once with its folder, and tells of the folder then. */
const WATCHED_GLOB = `{${teamLabelsPath.slice(0, teamLabelsPath.lastIndexOf('/'))},${teamLabelsPath}}`;

/** The labels that teams share in their repositories; followed from the first time that they are wanted. */
class TeamLabels implements LazyNameProvider, vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #log: vscode.LogOutputChannel;
  /** By the URI of the file. */
  readonly #read = new Map<string, readonly ProvidedName[]>();
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
  names(): readonly ProvidedName[] {
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
    const changed = editLabelsFile(text, change);
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
        vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, WATCHED_GLOB)),
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
    const read = parseLabelsFile(text);
    if (text.trim() !== '' && !read) this.#log.warn(`${shown} is not a label file.`);
    if (read && read.skipped > 0) this.#log.warn(`${shown}: ${read.skipped} entries are not labels.`);
    this.#read.set(uri.toString(), toTeamNames(read?.labels ?? [], shown));
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
