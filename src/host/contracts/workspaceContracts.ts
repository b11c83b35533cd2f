import * as vscode from 'vscode';
import type { ContractIndex } from '../../core/index.ts';
import { lazyPart } from '../commands.ts';
import { Disposables } from '../disposables.ts';
import type { IndexedWorkspace, IndexState, WorkspaceContractsDeps } from './indexedWorkspace.ts';

/** What the projects that are open tell of contracts, deployments and names; as files are saved, not as they are typed. */
export interface WorkspaceContracts extends vscode.Disposable {
  /**
   * The index, once all that has changed so far is in it. Begins with the first call. Empty in a workspace that is not
   * trusted. Rejects only where the extension's own files are not there any more.
   */
  index(): Promise<ContractIndex>;
  /** The index as far as it is; undefined before it is first asked for. */
  readonly known: ContractIndex | undefined;
  readonly state: IndexState;
  /** Fires when the index or its state may have changed, also while files are read. */
  readonly onDidChange: vscode.Event<void>;
  /** Fires once files have been read and the index is another than before: for what is slow to make anew. */
  readonly onDidRead: vscode.Event<void>;
  /** The file at a path of the index; undefined before it is first asked for, and for a folder that is not open. */
  uriOf(path: string): vscode.Uri | undefined;
  /** The path of a file in the index, whether it has a part in it or not; undefined outside of the workspace. */
  pathOf(uri: vscode.Uri): string | undefined;
}

/** The contracts of the workspace. What reads them is loaded with the first use. */
export function createWorkspaceContracts(deps: WorkspaceContractsDeps): WorkspaceContracts {
  const disposables = new Disposables();
  const changed = disposables.add(new vscode.EventEmitter<void>());
  const read = disposables.add(new vscode.EventEmitter<void>());
  let opened: IndexedWorkspace | undefined;
  let lastRead: ContractIndex | undefined;
  let lastVersion = 0;

  function tell(): void {
    changed.fire();
    const { known, state } = opened ?? {};
    if (state?.kind === 'reading' || (known === lastRead && known?.version === lastVersion)) return;
    lastRead = known;
    lastVersion = known?.version ?? 0;
    read.fire();
  }
  const open = lazyPart(async () => {
    const { openIndexedWorkspace } = await import('./indexedWorkspace.ts');
    opened = disposables.add(openIndexedWorkspace(deps, tell));
    return opened;
  });
  return {
    index: async () => (await open()).index(),
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
    dispose: () => disposables.dispose(),
  };
}
