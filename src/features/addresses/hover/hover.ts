import * as vscode from 'vscode';
import { findDocumentAddress } from '../../../host/places/documents.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import { registerHover } from '../../../host/ui/languageFeatures.ts';
import type { MarkdownLines } from '../../../host/ui/markdown.ts';
import { toAbortSignal } from '../../../host/ui/window.ts';
import type { AddressHoverContent } from './hoverContent.ts';
import type { HoveredAddress } from './hoverReader.ts';

const everyDocument: vscode.DocumentSelector = { pattern: '**' };

interface HoverDeps {
  readonly settings: SettingsService;
  /** Loaded when the pointer first rests on an address. */
  readonly content: () => Promise<AddressHoverContent>;
}

type Describe = (
  found: HoveredAddress,
  options: { readonly signal: AbortSignal },
) => Promise<MarkdownLines | undefined>;

/**
 * Registers two hovers on an address: its identity, which shows at once, and below that its balances, with links. Links
 * that show first would move away under the pointer. VS Code puts the provider that was registered last on top.
 */
export function registerAddressHover({ settings, content }: HoverDeps): vscode.Disposable {
  const describeBalances: Describe = async (found, options) =>
    (await content().catch(() => undefined))?.balances(found, options);
  // VS Code ignores a provider that fails: show the error once, at the top.
  const describeIdentity: Describe = (found) =>
    content().then(
      (loaded) => loaded.identity(found),
      (error: Error) => [[error.message]],
    );
  return vscode.Disposable.from(register(settings, describeBalances), register(settings, describeIdentity));
}

function register(settings: SettingsService, describe: Describe): vscode.Disposable {
  return registerHover(everyDocument, async (document, position, token) => {
    const found = findDocumentAddress(document, position);
    if (!found || !settings.isEnabled('chainside.hover.enabled', document)) return undefined;
    const start = position.with({ character: found.offset });
    const place = { file: document.uri.toString(), line: start.line, character: start.character };
    const lines = await describe({ ...found, place }, { signal: toAbortSignal(token) });
    return lines && { lines, range: new vscode.Range(start, start.translate(0, found.written.length)) };
  });
}
