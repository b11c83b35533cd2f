import * as z from 'zod/mini';
import type { NftContract } from '../nfts/nftContract.ts';
import { readNftMovements } from '../nfts/nftMovement.ts';
import { compareNftTransfers, distinctNftTransfers, type NftTransfer } from '../nfts/nftTransfer.ts';
import { type AskedContract, readContractData } from './contractData.ts';
import {
  addressField,
  heightField,
  hexField,
  optionalField,
  readItems,
  timeField,
  transactionHashField,
} from './fields.ts';

/** The transfer history of one token id, as `nft_transactions` tells it. */
export interface NftTransactions {
  /** What the answer says of the contract; undefined where it has no item. */
  readonly contract: NftContract | undefined;
  /** When the server last looked, in milliseconds since the Unix epoch. */
  readonly updatedAt: number | undefined;
  /** Newest first, none twice. */
  readonly transfers: readonly NftTransfer[];
  /** Transactions that failed, and so moved nothing. */
  readonly failedTransactions: number;
  /** Transactions and logs of the answer that could not be read: transfers may be missing for them. */
  readonly skipped: number;
}

const Item = z.object({ nft_transactions: z.nullish(z.array(z.unknown())) });

const Transaction = z.object({
  block_height: heightField,
  block_signed_at: optionalField(timeField),
  tx_hash: transactionHashField,
  successful: optionalField(z.boolean()),
  log_events: z.nullish(z.array(z.unknown())),
});
type Transaction = z.infer<typeof Transaction>;

const Sender = z.object({ sender_address: addressField });
const LogEvent = z.object({
  log_offset: z.int().check(z.nonnegative()),
  raw_log_topics: z.array(hexField(32)).check(z.maxLength(4)),
  // Null for a log without data, such as an ERC-721 transfer.
  raw_log_data: z.nullish(hexField()),
});

/**
 * `data` of an `nft_transactions` answer. Transfers are read from raw topics and data: the service's own decoding
 * loses ids (it reads an ERC-721 transfer as one of ERC-20) and batches, and the addresses of a transaction are
 * those of its sender and receiver, not of the token's.
 *
 * @throws AppError `badResponse` when it is no such answer, or one for another contract or chain.
 */
export function readNftTransactions(
  data: unknown,
  asked: AskedContract & { readonly tokenId: bigint },
): NftTransactions {
  const { updatedAt, items } = readContractData(data, asked);
  const parts = items.map(({ item }) => readItem(item, asked));
  const transfers = distinctNftTransfers(parts.flatMap((part) => part.transfers));
  return {
    contract: items[0]?.facts,
    updatedAt,
    transfers: [...transfers].sort(compareNftTransfers),
    failedTransactions: sum(parts.map(({ failed }) => failed)),
    skipped: sum(parts.map(({ skipped }) => skipped)),
  };
}

type AskedToken = Parameters<typeof readNftTransactions>[1];

function readItem(item: unknown, asked: AskedToken) {
  const parsed = Item.safeParse(item);
  if (!parsed.success) return { transfers: [], failed: 0, skipped: 1 };
  const { read, skipped } = readItems(Transaction, parsed.data.nft_transactions ?? []);
  const succeeded = read.filter(({ successful }) => successful !== false);
  const logs = succeeded.map((transaction) => readTransaction(transaction, asked));
  return {
    transfers: logs.flatMap(({ transfers }) => transfers),
    failed: read.length - succeeded.length,
    skipped: skipped + sum(logs.map((log) => log.skipped)),
  };
}

function readTransaction(transaction: Transaction, asked: AskedToken) {
  const transfers: NftTransfer[] = [];
  let skipped = 0;
  for (const event of transaction.log_events ?? []) {
    const sender = Sender.safeParse(event);
    if (sender.success && sender.data.sender_address !== asked.contract) continue;
    const read = sender.success ? readLogEvent(event, transaction) : undefined;
    if (!read) skipped++;
    else transfers.push(...read.filter(({ tokenId }) => tokenId === asked.tokenId));
  }
  return { transfers, skipped };
}

/** The transfers in a log, of whatever id; undefined where it cannot be read. */
function readLogEvent(event: unknown, transaction: Transaction): readonly NftTransfer[] | undefined {
  const log = LogEvent.safeParse(event);
  if (!log.success) return undefined;
  const { raw_log_topics: topics, raw_log_data: data, log_offset: logIndex } = log.data;
  return readNftMovements({ topics, data: data ?? '0x' })?.map((movement) => ({
    ...movement,
    blockNumber: transaction.block_height,
    time: transaction.block_signed_at,
    transactionHash: transaction.tx_hash,
    logIndex,
  }));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
