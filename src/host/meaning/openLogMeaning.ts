import * as vscode from 'vscode';
import { loadBundledLookup } from '../../core/index.ts';
import { knownLookup } from '../contracts/knownLookup.ts';
import type { WorkspaceContracts } from '../contracts/workspaceContracts.ts';
import type { AddressNames } from '../names/addressNames.ts';
import type { LogMeaning } from './logMeaning.ts';
import { createLogMeaning } from './logMeanings.ts';
import { createTokenUnits } from './tokenUnits.ts';

interface MeaningDeps {
  readonly contracts: WorkspaceContracts;
  readonly names: AddressNames;
}

/** What gives logs a meaning in this window. The workspace is read meanwhile: what it knows comes with a change. */
export async function openLogMeaning({
  contracts,
  names,
}: MeaningDeps): Promise<LogMeaning & vscode.Disposable> {
  const units = createTokenUnits();
  const lookup = knownLookup(contracts, await loadBundledLookup());
  void contracts.index();
  const meaning = createLogMeaning({ lookup, contracts, names, units });
  return {
    ...meaning,
    dispose: () => vscode.Disposable.from(meaning, units).dispose(),
  };
}
