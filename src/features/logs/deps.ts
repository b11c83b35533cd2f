import type * as vscode from 'vscode';
import type { Clock } from '../../core/index.ts';
import type { Session } from '../../host/session.ts';
import type { SettingsService } from '../../host/settings.ts';

export interface LogsDeps {
  readonly extensionUri: vscode.Uri;
  readonly session: Pick<Session, 'network' | 'client' | 'onDidChange'>;
  readonly settings: Pick<SettingsService, 'current'>;
  /** Where the extension keeps what is beyond a window; the folder may not be there yet. */
  readonly storageUri: vscode.Uri;
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
  /** Version of the extension. */
  readonly version: string;
}
