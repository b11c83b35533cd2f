import type * as vscode from 'vscode';
import type { WorkspaceContracts } from '../../../host/contracts/workspaceContracts.ts';
import type { LogDecoding } from '../../../host/logDecoding.ts';
import type { AddressNames } from '../../../host/names/addressNames.ts';
import type { NamesService } from '../../../host/names/nameProviders.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import { setTabTitle } from '../../../host/ui/panels.ts';
import type { ReadOnlyDocuments } from '../../../host/ui/readOnlyDocuments.ts';
import type { ExportDeps } from '../export/exportLogs.ts';
import type { QueryStore } from '../queries/queryStore.ts';
import type { FollowNotices, HeadReader } from './followNotices.ts';
import { makeTitlesDistinct, type TitledQuery } from './queryTitle.ts';

export interface LogsDeps extends ExportDeps {
  readonly extensionUri: vscode.Uri;
  readonly session: Session;
  readonly settings: SettingsService;
  readonly workspaceStorageUri: vscode.Uri | undefined;
  readonly contracts: WorkspaceContracts;
  readonly head: HeadReader;
  /** Loaded with the first panel. */
  readonly names: () => Promise<PanelNames>;
  /** Loaded with the first panel. */
  readonly meaning: () => Promise<LogDecoding>;
}

/** {@link LogsDeps} with the names and the decoding loaded. */
export interface PanelServices extends Omit<LogsDeps, 'meaning' | 'names' | 'workspaceStorageUri'> {
  readonly names: PanelNames;
  readonly meaning: LogDecoding;
  readonly titles: TabTitles;
  readonly notices: FollowNotices;
  /** The editor tab that lists differences to a second opinion. */
  readonly differences: ReadOnlyDocuments;
  readonly queries: QueryStore;
}

type PanelNames = AddressNames & Pick<NamesService, 'listInFiles'>;

interface Titled {
  title: string;
}

/** Gives each log panel's tab a distinct title. */
export class TabTitles {
  readonly #queries = new Map<Titled, TitledQuery>();

  name(panel: Titled, query: TitledQuery): void {
    this.#queries.set(panel, query);
    this.#updateTitles();
  }

  forget(panel: Titled): void {
    this.#queries.delete(panel);
    this.#updateTitles();
  }

  #updateTitles(): void {
    const panels = [...this.#queries.keys()];
    for (const [index, title] of makeTitlesDistinct([...this.#queries.values()]).entries()) {
      const panel = panels[index];
      if (panel && panel.title !== title) setTabTitle(panel, title);
    }
  }
}
