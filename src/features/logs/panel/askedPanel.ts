import type { QueryForm } from '../../../core/index.ts';
import type { Panels } from '../../../host/panels/panels.ts';
import type { LogsPanel } from './logsPanel.ts';

/** What a panel is opened with. */
export interface AskedPanel {
  readonly form: QueryForm;
  /** A panel that has this form is taken. */
  readonly reuse?: boolean;
}

export type LogPanels = Panels<LogsPanel, AskedPanel>;
