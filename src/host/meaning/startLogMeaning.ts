import * as vscode from 'vscode';
import { registerVerifiedCommands } from '../verified/verifiedCommands.ts';
import type { LogMeaning } from './logMeaning.ts';
import { type MeaningDeps, openLogMeaning } from './openLogMeaning.ts';

/** Opens what gives logs a meaning, and says what the commands about verified contracts do. */
export async function startLogMeaning(deps: MeaningDeps): Promise<LogMeaning & vscode.Disposable> {
  const meaning = await openLogMeaning(deps);
  const { reader, consent, clearVerified } = meaning;
  const commands = registerVerifiedCommands({ ...deps, reader, consent, clear: clearVerified });
  return { ...meaning, dispose: () => vscode.Disposable.from(commands, meaning).dispose() };
}
