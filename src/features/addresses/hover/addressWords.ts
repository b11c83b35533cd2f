import * as vscode from 'vscode';
import { readWithin } from '../../../host/loading/readWithin.ts';
import type { FoundAddress } from '../../../host/places/findAddresses.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import type { MarkdownLines } from '../../../host/surface/markdown.ts';
import type { BalanceReader } from '../balances/balanceReader.ts';
import type { AddressBook } from '../book/addressBook.ts';
import type { ActiveNames } from '../names/activeNames.ts';
import { addressLines, figuresLines, restrictedLines } from './hoverMarkdown.ts';
import { nameLines } from './nameLines.ts';

/** After this long a hover is shown with what is there: it must not change under the pointer. */
const BUDGET_MS = 1500;

/** What the hovers on an address say. */
export interface AddressWords {
  /** What is known without asking. */
  known(found: FoundAddress): Promise<MarkdownLines>;
  /** The balances; undefined when nobody wants them any more. */
  figures(found: FoundAddress, options: { readonly signal: AbortSignal }): Promise<MarkdownLines | undefined>;
}

export function createAddressWords(deps: {
  readonly session: Session;
  readonly book: AddressBook;
  readonly reader: BalanceReader;
  readonly settings: SettingsService;
  readonly active: ActiveNames;
}): AddressWords {
  const { session, book, reader, active } = deps;
  return {
    async known(found) {
      await active.ready();
      return addressLines(found, {
        network: session.network,
        label: active.name(found.address),
        about: nameLines({ ...deps, names: active.names }, found.address),
        watched: book.isWatched(found.address),
      });
    },
    async figures({ address }, { signal }) {
      // The text of a workspace that is not trusted must not decide what is asked of a server.
      if (!vscode.workspace.isTrusted) return restrictedLines();
      const { connection } = session;
      const [native, tokens] = await Promise.all([
        readWithin(BUDGET_MS, reader.native(address, { signal })),
        readWithin(BUDGET_MS, reader.tokens(address, { signal })),
      ]);
      if (signal.aborted || connection !== session.connection) return undefined;
      return figuresLines({ native, tokens, network: connection.network });
    },
  };
}
