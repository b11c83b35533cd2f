import type * as vscode from 'vscode';
import type { Session } from '../../host/session.ts';

export interface LogsDeps {
  readonly extensionUri: vscode.Uri;
  readonly session: Pick<Session, 'network' | 'client' | 'onDidChange'>;
  readonly log: vscode.LogOutputChannel;
}
