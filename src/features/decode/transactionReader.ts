import {
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
  type RevertPlace,
} from '../../core/index.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import type { LogDecoding } from '../../host/logDecoding.ts';
import type { Connection, Session } from '../../host/session/session.ts';
import { settleWithin } from '../../host/timing.ts';
import { readTextFile } from '../../host/workspace/listFiles.ts';

/** What a hash is on the network that was active when it was asked for. */
export interface FoundHash {
  readonly network: Network;
  readonly client: Connection['client'];
  readonly result: HashResult;
}

/** Servers that are slow must not keep a transaction from being shown. */
const DECODING_TIMEOUT_MS = 4000;

interface ReadOptions {
  readonly signal: AbortSignal;
  /** Passes over an answer kept from a moment ago. */
  readonly fresh?: boolean;
}

/** Reads transactions of the active network. */
export interface TransactionReader {
  /**
   * What the network knows by a hash.
   *
   * @throws AppError as a `TransactionProvider` does; `notServed` where nobody tells of transactions; `notChosen`.
   */
  lookUp(hash: Hex, asked: ReadOptions): Promise<FoundHash>;
  /**
   * A transaction with what its bytes mean.
   *
   * @param asked.reads first reads what that needs, for some seconds at most; else what is known by now counts.
   */
  explain(
    found: FoundHash & { readonly result: Extract<HashResult, { kind: 'transaction' }> },
    asked: Pick<ReadOptions, 'signal'> & { readonly reads: boolean },
  ): Promise<ExplainedTransaction>;
  /** Lines of the workspace that may have reverted; undefined where nothing tells what to look for. */
  revertPlaces(
    explained: ExplainedTransaction,
    network: Network,
    asked: Pick<ReadOptions, 'signal'>,
  ): Promise<readonly RevertPlace[] | undefined>;
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
  return {
    async lookUp(hash, { signal, fresh = false }) {
      const { network, client, signal: replaced } = session.connection;
      const access = await session.provider('transactions');
      if (access.state !== 'ready') {
        throw new AppError('notServed', 'Nobody tells of transactions on this network.');
      }
      const until = AbortSignal.any([signal, replaced]);
      return { network, client, result: await access.provider.lookUpHash(hash, { signal: until, fresh }) };
    },
    async explain({ network, client, result }, { signal, reads }) {
      const { transaction } = result;
      const { chainId } = network;
      const known = await meaning();
      const called = [transaction.to].filter((address) => address !== undefined);
      const read = (logs: readonly PositionedLog[]) =>
        settleWithin(DECODING_TIMEOUT_MS, known.fetchMeaning({ network, client, logs, contracts: called }));
      if (reads && (transaction.logs ?? []).length === 0) await read([]);
      return explainTransaction(transaction, {
        lookup: known.lookup,
        chainId,
        slices: createTimeSlices(clock),
        signal,
        decoding: {
          prepare: async (logs) => reads && read(logs),
          decode: (log) => known.decoder(chainId).decode(log),
        },
      });
    },
    async revertPlaces({ transaction, revert }, { chainId }, { signal }) {
      const { failure, to } = transaction;
      const words = failure?.state === 'told' ? failure.words : undefined;
      const cause = findRevertCause(revert, words);
      const index = contracts.known;
      if (!cause || !index) return undefined;
      const read = async (file: string) => {
        const uri = contracts.uriOf(file);
        return uri && (await readTextFile(uri));
      };
      const slices = createTimeSlices(clock);
      return findRevertPlaces(cause, { index, at: { address: to, chainId }, read, slices, signal });
    },
  };
}
