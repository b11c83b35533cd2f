import type * as vscode from 'vscode';
import type { WorkspaceContracts } from '../../../host/contracts/workspaceContracts.ts';
import type { LogMeaning } from '../../../host/meaning/logMeaning.ts';
import type { AddressNames } from '../../../host/names/addressNames.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import type { ReadOnlyText } from '../../../host/surface/readOnlyText.ts';
import type { ExportDeps } from '../export/exportLogs.ts';
import type { FollowNotices } from '../follow/followNotices.ts';
import type { NewestBlock } from '../follow/followPace.ts';
import type { KeptQueries } from '../kept/keptQueries.ts';
import type { TabTitles } from './tabTitles.ts';

export interface LogsDeps extends ExportDeps {
  readonly extensionUri: vscode.Uri;
  readonly session: Session;
  readonly settings: SettingsService;
  /** Of the workspace. */
  readonly workspaceState: vscode.Memento;
  readonly workspaceStorageUri: vscode.Uri | undefined;
  readonly contracts: WorkspaceContracts;
  /** The newest block of the active network. */
  readonly head: NewestBlock;
  /** What addresses are called; loaded with the first panel. */
  readonly names: () => Promise<AddressNames>;
  /** What gives logs a meaning; loaded with the first panel. */
  readonly meaning: () => Promise<LogMeaning>;
}

/** With what gives logs a meaning at hand. */
export interface OpenedDeps
  extends Omit<LogsDeps, 'meaning' | 'names' | 'workspaceState' | 'workspaceStorageUri'> {
  readonly names: AddressNames;
  readonly meaning: LogMeaning;
  readonly titles: TabTitles;
  readonly notices: FollowNotices;
  /** Where rows are shown that a second opinion does not have alike. */
  readonly differences: ReadOnlyText;
  /** Where rows are shown that a run does not have like the one before it. */
  readonly runDifferences: ReadOnlyText;
  readonly queries: KeptQueries;
}
