import * as vscode from 'vscode';
import { cancellable } from '../../../host/commands/progress.ts';
import { readWithin } from '../../../host/loading/readWithin.ts';
import type { Knowledge, Known } from '../knowledge/knowledge.ts';

/** After this long it is shown that the workspace is being read. */
const SILENT_MS = 700;
const ANY_TIME = 2 ** 31 - 1;

/** Waits for the workspace, under a notification where that takes long; what is known so far when that is cancelled. */
export async function wholeKnowledge(knowledge: Knowledge): Promise<Known> {
  const reading = knowledge.within(ANY_TIME);
  const soon = await readWithin(SILENT_MS, reading);
  if (soon.state === 'ready') return soon.value;
  if (soon.state === 'failed') throw soon.error;
  const title = vscode.l10n.t('Reading the contracts of the workspace');
  const read = await cancellable(title, async ({ signal }) => {
    const cancelled = new Promise<undefined>((resolve) => {
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    return Promise.race([reading, cancelled]);
  });
  return read === undefined || read === 'cancelled' ? knowledge.within(0) : read;
}
