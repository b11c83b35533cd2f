import * as z from 'zod/mini';
import type { Provenance } from '../../base/source.ts';
import type { TimeSlices } from '../../base/timeSlices.ts';
import { readNftMovements } from '../../nfts/nftMovement.ts';
import type { NftTransactions } from '../../nfts/nftTransactions.ts';
import { arrangeNftTransfers, MOST_TRANSFERS, type NftTransfer } from '../../nfts/nftTransfer.ts';
import {
  addressField,
  heightField,
  hexField,
  timeField,
  transactionHashField,
} from '../../values/chainFields.ts';
import { type Hex, parseHexData } from '../../values/hex.ts';
import { listField, optionalField, readItems } from '../../values/outsideFields.ts';
import { type AskedContract, readContractData } from './contractData.ts';

const Item = z.object({ nft_transactions: z.nullish(listField) });

const Transaction = z.object({
  block_height: heightField,
  block_signed_at: optionalField(timeField),
  tx_hash: transactionHashField,
  successful: optionalField(z.boolean()),
  log_events: z.nullish(listField),
});
type Transaction = z.infer<typeof Transaction>;

const Sender = z.object({ sender_address: addressField });
const topicsField = z.pipe(
  listField.check(z.refine((topics) => topics.length <= 4 && topics.every(isTopic))),
  z.transform((topics) => topics.map((topic) => parseHexData(topic, 32) as Hex)),
);
const LogEvent = z.object({
  log_offset: z.int().check(z.nonnegative()),
  raw_log_topics: topicsField,
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
export async function readNftTransactions(
  data: unknown,
  asked: AskedContract & { readonly tokenId: bigint },
  slices: TimeSlices,
): Promise<Omit<NftTransactions, keyof Provenance>> {
  const { updatedAt, items, left } = readContractData(data, asked);
  const found: Found = { asked, slices, transfers: [], failed: 0, skipped: left };
  for (const { item } of items) await readItem(item, found);
  return {
    contract: items[0]?.facts,
    updatedAt,
    transfers: await arrangeNftTransfers(found.transfers, slices),
    failedTransactions: found.failed,
    skipped: found.skipped,
  };
}

/** What has been read so far, and how. */
interface Found {
  readonly asked: AskedToken;
  readonly slices: TimeSlices;
  readonly transfers: NftTransfer[];
  failed: number;
  skipped: number;
}

function isTopic(value: unknown): boolean {
  return parseHexData(value, 32) !== undefined;
}

type AskedToken = Parameters<typeof readNftTransactions>[1];

async function readItem(item: unknown, found: Found): Promise<void> {
  const parsed = Item.safeParse(item);
  if (!parsed.success) {
    found.skipped++;
    return;
  }
  const { read, skipped } = await readItems(Transaction, parsed.data.nft_transactions ?? [], {
    slices: found.slices,
    most: MOST_TRANSFERS,
  });
  found.skipped += skipped;
  for (const transaction of read) {
    if (transaction.successful === false) found.failed++;
    else await readTransaction(transaction, found);
  }
}

async function readTransaction(transaction: Transaction, found: Found): Promise<void> {
  const { asked, slices } = found;
  for (const event of transaction.log_events ?? []) {
    if (slices.isOver()) await slices.rest();
    const sender = Sender.safeParse(event);
    if (sender.success && sender.data.sender_address !== asked.contract) continue;
    const read = sender.success ? readLogEvent(event, transaction) : undefined;
    const moved = read?.filter(({ tokenId }) => tokenId === asked.tokenId);
    if (moved && found.transfers.length + moved.length <= MOST_TRANSFERS) found.transfers.push(...moved);
    else found.skipped++;
  }
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
