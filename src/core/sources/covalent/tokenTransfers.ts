import * as z from 'zod/mini';
import type { Address } from '../../values/address.ts';
import type { Hex } from '../../values/hex.ts';
import { type Asked, readAddressData } from './addressData.ts';
import {
  addressField,
  heightField,
  listField,
  MOST_ITEMS,
  optionalField,
  readItems,
  textField,
  timeField,
  transactionHashField,
  uint256Field,
} from './fields.ts';
import { type ListEnd, type PagedList, readPages } from './pages.ts';

/** Transfers of one ERC-20 token to and from an address, as `transfers_v2` tells them. */
export interface TokenTransfers {
  /** In the server's order: newest transaction first. */
  readonly transfers: readonly TokenTransfer[];
  /** Transactions that failed, and so moved nothing. */
  readonly failedTransactions: number;
  /** Why reading ended: only `complete` means that these are all. */
  readonly end: ListEnd;
  /** Entries that could not be read or went over the bound, and are missing here. */
  readonly skipped: number;
}

export interface TokenTransfer {
  readonly contract: Address;
  readonly direction: 'in' | 'out';
  readonly from: Address;
  readonly to: Address;
  /** In smallest units. */
  readonly amount: bigint;
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
  readonly blockNumber: bigint;
  /** Of the block, in milliseconds since the Unix epoch. */
  readonly time: number | undefined;
  readonly transactionHash: Hex;
}

const Transaction = z.object({
  block_height: heightField,
  block_signed_at: optionalField(timeField),
  tx_hash: transactionHashField,
  successful: optionalField(z.boolean()),
  transfers: z.nullish(listField),
});

const Transfer = z.object({
  contract_address: addressField,
  contract_decimals: optionalField(z.int().check(z.minimum(0), z.maximum(255))),
  contract_ticker_symbol: optionalField(textField),
  from_address: addressField,
  to_address: addressField,
  transfer_type: z.enum(['IN', 'OUT']),
  delta: uint256Field,
});

/** Reads `transfers_v2`. @throws AppError `badResponse` for a page that is no such answer. */
export async function readTokenTransfers(asked: Asked, list: PagedList): Promise<TokenTransfers> {
  const { slices } = list;
  const transactions = new Map<Hex, readonly TokenTransfer[]>();
  let failedTransactions = 0;
  let kept = 0;
  let skipped = 0;
  const end = await readPages(list, async (items, data) => {
    readAddressData(data, asked);
    const page = await readItems(Transaction, items, slices);
    skipped += page.skipped;
    const before = transactions.size;
    for (const transaction of page.read) {
      if (transactions.has(transaction.tx_hash)) continue;
      const failed = transaction.successful === false;
      const found = await readItems(Transfer, failed ? [] : (transaction.transfers ?? []), slices);
      const fits = kept + found.read.length <= MOST_ITEMS;
      const read = fits ? found.read.map((transfer) => describeTransfer(transfer, transaction)) : [];
      transactions.set(transaction.tx_hash, read);
      kept += read.length;
      skipped += found.skipped + (fits ? 0 : found.read.length);
      if (failed) failedTransactions++;
    }
    return transactions.size - before;
  });
  return { transfers: [...transactions.values()].flat(), failedTransactions, end, skipped };
}

function describeTransfer(
  transfer: z.infer<typeof Transfer>,
  transaction: z.infer<typeof Transaction>,
): TokenTransfer {
  return {
    contract: transfer.contract_address,
    direction: transfer.transfer_type === 'IN' ? 'in' : 'out',
    from: transfer.from_address,
    to: transfer.to_address,
    amount: transfer.delta,
    symbol: transfer.contract_ticker_symbol,
    decimals: transfer.contract_decimals,
    blockNumber: transaction.block_height,
    time: transaction.block_signed_at,
    transactionHash: transaction.tx_hash,
  };
}
