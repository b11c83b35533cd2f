import * as vscode from 'vscode';
import { abortSignalOf } from '../../../host/commands/progress.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import { registerHover } from '../../../host/surface/hovers.ts';
import type { MarkdownLines } from '../../../host/surface/markdown.ts';
import type { BalanceReader } from '../balances/balanceReader.ts';
import type { AddressBook } from '../book/addressBook.ts';
import { addressInDocument } from '../places/documentAddresses.ts';
import type { FoundAddress } from '../places/findAddresses.ts';
import { addressLines, figuresLines, restrictedLines } from './hoverMarkdown.ts';
import { readWithin } from './readWithin.ts';

const everyDocument: vscode.DocumentSelector = { pattern: '**' };
/** After this long a hover is shown with what is there: it must not change under the pointer. */
const BUDGET_MS = 1500;

export interface HoverDeps {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly book: AddressBook;
  readonly reader: BalanceReader;
}

/** What a hover says of an address; undefined for none. */
type Describe = (
  deps: HoverDeps,
  found: FoundAddress,
  options: { readonly signal: AbortSignal },
) => Promise<MarkdownLines | undefined>;

/**
 * Two hovers on one address: what is known without asking, which shows at once, and below it the balances. The editor
 * puts the provider that was registered last on top.
 */
export function registerAddressHover(deps: HoverDeps): vscode.Disposable {
  return vscode.Disposable.from(
    ...[describeFigures, describeAddress].map((describe) => register(deps, describe)),
  );
}

function register(deps: HoverDeps, describe: Describe): vscode.Disposable {
  return registerHover(everyDocument, async (document, position, token) => {
    const found = addressInDocument(document, position);
    if (!found || !deps.settings.isEnabled('chainside.hover.enabled', document)) return undefined;
    const lines = await describe(deps, found, { signal: abortSignalOf(token) });
    const start = position.with({ character: found.offset });
    return lines && { lines, range: new vscode.Range(start, start.translate(0, found.written.length)) };
  });
}

async function describeAddress({ session, book }: HoverDeps, found: FoundAddress): Promise<MarkdownLines> {
  await book.ready;
  const { network } = session;
  return addressLines(found, {
    network,
    label: book.label(found.address),
    watched: book.isWatched(found.address),
  });
}

async function describeFigures(
  { session, reader }: HoverDeps,
  { address }: FoundAddress,
  { signal }: { readonly signal: AbortSignal },
): Promise<MarkdownLines | undefined> {
  // The text of a workspace that is not trusted must not decide what is asked of a server.
  if (!vscode.workspace.isTrusted) return restrictedLines();
  const { connection } = session;
  const [native, tokens] = await Promise.all([
    readWithin(BUDGET_MS, reader.native(address, { signal })),
    readWithin(BUDGET_MS, reader.tokens(address, { signal })),
  ]);
  if (signal.aborted || connection !== session.connection) return undefined;
  return figuresLines({ native, tokens, network: connection.network });
}
