import type * as vscode from 'vscode';
import type { Clock } from '../../core/index.ts';
import { registerCommand } from '../../host/commands/commands.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import { Disposables } from '../../host/disposables.ts';
import type { LogMeaning } from '../../host/meaning/logMeaning.ts';
import type { AddressNames } from '../../host/names/addressNames.ts';
import type { FoundHex } from '../../host/places/findHex.ts';
import type { Session } from '../../host/session/session.ts';
import type { SettingsService } from '../../host/settings/settings.ts';
import type { MarkdownLines } from '../../host/surface/markdown.ts';
import { openReadOnlyText } from '../../host/surface/readOnlyText.ts';
import { decodeGiven } from './decode/decode.ts';
import { type HoveredPlace, hexHover } from './hover/hexHover.ts';
import { createKnowledge } from './knowledge/knowledge.ts';
import { showTransaction } from './transaction/showTransaction.ts';
import { transactionHover } from './transaction/transactionHover.ts';
import { createTransactionReader } from './transaction/transactionReader.ts';

export interface HexDeps {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly contracts: WorkspaceContracts;
  /** What gives logs a meaning; loaded with the first transaction. */
  readonly meaning: () => Promise<LogMeaning>;
  /** What addresses are called; loaded with the first use. */
  readonly names: () => Promise<AddressNames>;
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
}

interface HexWords extends vscode.Disposable {
  /** Undefined where nothing is known of the hex. */
  hoverLines(
    found: FoundHex,
    place: HoveredPlace,
    asked: { readonly signal: AbortSignal },
  ): Promise<MarkdownLines | undefined>;
}

/** All of the feature but its places in the editor; says what its commands do. */
export function openHex(deps: HexDeps): HexWords {
  const disposables = new Disposables();
  const page = disposables.add(openReadOnlyText('chainside-decoded', 'Decoded'));
  const transactionPage = disposables.add(openReadOnlyText('chainside-transaction', 'Transaction'));
  const knowledge = createKnowledge(deps);
  const reader = createTransactionReader(deps);
  disposables.add(
    registerCommand('chainside.decode', (given) => decodeGiven(given, { ...deps, knowledge, page })),
  );
  disposables.add(
    registerCommand('chainside.showTransaction', (given) =>
      showTransaction(given, { ...deps, knowledge, reader, page: transactionPage }),
    ),
  );
  return {
    hoverLines: async (found, place, asked) =>
      (await hexHover(found, { knowledge, place })) ??
      transactionHover(found, { ...deps, knowledge, reader, place, ...asked }),
    dispose: () => disposables.dispose(),
  };
}
