import * as vscode from 'vscode';
import { loadBundledLookup } from '../../core/index.ts';
import type { Session } from '../session/session.ts';
import type { LogMeaning } from './logMeaning.ts';
import { createLogMeaning } from './logMeanings.ts';
import { createTokenUnits } from './tokenUnits.ts';

/** What gives logs a meaning in this window. */
export async function openLogMeaning({
  session,
}: {
  readonly session: Pick<Session, 'connection'>;
}): Promise<LogMeaning & vscode.Disposable> {
  const units = createTokenUnits(session);
  const lookup = await loadBundledLookup();
  // What is hashed at the first question would hold up the first rows.
  setTimeout(() => lookup.events(undefined), 0);
  const meaning = createLogMeaning({ lookup, units });
  return {
    ...meaning,
    dispose: () => vscode.Disposable.from(meaning, units).dispose(),
  };
}
