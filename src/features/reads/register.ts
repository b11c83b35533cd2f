import * as vscode from 'vscode';
import { type LazyFeature, lazyPart } from '../../host/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import { readsPanelType } from '../../manifest.ts';
import type { ReadsDeps } from './reads.ts';

/** Registers the panels that read contracts, their commands, and their restoration after a reload. Loaded on first use. */
export function registerReads(deps: ReadsDeps): LazyFeature {
  const disposables = new Disposables();
  const reads = lazyPart(async () => {
    const { openReadPanels } = await import('./reads.ts');
    return disposables.add(openReadPanels(deps));
  });
  disposables.add(
    vscode.window.registerWebviewPanelSerializer(readsPanelType, {
      deserializeWebviewPanel: async (panel, state) => (await reads()).restore(panel, state),
    }),
  );
  return { load: reads, dispose: () => disposables.dispose() };
}
