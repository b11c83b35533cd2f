import assert from 'node:assert/strict';
import { createDiskFiles } from '../../../src/cli/projectFolder.ts';
import { formatMessage } from '../../../src/core/base/text.ts';
import {
  createChainClient,
  createProjectIndexer,
  createTimeSlices,
  type Hex,
  mergeLookups,
  systemClock,
  type TransactionTrace,
  traceTransaction,
} from '../../../src/core/index.ts';
import type { TraceReader } from '../../../src/core/traces/fetchTrace.ts';
import { requireTransaction, requireTransactionProvider } from '../transactions.ts';

type ToldTrace = Extract<TransactionTrace, { readonly state: 'told' }>;

/** Traces transactions of a node with the project of a folder, as it is now, and by another client if one is given. */
export async function createTracer(
  url: string,
  folder: string,
): Promise<(hash: Hex, client?: TraceReader) => Promise<ToldTrace>> {
  const usual = createChainClient({ fetch, clock: systemClock, url });
  const files = createDiskFiles(folder);
  const indexer = createProjectIndexer({ files, roots: [''], clock: systemClock });
  await indexer.update('all');
  const { index } = indexer;
  const provider = await requireTransactionProvider('calls', url);
  return async (hash, client = usual) => {
    const traced = await traceTransaction(await requireTransaction(provider, hash), {
      ...{ client, index, files, chainId: 31337, slices: createTimeSlices(systemClock) },
      ...{
        lookup: mergeLookups(index.lookup),
        decoder: { decode: () => ({ reason: { code: 'noTopics' } }) },
      },
      prefetchAbis: async () => undefined,
    });
    return traced.state === 'told' ? traced : assert.fail(formatMessage(traced.reason));
  };
}
