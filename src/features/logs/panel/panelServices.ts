import type * as vscode from 'vscode';
import type { WorkspaceContracts } from '../../../host/contracts/workspaceContracts.ts';
import type { LogDecoding } from '../../../host/logDecoding.ts';
import type { AddressNames } from '../../../host/names/addressNames.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import { setTabTitle } from '../../../host/ui/panels.ts';
import type { ReadOnlyDocument } from '../../../host/ui/virtualDocuments.ts';
import type { ExportDeps } from '../export/exportLogs.ts';
import type { QueryStore } from '../queries/queryStore.ts';
import type { FollowNotices, HeadReader } from './followNotices.ts';
import { makeTitlesDistinct, type TitledQuery } from './queryTitle.ts';

export interface LogsDeps extends ExportDeps {
  readonly extensionUri: vscode.Uri;
  readonly session: Session;
  readonly settings: SettingsService;
  /** Of the workspace. */
  readonly workspaceState: vscode.Memento;
  readonly workspaceStorageUri: vscode.Uri | undefined;
  readonly contracts: WorkspaceContracts;
  /** The newest block of the active network. */
  readonly head: HeadReader;
  /** What addresses are called; loaded with the first panel. */
  readonly names: () => Promise<AddressNames>;
  /** What gives logs a meaning; loaded with the first panel. */
  readonly meaning: () => Promise<LogDecoding>;
}

/** With what gives logs a meaning at hand. */
export interface PanelServices
  extends Omit<LogsDeps, 'meaning' | 'names' | 'workspaceState' | 'workspaceStorageUri'> {
  readonly names: AddressNames;
  readonly meaning: LogDecoding;
  readonly titles: TabTitles;
  readonly notices: FollowNotices;
  /** Where rows are shown that a second opinion does not have alike. */
  readonly differences: ReadOnlyDocument;
  readonly queries: QueryStore;
}

interface Titled {
  title: string;
}

/** Names the tabs of the log panels, so that no two are called alike. */
export class TabTitles {
  readonly #queries = new Map<Titled, TitledQuery>();

  name(panel: Titled, query: TitledQuery): void {
    this.#queries.set(panel, query);
    this.#tell();
  }

  forget(panel: Titled): void {
    this.#queries.delete(panel);
    this.#tell();
  }

  #tell(): void {
    const panels = [...this.#queries.keys()];
    for (const [index, title] of makeTitlesDistinct([...this.#queries.values()]).entries()) {
      const panel = panels[index];
      if (panel && panel.title !== title) setTabTitle(panel, title);
    }
  }
}
