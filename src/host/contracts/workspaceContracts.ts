import type * as vscode from 'vscode';
import type { ContractIndex } from '../../core/index.ts';

/** How far the index is. In a workspace that is not trusted it is `off`, and empty. */
export type IndexState =
  | { readonly kind: 'idle' | 'off' | 'ready' }
  /** Files read, of those found so far. */
  | { readonly kind: 'reading'; readonly read: number; readonly found: number };

/** What the projects that are open tell of contracts, deployments and names; as files are saved, not as they are typed. */
export interface WorkspaceContracts extends vscode.Disposable {
  /** The index, once all that has changed so far is in it. Begins with the first call. Never rejects. */
  index(): Promise<ContractIndex>;
  /** The index as far as it is; undefined before it is first asked for. */
  readonly known: ContractIndex | undefined;
  readonly state: IndexState;
  /** Fires when the index or its state may have changed. */
  readonly onDidChange: vscode.Event<void>;
  /** The file at a path of the index; undefined for one of a folder that is not open any more. */
  uriOf(path: string): vscode.Uri | undefined;
  /** The path of a file in the index, whether it has a part in it or not; undefined outside of the workspace. */
  pathOf(uri: vscode.Uri): string | undefined;
}
