import * as vscode from 'vscode';
import {
  type ExplainedTransaction,
  groupDigits,
  type Hex,
  isAppError,
  type Network,
  type SummaryNames,
  sanitizeText,
  summarizeTransaction,
} from '../../core/index.ts';
import { localize } from '../../host/l10n.ts';
import type { LogDecoding } from '../../host/logDecoding.ts';
import { getHashContext, isPlainWord } from '../../host/places/hashContext.ts';
import type { FoundHex } from '../../host/places/hexInText.ts';
import { getExplorerLink } from '../../host/session/networks.ts';
import type { Session } from '../../host/session/session.ts';
import { settleWithin } from '../../host/timing.ts';
import { createCommandLink, type MarkdownLines, type MarkdownPiece } from '../../host/ui/markdown.ts';
import { createMeaningLines, type MeaningFormat } from './formatMeaning.ts';
import {
  formatCoin,
  formatFee,
  formatNamedAddress,
  formatTransactionFailure,
  formatTransactionStatus,
  formatTransactionTime,
} from './formatTransaction.ts';
import type { HoveredPlace } from './hexHover.ts';
import type { KnowledgeReader } from './knowledge.ts';
import type { FoundHash, TransactionReader } from './transactionReader.ts';

interface HoverDeps {
  readonly session: Pick<Session, 'isChosen' | 'network'>;
  readonly knowledge: KnowledgeReader;
  readonly reader: TransactionReader;
  readonly meaning: () => Promise<Pick<LogDecoding, 'unitsOf'>>;
  readonly place: HoveredPlace;
  readonly signal: AbortSignal;
}

/** The hover shows what is loaded by then: it must not change under the pointer. */
const HOVER_TIMEOUT_MS = 1500;
const HASH_CHARS = 66;
const MAX_SUMMARY_CHARS = 300;

/**
 * A short description of the transaction or block with this hash on the active network; only an offer to look it up if
 * the text does not call it a hash. Undefined if no request is allowed (no network is chosen, the workspace is not
 * trusted, or it may be a private key), and if the hash belongs to neither.
 */
export async function createTransactionHover(
  { hex, isCut }: FoundHex,
  { session, knowledge, reader, meaning, place, signal }: HoverDeps,
): Promise<MarkdownLines | undefined> {
  if (!mayBeHash(hex) || isCut || !session.isChosen || !vscode.workspace.isTrusted) return undefined;
  const { document, position } = place;
  const line = document.lineAt(position.line).text;
  const context = getHashContext({ path: document.uri.path, line, character: position.character });
  if (context === 'secret') return undefined;
  const { network } = session;
  const { l10n } = vscode;
  if (context === 'offer') {
    const title = l10n.t('Look Up Transaction on {0}', network.name);
    return [[{ icon: 'search' }, createCommandLink(title, 'chainside.showTransaction', hex)]];
  }
  const lookup = await settleWithin(HOVER_TIMEOUT_MS, reader.lookUp(hex, { signal }));
  if (signal.aborted) return undefined;
  if (lookup.state === 'pending') {
    const message = l10n.t('{0} is still looking up this hash.', network.name);
    return [[{ icon: 'sync' }, message], createLinks(hex, network)];
  }
  if (lookup.state === 'failed') {
    if (isAppError(lookup.error, 'aborted', 'notChosen', 'notServed')) return undefined;
    const message = l10n.t('Could not look up this hash on {0}.', network.name);
    return [[{ icon: 'warning' }, message], createLinks(hex, network)];
  }
  const found = lookup.value;
  if (found.result.kind === 'unknown') return undefined;
  if (found.result.kind === 'block') {
    const { block, time } = found.result;
    const message = l10n.t('Hash of block {0} on {1}', groupDigits(block), found.network.name);
    return [
      [{ icon: 'symbol-constant' }, { strong: message }, '·', formatTransactionTime(time, l10n)],
      [createCommandLink(l10n.t('Show Block'), 'chainside.showBlock', hex)],
    ];
  }
  const loaded = await knowledge.within(0);
  const explained = await settleWithin(
    HOVER_TIMEOUT_MS,
    reader.explain({ ...found, result: found.result }, { signal, reads: false }),
  );
  if (explained.state !== 'ready') return undefined;
  const { unitsOf } = await meaning();
  const [head = [], ...facts] = createTransactionLines(found, explained.value, {
    ...loaded.format,
    unitsOf: (token) => unitsOf(token, found.network),
  });
  // Before the longer lines: VS Code cuts off a tall hover.
  return [head, createLinks(hex, found.network), ...facts];
}

function mayBeHash(hex: Hex): boolean {
  if (hex.length !== HASH_CHARS) return false;
  return !isPlainWord(BigInt(hex));
}

const icons = { success: 'pass', failed: 'error', pending: 'clock', unknown: 'question' } as const;

function createTransactionLines(
  { network }: FoundHash,
  explained: ExplainedTransaction,
  wording: MeaningFormat & Pick<SummaryNames, 'unitsOf'>,
): MarkdownLines {
  const { l10n } = wording;
  const { transaction, call, revert, movements, logs } = explained;
  const { status, block, time, from, to, created, value, failure } = transaction;
  const target = to ?? created;
  const fee = formatFee(transaction, { network, format: wording });
  const hasMeaning = revert.length > 0;
  const reason = failure && formatTransactionFailure(failure, { hasMeaning }, l10n);
  const counts = [
    logs.length > 0 ? l10n.t('Logs: {0}', groupDigits(logs.length)) : undefined,
    movements.list.length > 0
      ? l10n.t('Balance changes: {0}', groupDigits(movements.list.length))
      : undefined,
  ].filter((message) => message !== undefined);
  const head = l10n.t('Transaction on {0}', network.name);
  const names = { nameOf: wording.nameOf, unitsOf: wording.unitsOf, coin: network };
  const summary = localize(summarizeTransaction(explained, names), l10n);
  return [
    [{ icon: icons[status] }, { strong: head }, '·', formatTransactionStatus(transaction, l10n)],
    [{ strong: sanitizeText(summary, MAX_SUMMARY_CHARS) }],
    ...(block === undefined
      ? []
      : [[l10n.t('Block {0}', groupDigits(block)), '·', formatTransactionTime(time, l10n)]]),
    [
      formatNamedAddress(from, wording),
      '→',
      target === undefined ? l10n.t('a new contract') : formatNamedAddress(target, wording),
      ...(to === undefined && created
        ? [status === 'failed' ? l10n.t('(not created)') : l10n.t('(created)')]
        : []),
    ],
    [
      l10n.t('Value {0}', formatCoin(value, network)),
      ...(fee === undefined ? [] : ['·', l10n.t('Fee {0}', fee)]),
    ],
    ...(hasMeaning ? createMeaningLines(revert, wording) : []),
    ...(reason === undefined ? [] : [[{ icon: 'warning' }, reason]]),
    ...createMeaningLines(call, wording),
    ...(counts.length === 0 ? [] : [[counts.join(' · ')]]),
  ];
}

function createLinks(hash: Hex, { explorerUrl }: Network): readonly MarkdownPiece[] {
  const { l10n } = vscode;
  const page = getExplorerLink(explorerUrl, 'transaction', hash);
  return [
    createCommandLink(l10n.t('Show Transaction'), 'chainside.showTransaction', hash),
    ...(page === undefined ? [] : ['|', { title: l10n.t('Open in Explorer'), page }]),
  ];
}
