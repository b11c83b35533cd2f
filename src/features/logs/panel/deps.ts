import type * as vscode from 'vscode';
import type { LogMeaning } from '../../../host/meaning/logMeaning.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import type { ExportDeps } from '../export/exportLogs.ts';

export interface LogsDeps extends ExportDeps {
  readonly extensionUri: vscode.Uri;
  readonly session: Pick<Session, 'network' | 'client' | 'onDidChange'>;
  readonly settings: Pick<SettingsService, 'current'>;
  /** What gives logs a meaning; loaded with the first panel. */
  readonly meaning: () => Promise<LogMeaning>;
}

/** With what gives logs a meaning at hand. */
export interface OpenedDeps extends Omit<LogsDeps, 'meaning'> {
  readonly meaning: LogMeaning;
}
