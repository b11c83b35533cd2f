import { toAbiWord } from '../abi/encode.ts';
import type { Abortable } from '../base/concurrency.ts';
import { isAppError, throwIfAborted } from '../base/errors.ts';
import type { ChainClient } from '../client/chainClient.ts';
import type { Address } from '../eth/hex.ts';
import type { Log } from '../logs/log.ts';
import { type BlockTag, createLogFilter, type LogFilter } from '../logs/query/filter.ts';
import type { LogClient } from '../logs/query/logQuery.ts';
import type { VerdictReason } from '../logs/query/verdict.ts';
import {
  decodeNftMovements,
  decodePlainTransfer,
  type NftMovement,
  toNftMovement,
  transferEvents,
} from '../tokens/transferEvents.ts';
import type { TransferStandard } from '../tokens/transferStandard.ts';

/** Reads logs and, if it can, asks a contract what it transfers. */
export type TransfersClient = LogClient &
  Partial<Pick<ChainClient, 'fetchNftContract' | 'fetchTransferStandard'>>;

export interface NftHistoryRequest {
  readonly contract: Address;
  readonly tokenId: bigint;
  /** With `erc1155`, no `Transfer` is requested. With `erc721`, the number in each is an ID. */
  readonly standard?: 'erc721' | 'erc1155' | undefined;
  /** Inclusive; default `earliest`. */
  readonly fromBlock?: BlockTag;
  /** Inclusive; default `latest`. */
  readonly toBlock?: BlockTag;
}

export interface TransferQuery {
  readonly filter: LogFilter;
  readonly reader: TransferReader;
}

/** Decodes the logs of one query. */
export interface TransferReader {
  /** Called with the logs of a page before they are decoded. */
  prepare?(logs: readonly Log[], options: Abortable): Promise<void>;
  /** Movements of any ID; undefined if the log should be a transfer and is not readable. */
  decode(log: Log): readonly NftMovement[] | undefined;
  /** Whether further logs of the query do not matter. */
  readonly isDecided?: boolean;
  /**
   * Why transfers may be missing although every log of the query is read.
   *
   * @param options.hasLogs whether an earlier query found a log.
   */
  findReasons?(options: Abortable & { readonly hasLogs: boolean }): Promise<readonly VerdictReason[]>;
}

export function createTransferQueries(
  chain: TransfersClient,
  request: NftHistoryRequest,
): readonly TransferQuery[] {
  const { contract, tokenId, standard, fromBlock = 'earliest', toBlock = 'latest' } = request;
  const reader: TransferReader = { decode: decodeNftMovements };
  const query = (topics: LogFilter['topics']): TransferQuery => ({
    filter: createLogFilter({ addresses: [contract], topics, fromBlock, toBlock }),
    reader,
  });
  const { transfer, transferSingle, transferBatch, consecutiveTransfer } = transferEvents;
  const multi = [transferSingle.topic0, transferBatch.topic0];
  if (standard === 'erc1155') return [query([multi])];
  return [
    query([[transfer.topic0], null, null, [toAbiWord(tokenId)]]),
    // An ERC-721 may have been an ERC-1155 before an upgrade.
    query([[...multi, consecutiveTransfer.topic0]]),
    { ...query([[transfer.topic0]]), reader: createUnindexedReader(chain, request) },
  ];
}

/**
 * Reads every `Transfer` of a contract, until a page shows that it indexes its IDs. The number in one that is not indexed is
 * an ID if the contract is an ERC-721, and may be one if the contract does not report what it is.
 */
function createUnindexedReader(chain: TransfersClient, request: NftHistoryRequest): TransferReader {
  const { contract } = request;
  let standard: TransferStandard | undefined = request.standard === 'erc721' ? 'erc721' : undefined;
  let firstUnindexed: bigint | undefined;
  let isIndexed = false;

  /** Undefined if the contract cannot be asked. */
  async function ask<T>(request: Promise<T> | undefined, signal: AbortSignal | undefined) {
    try {
      return await request;
    } catch (error) {
      throwIfAborted(signal);
      if (!isAppError(error)) throw error;
      return undefined;
    }
  }

  return {
    async prepare(logs, { signal }) {
      for (const log of logs) {
        const transfer = decodePlainTransfer(log);
        if (transfer?.isValueIndexed) isIndexed = true;
        if (!transfer || transfer.isValueIndexed || firstUnindexed !== undefined) continue;
        firstUnindexed = log.blockNumber;
        standard ??= await ask(chain.fetchTransferStandard?.(contract, transfer.value, { signal }), signal);
      }
    },
    decode(log) {
      const transfer = decodePlainTransfer(log);
      if (!transfer) return undefined;
      if (transfer.isValueIndexed || standard === 'erc20' || standard === 'byForm') return [];
      if (mayBeSwapped(transfer)) return undefined;
      return [toNftMovement(transfer)];
    },
    get isDecided() {
      return standard === 'erc20' || (isIndexed && (firstUnindexed === undefined || standard !== 'erc721'));
    },
    async findReasons({ signal, hasLogs }) {
      if (firstUnindexed === undefined) {
        if (hasLogs || isIndexed || standard !== undefined) return [];
        const known = await ask(chain.fetchNftContract?.(contract, { signal }), signal);
        return known?.state === 'known' ? [] : [{ code: 'noTransferEvents' }];
      }
      const isCertain = standard === 'erc721' || (standard === 'byForm' && isIndexed);
      return isCertain ? [] : [{ code: 'unindexedTokenIds', block: firstUnindexed }];
    },
  };
}

/**
 * Whether the indexed word that should be the receiver may be the ID, and the number the receiver: a contract that indexes
 * sender and ID has topics of the same form. An address is hardly ever below 2^64, as small IDs are.
 */
function mayBeSwapped({ to, value }: Pick<NftMovement, 'to'> & { readonly value: bigint }): boolean {
  return BigInt(to) < 2n ** 64n && value >= 2n ** 96n && value < 2n ** 160n;
}
