import type * as vscode from 'vscode';
import type { ContractIndex } from '../../core/index.ts';

/** What the files of the workspace tell of contracts and their addresses. */
export interface WorkspaceFacts {
  /** The index, once all that has changed so far is in it. Begins with the first call. Never rejects. */
  index(): Promise<ContractIndex>;
  /** The index as far as it is; undefined before it is first asked for. */
  readonly known: ContractIndex | undefined;
  /** `off`: in a workspace that is not trusted. */
  readonly state:
    | { readonly kind: 'idle' | 'off' | 'ready' }
    | { readonly kind: 'reading'; readonly read: number; readonly found: number };
  /** Fires when the index or its state may have changed. */
  readonly onDidChange: vscode.Event<void>;
  /** A file that the index names. */
  uriOf(path: string): vscode.Uri | undefined;
}
