import * as vscode from 'vscode';
import { panelTypes } from '../../manifest.ts';
import { openNfts } from './nfts.ts';
import type { NftsDeps } from './panel/deps.ts';

/** The NFT panels: their commands, and their return after the window was reloaded. */
export function registerNfts(deps: NftsDeps): vscode.Disposable {
  const panels = openNfts(deps);
  return vscode.Disposable.from(
    panels,
    vscode.window.registerWebviewPanelSerializer(panelTypes.nfts, {
      deserializeWebviewPanel: (panel, state) => panels.restore(panel, state),
    }),
  );
}
