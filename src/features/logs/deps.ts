import type * as vscode from 'vscode';
import type { ChainClient, Network } from '../../core/index.ts';

/** An error in the user's words, with what can be done about it besides trying again. */
export interface ErrorDescription {
  readonly message: string;
  readonly remedies: readonly { readonly title: string; readonly run: () => unknown }[];
}

export interface LogsDeps {
  readonly extensionUri: vscode.Uri;
  readonly session: {
    readonly network: Network;
    readonly client: ChainClient;
    readonly onDidChange: vscode.Event<unknown>;
  };
  readonly log: Pick<vscode.LogOutputChannel, 'warn' | 'error'>;
  readonly describeError: (error: unknown) => ErrorDescription;
}
