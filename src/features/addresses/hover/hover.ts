import * as vscode from 'vscode';
import { abortSignalOf } from '../../../host/commands/progress.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import { type HoverWords, registerHover } from '../../../host/surface/hovers.ts';
import type { MarkdownLines } from '../../../host/surface/markdown.ts';
import type { BalanceReader } from '../balances/balanceReader.ts';
import type { AddressBook } from '../book/addressBook.ts';
import { addressAt, type FoundAddress } from '../places/findAddresses.ts';
import { addressLines, figuresLines, restrictedLines } from './hoverMarkdown.ts';
import { readWithin } from './readWithin.ts';

const everyDocument: vscode.DocumentSelector = { pattern: '**' };
/** After this long a hover is shown with what has come: it must not change under the pointer. */
const BUDGET_MS = 1500;

export interface HoverDeps {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly book: AddressBook;
  readonly reader: BalanceReader;
}

/**
 * Two hovers on one address: what is known without asking, which shows at once, and below it the balances. The editor
 * puts the provider that was registered last on top.
 */
export function registerAddressHover(deps: HoverDeps): vscode.Disposable {
  return vscode.Disposable.from(
    registerHover(everyDocument, (document, position, token) =>
      onAddress(deps, document, position, (found) => figures(deps, found, token)),
    ),
    registerHover(everyDocument, (document, position) =>
      onAddress(deps, document, position, async (found) => {
        await deps.book.ready;
        return addressLines(found, {
          network: deps.session.network,
          label: deps.book.label(found.address),
          watched: deps.book.isWatched(found.address),
        });
      }),
    ),
  );
}

async function onAddress(
  { settings }: HoverDeps,
  document: vscode.TextDocument,
  position: vscode.Position,
  describe: (found: FoundAddress) => Promise<MarkdownLines | undefined>,
): Promise<HoverWords | undefined> {
  const found = addressAt(document.lineAt(position.line).text, position.character);
  if (!found || !settings.isEnabled('chainside.hover.enabled', document)) return undefined;
  const lines = await describe(found);
  if (!lines) return undefined;
  const start = position.with({ character: found.offset });
  return { lines, range: new vscode.Range(start, start.translate(0, found.written.length)) };
}

async function figures(
  { session, reader }: HoverDeps,
  { address }: FoundAddress,
  token: vscode.CancellationToken,
): Promise<MarkdownLines | undefined> {
  // The text of a workspace that is not trusted must not decide what is asked of a server.
  if (!vscode.workspace.isTrusted) return restrictedLines();
  const signal = abortSignalOf(token);
  const { connection } = session;
  const [native, tokens] = await Promise.all([
    readWithin(BUDGET_MS, reader.native(address, { signal })),
    readWithin(BUDGET_MS, reader.tokens(address, { signal })),
  ]);
  if (signal.aborted || connection !== session.connection) return undefined;
  return figuresLines({ native, tokens, network: connection.network });
}
