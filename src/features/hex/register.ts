import * as vscode from 'vscode';
import type { LateFeature } from '../../host/commands/commands.ts';
import { abortSignalOf } from '../../host/commands/progress.ts';
import { Disposables } from '../../host/disposables.ts';
import { latePart } from '../../host/latePart.ts';
import { hexAt } from '../../host/places/findHex.ts';
import { registerHover } from '../../host/surface/hovers.ts';
import type { HexDeps } from './hex.ts';

const everyDocument: vscode.DocumentSelector = { pattern: '**' };

/** The hover on hex that is no address, *Decode…* and *Show Transaction…*; what they are made of is loaded with the first use. */
export function registerHex(deps: HexDeps): LateFeature {
  const { settings } = deps;
  const disposables = new Disposables();
  const hex = latePart(async () => {
    const { openHex } = await import('./hex.ts');
    return disposables.add(openHex(deps));
  });
  disposables.add(
    registerHover(everyDocument, async (document, position, token) => {
      const found = hexAt(document.lineAt(position.line).text, position.character);
      if (!found || !settings.isEnabled('chainside.hover.enabled', document)) return undefined;
      // Where it cannot be loaded, the hover on an address and the commands say so.
      const words = await hex().catch(() => undefined);
      if (!words || token.isCancellationRequested) return undefined;
      const start = position.with({ character: found.offset });
      const lines = await words.hoverLines(
        found,
        { document, position: start },
        { signal: abortSignalOf(token) },
      );
      return lines && { lines, range: new vscode.Range(start, start.translate(0, found.length)) };
    }),
  );
  return { load: hex, dispose: () => disposables.dispose() };
}
