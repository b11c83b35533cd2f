import * as vscode from 'vscode';
import type { Address, AddressCheck, ContractIndex, ProjectFiles } from '../../core/index.ts';
import { lazyPart } from '../commands.ts';
import { Disposables } from '../disposables.ts';
import type { IndexedWorkspace, IndexState, WorkspaceContractsDeps } from './indexedWorkspace.ts';

/** The contracts, deployments and names of the open projects, from saved files. */
export interface WorkspaceContracts extends vscode.Disposable {
  /**
   * The index with all changes so far. The first call starts indexing. Empty in an untrusted workspace. Rejects
   * only where the extension's own files are missing.
   */
  index(): Promise<ContractIndex>;
  /** Adds what a chain says of its addresses to the index; see {@link ContractIndex.settleDeployments}. */
  settle(chainId: number, checks: ReadonlyMap<Address, AddressCheck>): void;
  /** The current index, possibly incomplete; undefined before it is first requested. */
  readonly known: ContractIndex | undefined;
  readonly state: IndexState;
  /** Fires when the index or its state may have changed, also during indexing. */
  readonly onDidChange: vscode.Event<void>;
  /** Fires when indexing has ended with a different index: for listeners that are slow to update. */
  readonly onDidRead: vscode.Event<void>;
  /**
   * The file at a path of the index; undefined before the index is first requested, and for a folder that is not
   * open.
   */
  uriOf(path: string): vscode.Uri | undefined;
  /** The path that a file has or would have in the index; undefined outside of the workspace. */
  pathOf(uri: vscode.Uri): string | undefined;
  /** The files of the index; undefined before the index is first requested, and in an untrusted workspace. */
  readonly files: ProjectFiles | undefined;
}

/** The code that reads them is loaded on first use. */
export function createWorkspaceContracts(deps: WorkspaceContractsDeps): WorkspaceContracts {
  const disposables = new Disposables();
  const changed = disposables.add(new vscode.EventEmitter<void>());
  const read = disposables.add(new vscode.EventEmitter<void>());
  let opened: IndexedWorkspace | undefined;
  let lastRead: ContractIndex | undefined;
  let lastVersion = 0;

  function notify(): void {
    changed.fire();
    const { known, state } = opened ?? {};
    if (state?.kind === 'reading' || (known === lastRead && known?.version === lastVersion)) return;
    lastRead = known;
    lastVersion = known?.version ?? 0;
    read.fire();
  }
  const open = lazyPart(async () => {
    const { openIndexedWorkspace } = await import('./indexedWorkspace.ts');
    opened = disposables.add(openIndexedWorkspace(deps, notify));
    return opened;
  });
  return {
    index: async () => (await open()).index(),
    settle(chainId, checks) {
      opened?.known.settleDeployments(chainId, checks);
      notify();
    },
    get known() {
      return opened?.known;
    },
    get state() {
      return opened?.state ?? { kind: 'idle' };
    },
    onDidChange: changed.event,
    onDidRead: read.event,
    uriOf: (path) => opened?.uriOf(path),
    pathOf: (uri) => opened?.pathOf(uri),
    get files() {
      return opened?.files;
    },
    dispose: () => disposables.dispose(),
  };
}
