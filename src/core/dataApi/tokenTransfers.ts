import * as z from 'zod/mini';
import type { Address } from '../values/address.ts';
import type { Hex } from '../values/hex.ts';
import { type Asked, readAddressData } from './addressData.ts';
import {
  addressField,
  heightField,
  optionalField,
  readItems,
  textField,
  timeField,
  transactionHashField,
  uint256Field,
} from './fields.ts';
import { type ListEnd, readPages } from './pages.ts';

/** Transfers of one ERC-20 token to and from an address, as `transfers_v2` tells them. */
export interface TokenTransfers {
  /** In the server's order: newest transaction first. */
  readonly transfers: readonly TokenTransfer[];
  /** Transactions that failed, and so moved nothing. */
  readonly failedTransactions: number;
  /** Why reading ended: only `complete` means that these are all. */
  readonly end: ListEnd;
  /** Entries that could not be read, and are missing here. */
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
  transfers: z.nullish(z.array(z.unknown())),
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
export async function readTokenTransfers(
  asked: Asked,
  maxPages: number,
  getPage: Parameters<typeof readPages>[1],
): Promise<TokenTransfers> {
  const transactions = new Map<Hex, z.infer<typeof Transaction>>();
  let skipped = 0;
  const end = await readPages(maxPages, getPage, (items, data) => {
    readAddressData(data, asked);
    const page = readItems(Transaction, items);
    skipped += page.skipped;
    const before = transactions.size;
    for (const transaction of page.read) transactions.set(transaction.tx_hash, transaction);
    return transactions.size - before;
  });
  const succeeded = [...transactions.values()].filter(({ successful }) => successful !== false);
  const transfers: TokenTransfer[] = [];
  for (const transaction of succeeded) {
    const { read, skipped: unread } = readItems(Transfer, transaction.transfers ?? []);
    skipped += unread;
    for (const transfer of read) transfers.push(describeTransfer(transfer, transaction));
  }
  return { transfers, failedTransactions: transactions.size - succeeded.length, end, skipped };
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
