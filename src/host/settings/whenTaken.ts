import * as vscode from 'vscode';
import { systemClock } from '../../core/index.ts';
import type { SettingId } from '../../manifest.ts';

/** The editor tells of a setting a little later than it writes it; of one that stays as it was not at all. */
const TAKEN_WITHIN_MS = 2_000;

/** Runs `write`, and waits until the editor has told of the change to a setting. */
export async function whenTaken(setting: SettingId, write: () => PromiseLike<void>): Promise<void> {
  const told = new AbortController();
  const listening = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(setting)) told.abort();
  });
  try {
    await write();
    // Called off by what is waited for.
    await systemClock.sleep(TAKEN_WITHIN_MS, told).catch(() => undefined);
  } finally {
    listening.dispose();
  }
}
