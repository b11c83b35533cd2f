import type * as vscode from 'vscode';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import type { ExportDeps } from '../export/exportLogs.ts';

export interface LogsDeps extends ExportDeps {
  readonly extensionUri: vscode.Uri;
  readonly session: Pick<Session, 'network' | 'client' | 'onDidChange'>;
  readonly settings: Pick<SettingsService, 'current'>;
}
