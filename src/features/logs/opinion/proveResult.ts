import * as vscode from 'vscode';
import {
  type ChainClient,
  getLoadedBlocks,
  type LogFilter,
  type LogProof,
  type LogStore,
  type Network,
  type Verdict,
} from '../../../core/index.ts';
import { showMessage } from '../../../host/ui/dialogs.ts';
import { withCancellableProgress } from '../../../host/ui/window.ts';
import { formatProof } from './formatProof.ts';

interface ProvableResult {
  readonly network: Network;
  readonly client: ChainClient;
  readonly filter: LogFilter;
  readonly verdict: Verdict;
  readonly rows: Pick<LogStore, 'blockNumberAt' | 'length' | 'slice'>;
}

/**
 * Proves the loaded rows by the hashes of the chain, and shows what the proof says. Undefined if the user cancels or
 * closes the panel.
 *
 * @throws AppError `badInput` for too many blocks.
 */
export async function proveResult(
  { network, client, filter, verdict, rows }: ProvableResult,
  { signal: closed }: { readonly signal: AbortSignal },
): Promise<LogProof | undefined> {
  const { l10n } = vscode;
  const title = l10n.t('Proving the result by the block hashes of {0}', network.name);
  const range = getLoadedBlocks(verdict);
  const proof = await withCancellableProgress(title, ({ signal, report }) =>
    client.proveLogs(
      { filter, range, logs: rows, order: verdict.order },
      {
        signal: AbortSignal.any([signal, closed]),
        onProgress: ({ done, of }) => report(done / of, ''),
      },
    ),
  ).catch((error: unknown) => {
    if (closed.aborted) return 'cancelled' as const;
    throw error;
  });
  if (proof === 'cancelled') return undefined;
  const kind = proof.level === 'proven' ? 'information' : 'warning';
  void showMessage(kind, formatProof(proof, l10n));
  return proof;
}
