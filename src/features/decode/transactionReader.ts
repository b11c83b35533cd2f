import {
  type Address,
  AppError,
  type Clock,
  createTimeSlices,
  type ExplainedTransaction,
  explainTransaction,
  findRevertCause,
  findRevertPlaces,
  type HashResult,
  type Hex,
  type Network,
  type PositionedLog,
  type PrefetchSelectors,
  type RepeatedCall,
  type RevertPlace,
  type Simulation,
  type SimulationPoint,
  simulateCall,
  simulateTransaction,
  type Transaction,
  type TransactionTrace,
  traceTransaction,
} from '../../core/index.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import type { LogDecoding } from '../../host/logDecoding.ts';
import type { Connection, Session } from '../../host/session/session.ts';
import { settleWithin } from '../../host/timing.ts';
import { readTextFile } from '../../host/workspace/listFiles.ts';

/** The result for a hash, and the network that was active at the request. */
export interface FoundHash {
  readonly network: Network;
  readonly client: Connection['client'];
  readonly result: HashResult;
}

/** A slow provider must not delay the transaction longer. */
const DECODING_TIMEOUT_MS = 4000;

/** Less than the calls may take after their ABIs. */
const TRACE_SELECTORS_TIMEOUT_MS = 1_500;

/** The rest of a transaction is worth showing without its calls. */
const TRACE_TIMEOUT_MS = 8_000;

interface ReadOptions {
  readonly signal: AbortSignal;
  /** Bypasses the provider's cache. */
  readonly fresh?: boolean;
}

export interface TransactionReader {
  /**
   * Looks up a hash on the active network.
   *
   * @throws AppError as a `TransactionProvider` does; `notServed` if there is no provider of transactions; `notChosen`.
   */
  lookUp(hash: Hex, options: ReadOptions): Promise<FoundHash>;
  /**
   * Decodes a transaction.
   *
   * @param asked.reads whether to fetch the ABIs first, for a few seconds at most; otherwise only those already loaded
   * are used.
   */
  explain(
    found: FoundHash & { readonly result: Extract<HashResult, { kind: 'transaction' }> },
    options: Pick<ReadOptions, 'signal'> & { readonly reads: boolean },
  ): Promise<ExplainedTransaction>;
  /** The calls of a transaction; undefined if the endpoint takes too long. */
  trace(
    found: FoundHash & { readonly result: Extract<HashResult, { kind: 'transaction' }> },
    options: Pick<ReadOptions, 'signal'>,
  ): Promise<TransactionTrace | undefined>;
  /** What a call would do on the latest state, or that of a transaction; undefined if the endpoint takes too long. */
  simulate(
    at: Pick<FoundHash, 'client' | 'network'>,
    simulated: Pick<ReadOptions, 'signal'> &
      (
        | { readonly call: RepeatedCall }
        | { readonly transaction: Transaction; readonly point: SimulationPoint }
      ),
  ): Promise<Simulation | undefined>;
  /** Lines of the workspace that may have reverted; undefined if the cause of the revert is unknown. */
  revertPlaces(
    explained: ExplainedTransaction,
    network: Network,
    options: Pick<ReadOptions, 'signal'>,
  ): Promise<readonly RevertPlace[] | undefined>;
}

/** Fetches names of selectors, as long as the rest may wait for them. */
function createPrefetch(decoding: LogDecoding, network: Network, timeoutMs: number): PrefetchSelectors {
  return (selectors) =>
    settleWithin(timeoutMs, decoding.prefetchSelectors(selectors, network, { mayAsk: true }));
}

