import * as vscode from 'vscode';
import { abortSignalOf } from '../../../host/commands/progress.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import { type HoverWords, registerHover } from '../../../host/surface/hovers.ts';
import type { MarkdownLines } from '../../../host/surface/markdown.ts';
import { addressAt, type FoundAddress } from '../places/findAddresses.ts';
import type { AddressWords } from './addressWords.ts';

const everyDocument: vscode.DocumentSelector = { pattern: '**' };

export interface HoverDeps {
  readonly settings: SettingsService;
  /** Loaded with the first address that the pointer rests on. */
  readonly words: () => Promise<AddressWords>;
}

/**
 * Two hovers on one address: what is known without asking, which shows at once, and below it the balances. The editor
 * puts the provider that was registered last on top.
 */
export function registerAddressHover(deps: HoverDeps): vscode.Disposable {
  return vscode.Disposable.from(
    registerHover(everyDocument, (document, position, token) =>
      onAddress(deps, document, position, (words, found) => words.figures(found, abortSignalOf(token))),
    ),
    registerHover(everyDocument, (document, position) =>
      onAddress(deps, document, position, (words, found) => words.known(found)),
    ),
  );
}

async function onAddress(
  { settings, words }: HoverDeps,
  document: vscode.TextDocument,
  position: vscode.Position,
  describe: (words: AddressWords, found: FoundAddress) => Promise<MarkdownLines | undefined>,
): Promise<HoverWords | undefined> {
  const found = addressAt(document.lineAt(position.line).text, position.character);
  if (!found || !settings.isEnabled('chainside.hover.enabled', document)) return undefined;
  const lines = await describe(await words(), found);
  if (!lines) return undefined;
  const start = position.with({ character: found.offset });
  return { lines, range: new vscode.Range(start, start.translate(0, found.written.length)) };
}
