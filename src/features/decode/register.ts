import type * as vscode from 'vscode';
import { type LazyFeature, lazyPart } from '../../host/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import { findHexAt } from '../../host/places/hexInText.ts';
import { registerHover, registerTerminalLinks } from '../../host/ui/languageFeatures.ts';
import { openTreeView } from '../../host/ui/tree.ts';
import { registerVirtualFiles, type VirtualFileChanges } from '../../host/ui/virtualFiles.ts';
import { documentSchemes, viewIds } from '../../manifest.ts';
import type { DecodeFeatureDeps } from './decode.ts';
import type { ChainTerminalLink } from './terminalLinks.ts';

const everyDocument: vscode.DocumentSelector = { pattern: '**' };

/**
 * Registers the hovers on hex that is no address and on numbers, links in terminals, *Decode…*, *Show Transaction…* and
 * *Show Block…* with their documents; their code is loaded on first use.
 */
export function registerDecode(deps: Omit<DecodeFeatureDeps, 'files'>): LazyFeature {
  const { settings } = deps;
  const disposables = new Disposables();
  const hex = lazyPart(async () => {
    const { openDecode } = await import('./decode.ts');
    return disposables.add(openDecode({ ...deps, files }));
  });
  const files: VirtualFileChanges = registerVirtualFiles(
    documentSchemes,
    async (uri) => (await hex()).readFile(uri),
    disposables,
  );
  disposables.add(
    registerHover(everyDocument, async (document, position, token) => {
      const { text } = document.lineAt(position.line);
      const found = findHexAt(text, position.character);
      if (!found && !isDigitAt(text, position.character)) return undefined;
      if (!settings.isEnabled('chainside.hover.enabled', document)) return undefined;
      // The hover on an address and the commands report a load error.
      const feature = await hex().catch(() => undefined);
      if (!feature || token.isCancellationRequested) return undefined;
      const hover = found && (await feature.createHover(found, { document, line: position.line, token }));
      return hover ?? feature.createNumberHover(document, position, token);
    }),
  );
  disposables.add(openTreeView(viewIds.calls, async () => (await hex()).calls, { showCollapseAll: true }));
  const links = registerTerminalLinks(
    async (line) => (await hex()).findLinks(line),
    async (link: ChainTerminalLink) => (await hex()).openLink(link),
  );
  disposables.add(links);
  return { load: hex, dispose: () => disposables.dispose() };
}

/** Whether a number may be there, or end there. */
function isDigitAt(text: string, offset: number): boolean {
  return /\d/.test(text.slice(Math.max(0, offset - 1), offset + 1));
}