export function createTransactionReader({
  session,
  contracts,
  meaning,
  clock,
}: {
  readonly session: Pick<Session, 'connection' | 'provider'>;
  readonly contracts: WorkspaceContracts;
  readonly meaning: () => Promise<LogDecoding>;
  readonly clock: Clock;
}): TransactionReader {
  /** Undefined if the endpoint takes too long. */
  async function traceWithin<T>(
    { network, client }: Pick<FoundHash, 'client' | 'network'>,
    signal: AbortSignal,
    trace: (options: Parameters<typeof simulateCall>[2]) => Promise<T>,
  ): Promise<T | undefined> {
    const decoding = await meaning();
    const limit = new AbortController();
    const tracing = trace({
      client,
      lookup: decoding.lookupOn(network),
      decoder: decoding.decoder(network),
      chainId: network.chainId,
      index: contracts.known,
      files: contracts.files,
      prefetchAbis: (addresses) =>
        settleWithin(
          DECODING_TIMEOUT_MS,
          decoding.fetchMeaning({ network, client, logs: [], contracts: addresses }),
        ),
      prefetchSelectors: createPrefetch(decoding, network, TRACE_SELECTORS_TIMEOUT_MS),
      slices: createTimeSlices(clock),
      signal: AbortSignal.any([signal, limit.signal]),
    });
    const outcome = await settleWithin(TRACE_TIMEOUT_MS, tracing);
    limit.abort();
    if (outcome.state === 'failed') throw outcome.error;
    return outcome.state === 'ready' ? outcome.value : undefined;
  }

  return {
    async lookUp(hash, { signal, fresh = false }) {
      const { network, client, signal: replaced } = session.connection;
      const access = await session.provider('transactions');
      if (access.state !== 'ready') {
        throw new AppError('notServed', 'No provider of transactions serves this network.');
      }
      const signalOrReplaced = AbortSignal.any([signal, replaced]);
      return {
        network,
        client,
        result: await access.provider.lookUpHash(hash, { signal: signalOrReplaced, fresh }),
      };
    },
    async explain({ network, client, result }, { signal, reads }) {
      const { transaction } = result;
      const { chainId } = network;
      const decoding = await meaning();
      const targets = [transaction.to].filter((address) => address !== undefined);
      const read = (logs: readonly PositionedLog[], addresses: readonly Address[] = targets) =>
        settleWithin(
          DECODING_TIMEOUT_MS,
          decoding.fetchMeaning({ network, client, logs, contracts: addresses }),
        );
      if (reads && (transaction.logs ?? []).length === 0) await read([]);
      return explainTransaction(transaction, {
        lookup: decoding.lookupOn(network),
        chainId,
        slices: createTimeSlices(clock),
        signal,
        ...(reads && {
          fetchTransferStandard: client.fetchTransferStandard,
          fetchImplementations: client.fetchImplementations,
          getCode: client.getCode,
        }),
        decoding: {
          prepare: async (logs) => reads && read(logs),
          prefetchAbis: (addresses) => read([], addresses),
          ...(reads && { prefetchSelectors: createPrefetch(decoding, network, DECODING_TIMEOUT_MS) }),
          decode: (log) => decoding.decoder(network).decode(log),
        },
      });
    },
    trace: (found, { signal }) =>
      traceWithin(found, signal, (options) => traceTransaction(found.result.transaction, options)),
    simulate: (at, { signal, ...simulated }) =>
      traceWithin(at, signal, (options) =>
        'call' in simulated
          ? simulateCall(simulated.call, 'latest', options)
          : simulateTransaction(simulated.transaction, simulated.point, options),
      ),
    async revertPlaces({ transaction, implementations, revert }, { chainId }, { signal }) {
      const { failure, to } = transaction;
      const serverMessage = failure?.state === 'told' ? failure.message : undefined;
      const cause = findRevertCause(revert, serverMessage);
      const index = contracts.known;
      if (!cause || !index) return undefined;
      const read = async (file: string) => {
        const uri = contracts.uriOf(file);
        return uri && (await readTextFile(uri));
      };
      const slices = createTimeSlices(clock);
      return findRevertPlaces(cause, {
        index,
        at: { addresses: [...implementations, ...(to ? [to] : [])], chainId },
        read,
        slices,
        signal,
      });
    },
  };
}
