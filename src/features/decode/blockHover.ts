import * as vscode from 'vscode';
import { type BlockHeader, type Clock, createExpiringCache, groupDigits } from '../../core/index.ts';
import type { FoundNumber } from '../../host/places/numberInText.ts';
import type { Session } from '../../host/session/session.ts';
import { settleWithin } from '../../host/timing.ts';
import { createCommandLink, type MarkdownLines } from '../../host/ui/markdown.ts';
import { formatBlockTime, formatFullness } from './formatBlock.ts';

/** The hover shows what is loaded by then: it must not change under the pointer. */
const HOVER_TIMEOUT_MS = 1500;
/** About one block time of most chains: a new block may be reorged. */
const CACHE_TTL_MS = 15_000;
const MAX_CACHE_ENTRIES = 50;

/**
 * The hover over a block number: time, age and transactions of that block on the active network. Undefined if no request
 * is allowed, because no network is chosen or the workspace is not trusted, and if the network does not have the block.
 */
export function createBlockHovers({
  session,
  clock,
}: {
  readonly session: Pick<Session, 'connection' | 'isChosen'>;
  readonly clock: Clock;
}) {
  const cache = createExpiringCache<BlockHeader | undefined>({
    clock,
    ttlMs: CACHE_TTL_MS,
    maxEntries: MAX_CACHE_ENTRIES,
  });
  let lastClient: Session['client'] | undefined;

  return async ({ value }: FoundNumber, signal: AbortSignal): Promise<MarkdownLines | undefined> => {
    if (!session.isChosen || !vscode.workspace.isTrusted || value > Number.MAX_SAFE_INTEGER) return undefined;
    const { network, client } = session.connection;
    if (client !== lastClient) cache.clear();
    lastClient = client;
    const load = (loading: AbortSignal) => client.fetchBlockHeader(value, { signal: loading });
    const found = await settleWithin(HOVER_TIMEOUT_MS, cache.get(`${value}`, load, { signal }));
    if (found.state !== 'ready' || found.value === undefined || signal.aborted) return undefined;
    const header = found.value;
    const { l10n } = vscode;
    const title = l10n.t('Block {0} on {1}', groupDigits(value), network.name);
    const fullness = formatFullness(header);
    const facts = [
      l10n.t('Transactions: {0}', groupDigits(header.transactionCount)),
      fullness && l10n.t('Gas: {0}', fullness),
    ].filter(Boolean);
    return [
      [{ icon: 'symbol-number' }, { strong: title }, '·', formatBlockTime(header, clock.now(), l10n)],
      [
        facts.join(' · '),
        '·',
        createCommandLink(l10n.t('Show Block'), 'chainside.showBlock', value.toString()),
      ],
    ];
  };
}
