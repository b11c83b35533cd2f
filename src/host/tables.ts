import * as vscode from 'vscode';
import type { Clock } from '../core/index.ts';
import type { RowsFormat } from '../messaging/rowSelection.ts';
import { findTargetFiles, openFileSet } from './files/atomicFiles.ts';
import { chooseTarget, createUnfinishedExports, ignoreFocusOut } from './files/exportFile.ts';
import { getFileName } from './files/fileNames.ts';
import { formatNumber } from './numbers.ts';
import { MAX_COPIED_ROWS, type SliceOptions } from './tableText.ts';
import { type PickItem, pickOne, showMessage, showStatusMessage } from './ui/dialogs.ts';
import { withCancellableProgress } from './ui/window.ts';

/** Copies the text of `count` rows, and cancels an earlier copy that is still running. */
export type CopyRows = (
  count: number,
  format: (options: SliceOptions) => Promise<string | undefined>,
) => Promise<void>;

/** Copies rows and reports how many. If there are too many it copies none: a part could pass for all. */
export function createRowsCopier(clock: Clock, exportInstead: () => void): CopyRows {
  let copying = new AbortController();
  return async (count, format) => {
    copying.abort();
    copying = new AbortController();
    const { signal } = copying;
    const text =
      count > MAX_COPIED_ROWS
        ? undefined
        : await format({ clock, signal }).catch((error: unknown) => {
            if (!signal.aborted) throw error;
            return undefined;
          });
    if (signal.aborted) return;
    if (text === undefined) return offerExport(count, exportInstead);
    await vscode.env.clipboard.writeText(text);
    showStatusMessage(
      count === 1 ? vscode.l10n.t('Copied 1 row') : vscode.l10n.t('Copied {0} rows', formatNumber(count)),
      3000,
    );
  };
}

async function offerExport(count: number, exportInstead: () => void): Promise<void> {
  const { l10n } = vscode;
  const message =
    count > MAX_COPIED_ROWS
      ? l10n.t(
          '{0} rows are selected. You can copy up to {1}. Select fewer rows, or export them.',
          formatNumber(count),
          formatNumber(MAX_COPIED_ROWS),
        )
      : l10n.t('The selected rows are too large to copy. Select fewer rows, or export them.');
  const instead = l10n.t('Export…');
  if ((await showMessage('information', message, instead)) === instead) exportInstead();
}

interface TableFormat extends PickItem {
  readonly format: RowsFormat;
  readonly extension: string;
}

/** Lets the user choose the format of a table. Undefined if cancelled. */
export function pickTableFormat(title: string): Promise<TableFormat | undefined> {
  const { l10n } = vscode;
  const formats: readonly TableFormat[] = [
    { label: 'CSV', description: l10n.t('Spreadsheets and scripts'), format: 'csv', extension: 'csv' },
    { label: 'TSV', description: l10n.t('Tables separated by tabs'), format: 'tsv', extension: 'tsv' },
    {
      label: 'JSON',
      description: l10n.t('As the command line prints them'),
      format: 'json',
      extension: 'json',
    },
    { label: 'Markdown', description: l10n.t('A table as it is shown'), format: 'markdown', extension: 'md' },
  ];
  return pickOne(formats, { title, placeHolder: l10n.t('Choose a format'), ignoreFocusOut });
}

export interface TableExport {
  /** Of the dialogs. */
  readonly title: string;
  /** Title of the progress, with the file's name. */
  readonly writing: (file: string) => string;
  /** Suggests a name. */
  readonly suggestName: (extension: string) => string;
  readonly format: (format: RowsFormat, options: SliceOptions) => AsyncIterable<string>;
  readonly showDone: (target: vscode.Uri) => void;
  /** Reports an error. Resolves to whether to retry. */
  readonly showFailure: (error: unknown) => Promise<boolean>;
}

/** Lets the user choose a format and a file, and writes it; repeats it while the user retries. */
export async function exportTable(
  table: TableExport,
  deps: {
    readonly storageUri: vscode.Uri;
    readonly workspaceState: vscode.Memento;
    readonly clock: Clock;
  },
): Promise<void> {
  const { title } = table;
  const chosen = await pickTableFormat(title);
  if (!chosen) return;
  const { extension, label, format } = chosen;
  const name = table.suggestName(extension);
  const target = await chooseTarget({ title, name, label, extension }, deps.workspaceState);
  if (!target) return;
  for (;;) {
    try {
      const written = await withCancellableProgress(table.writing(getFileName(target)), ({ signal }) =>
        writeParts((options) => table.format(format, options), target, { ...deps, signal }),
      );
      if (written !== 'cancelled') table.showDone(target);
      return;
    } catch (error) {
      if (!(await table.showFailure(error))) return;
    }
  }
}

/** The file appears once it is complete. */
async function writeParts(
  format: (options: SliceOptions) => AsyncIterable<string>,
  target: vscode.Uri,
  { storageUri, clock, signal }: SliceOptions & { readonly storageUri: vscode.Uri },
): Promise<void> {
  const files = await openFileSet(
    await findTargetFiles([target]),
    createUnfinishedExports({ storageUri, clock }),
  );
  try {
    const encoder = new TextEncoder();
    let batch = '';
    for await (const text of format({ clock, signal })) {
      batch += text;
      if (batch.length < BATCH_CHARS) continue;
      await files.files[0].write(encoder.encode(batch));
      batch = '';
    }
    await files.files[0].write(encoder.encode(batch));
    signal.throwIfAborted();
    await files.commit();
  } finally {
    await files.discard();
  }
}

const BATCH_CHARS = 64 * 1024;
