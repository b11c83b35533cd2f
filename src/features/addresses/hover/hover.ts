import * as vscode from 'vscode';
import { abortSignalOf } from '../../../host/commands/progress.ts';
import { addressInDocument } from '../../../host/places/documentAddresses.ts';
import type { FoundAddress } from '../../../host/places/findAddresses.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import { registerHover } from '../../../host/surface/hovers.ts';
import type { MarkdownLines } from '../../../host/surface/markdown.ts';
import type { AddressWords } from './addressWords.ts';

const everyDocument: vscode.DocumentSelector = { pattern: '**' };

interface HoverDeps {
  readonly settings: SettingsService;
  /** Loaded with the first address that the pointer rests on. */
  readonly words: () => Promise<AddressWords>;
}

/** What a hover says of an address; undefined for none. */
type Describe = (
  found: FoundAddress,
  options: { readonly signal: AbortSignal },
) => Promise<MarkdownLines | undefined>;

/**
 * Two hovers on one address: what is known without asking, which shows at once, and below it the balances. The editor
 * puts the provider that was registered last on top.
 */
export function registerAddressHover({ settings, words }: HoverDeps): vscode.Disposable {
  const figures: Describe = async (found, options) =>
    (await words().catch(() => undefined))?.figures(found, options);
  // The editor shows nothing of a provider that fails: why there are no words is told once, at the top.
  const known: Describe = (found) =>
    words().then(
      (loaded) => loaded.known(found),
      (error: Error) => [[error.message]],
    );
  return vscode.Disposable.from(register(settings, figures), register(settings, known));
}

function register(settings: SettingsService, describe: Describe): vscode.Disposable {
  return registerHover(everyDocument, async (document, position, token) => {
    const found = addressInDocument(document, position);
    if (!found || !settings.isEnabled('chainside.hover.enabled', document)) return undefined;
    const lines = await describe(found, { signal: abortSignalOf(token) });
    const start = position.with({ character: found.offset });
    return lines && { lines, range: new vscode.Range(start, start.translate(0, found.written.length)) };
  });
}
