import { toAbiWord } from '../abi/abiWord.ts';
import { transferEvents } from '../abi/transferEvents.ts';
import type { Abortable } from '../base/abortable.ts';
import type { Clock } from '../base/clock.ts';
import { throwIfAborted } from '../base/errors.ts';
import { createTimeSlices, type TimeSlices } from '../base/timeSlices.ts';
import type { Waits } from '../base/waits.ts';
import type { BlockTag } from '../logs/query/blockTag.ts';
import type { Log } from '../logs/query/log.ts';
import { createLogFilter, type LogFilter } from '../logs/query/logFilter.ts';
import type { LogSource, RestOfLogs } from '../logs/query/logQuery.ts';
import type { Verdict } from '../logs/query/verdict.ts';
import type { Address } from '../values/address.ts';
import { joinVerdicts } from './joinVerdicts.ts';
import { readNftMovements } from './nftMovement.ts';
import { MOST_TRANSFERS, type NftTransfer } from './nftTransfer.ts';

/** Which token's history is asked for. */
export interface NftQuestion {
  readonly contract: Address;
  readonly tokenId: bigint;
  /** Where known, half of the logs need not be asked for. */
  readonly standard?: 'erc721' | 'erc1155' | undefined;
  /** Inclusive; default `earliest`. */
  readonly fromBlock?: BlockTag;
  /** Inclusive; default `latest`. */
  readonly toBlock?: BlockTag;
}

/** Transfers that one step of reading logs added. */
export interface NftTransfersPage {
  /** In the order of the chain within each standard. */
  readonly transfers: readonly NftTransfer[];
  /** Logs of this step that have the topic0 of an NFT transfer and cannot be read as one. */
  readonly skipped: number;
  /** What the answer as a whole is worth. Its `rows` are logs: those of other ids of an ERC-1155 count. */
  readonly verdict: Verdict;
  /** Whether it is the last page although transfers follow, since {@link MOST_TRANSFERS} were given. */
  readonly endsEarly: boolean;
}

export interface NftTransfersOptions extends RestOfLogs {
  readonly clock: Clock;
  /** What the queries wait for goes through these. */
  readonly waits?: Waits | undefined;
}

/**
 * The history of a token id out of `eth_getLogs`: ERC-721 by topic 3, which is the id; ERC-1155 by reading every
 * transfer of the contract, as its id stands in the data. Their times are known where the logs tell them. Ends early
 * after {@link MOST_TRANSFERS}.
 *
 * @throws AppError as a log query does; what was given before holds.
 * @example
 * for await (const { transfers, verdict } of nftTransfersFromLogs(client, { contract, tokenId: 7n }, { clock })) {
 *   console.log(transfers.length, verdict.state);
 * }
 */
export async function* nftTransfersFromLogs(
  chain: LogSource,
  question: NftQuestion,
  { clock, waits, signal, onProgress }: NftTransfersOptions,
): AsyncGenerator<NftTransfersPage> {
  const filters = transferFilters(question);
  const earlier: Verdict[] = [];
  const slices = createTimeSlices(clock);
  let room = MOST_TRANSFERS;
  for (const [index, filter] of filters.entries()) {
    const query = chain.openLogQuery(filter, { waits });
    const pages = query.rest({
      signal,
      onProgress: ({ blocksDone, blocks }) =>
        onProgress?.({
          blocksDone: blocksDone + blocks * BigInt(index),
          blocks: blocks * BigInt(filters.length),
        }),
    });
    for await (const { logs, verdict } of pages) {
      const { transfers, skipped, leftOut } = await readTransfers(logs, question.tokenId, {
        room,
        slices,
        signal,
      });
      room -= transfers.length;
      const unasked = filters.length - index - 1;
      const joined = joinVerdicts([leftOut ? endedBefore(leftOut, verdict) : verdict, ...earlier], unasked);
      yield { transfers, skipped, verdict: joined, endsEarly: leftOut !== undefined };
      if (leftOut) return;
    }
    if (query.verdict) earlier.push(query.verdict);
  }
}

function transferFilters(question: NftQuestion): readonly LogFilter[] {
  const { contract, tokenId, standard, fromBlock = 'earliest', toBlock = 'latest' } = question;
  const filter = (topics: LogFilter['topics']) =>
    createLogFilter({ addresses: [contract], topics, fromBlock, toBlock });
  const { transfer, transferSingle, transferBatch } = transferEvents;
  const single = filter([[transfer.topic0], null, null, [toAbiWord(tokenId)]]);
  const multi = filter([[transferSingle.topic0, transferBatch.topic0]]);
  if (standard === undefined) return [single, multi];
  return standard === 'erc721' ? [single] : [multi];
}

/** `leftOut` is the first transfer for which there is no room. In slices of time: one log can name thousands of ids. */
async function readTransfers(
  logs: readonly Log[],
  tokenId: bigint,
  { room, slices, signal }: Abortable & { readonly room: number; readonly slices: TimeSlices },
) {
  const transfers: NftTransfer[] = [];
  let skipped = 0;
  for (const log of logs) {
    if (slices.isOver()) {
      await slices.rest();
      throwIfAborted(signal);
    }
    const read = readTransfersOf(log, tokenId);
    if (!read) skipped++;
    for (const transfer of read ?? []) {
      if (transfers.length === room) return { transfers, skipped, leftOut: transfer };
      transfers.push(transfer);
    }
  }
  return { transfers, skipped, leftOut: undefined };
}

/** What a query is worth of which no more was taken than came before the transfer. */
function endedBefore({ blockNumber }: NftTransfer, verdict: Verdict): Verdict {
  const readThrough = blockNumber > verdict.fromBlock ? blockNumber - 1n : undefined;
  return { ...verdict, state: 'more', readThrough };
}

function readTransfersOf(log: Log, tokenId: bigint): readonly NftTransfer[] | undefined {
  const { blockNumber, time, transactionHash, logIndex } = log;
  const of = { blockNumber, time, transactionHash, logIndex };
  return readNftMovements(log)
    ?.filter((movement) => movement.tokenId === tokenId)
    .map((movement) => ({ ...movement, ...of }));
}
