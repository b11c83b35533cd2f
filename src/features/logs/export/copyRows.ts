import * as vscode from 'vscode';
import type { Clock } from '../../../core/index.ts';
import { showBriefly, showMessage } from '../../../host/surface/messages.ts';
import type { RowsFormat } from '../protocol/selectedRows.ts';
import { MOST_COPIED, rowsText } from './rowsText.ts';

export interface RowCopier {
  /** Copies rows in a form, in place of what was still to be copied. */
  copy(format: RowsFormat, rows: Parameters<typeof rowsText>[1]): Promise<void>;
  /** What would be copied; undefined where that is too much. */
  text(format: RowsFormat, rows: Parameters<typeof rowsText>[1]): Promise<string | undefined>;
}

/** Copies rows, and says how many. Of too many it copies none: a part would be taken for all. */
export function createRowCopier(clock: Clock, exportLogs: () => void): RowCopier {
  let copying = new AbortController();
  return {
    text: (format, rows) => rowsText(format, rows, { clock, signal: new AbortController().signal }),
    async copy(format, rows) {
      copying.abort();
      copying = new AbortController();
      const { signal } = copying;
      const { count } = rows;
      const text = await rowsText(format, rows, { clock, signal });
      if (signal.aborted) return;
      if (text === undefined) return offerExport(count, exportLogs);
      await vscode.env.clipboard.writeText(text);
      showBriefly(
        count === 1 ? vscode.l10n.t('Copied 1 row') : vscode.l10n.t('Copied {0} rows', told(count)),
        3000,
      );
    },
  };
}

async function offerExport(count: number, exportLogs: () => void): Promise<void> {
  const { l10n } = vscode;
  const message =
    count > MOST_COPIED
      ? l10n.t('{0} rows are selected. Up to {1} can be copied.', told(count), told(MOST_COPIED))
      : l10n.t('The selected rows are too large to be copied.');
  const instead = l10n.t('Export…');
  if ((await showMessage('information', message, instead)) === instead) exportLogs();
}

function told(count: number): string {
  return count.toLocaleString(vscode.env.language);
}
