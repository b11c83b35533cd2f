import type { Hex } from 'ox';
import { logoUrl } from './contractFields.ts';
import { createContractReader } from './contractReader.ts';
import type { ChainSource } from './holdings.ts';
import { type MinedTransaction, readTransactions, transactionFields } from './minedTransactions.ts';
import { readMovement } from './movements.ts';
import type { Page } from './paging.ts';
import type { Currency } from './prices.ts';
import type { ServedChain } from './servedChains.ts';
import { nanoseconds } from './times.ts';

export type TransfersQuestion = {
  readonly chain: ServedChain;
  readonly address: Hex.Hex;
  readonly contract: Hex.Hex;
  readonly currency: Currency;
  readonly page: Page;
  readonly now: Date;
};

type Transfer = { readonly from: Hex.Hex; readonly to: Hex.Hex; readonly amount: bigint };

/** `data` of `transfers_v2`: transactions that moved one ERC-20 to or from an address, newest first. */
export async function transfersData(source: ChainSource, question: TransfersQuestion) {
  const { chain, address, contract, currency, page, now } = question;
  const byTransaction = findTransfers(source, question);
  const hashes = [...byTransaction.keys()].reverse();
  const reader = createContractReader(source.node, contract, source.index.head() ?? 0);
  const token = {
    contract_decimals: (await reader.decimals()) ?? 0,
    contract_name: (await reader.name()) ?? null,
    contract_ticker_symbol: (await reader.symbol()) ?? null,
    ...{ contract_address: contract, logo_url: logoUrl(chain, contract) },
  };
  const transactions = await readTransactions(source.node, page.cut(hashes));
  const row = (transaction: MinedTransaction) => {
    const fields = transactionFields(transaction);
    const { block_signed_at, tx_hash } = fields;
    const entry = (transfer_type: 'IN' | 'OUT', { from, to, amount }: Transfer) => ({
      ...{ block_signed_at, tx_hash, from_address: from, from_address_label: null },
      ...{ to_address: to, to_address_label: null, ...token, transfer_type },
      ...{ delta: amount.toString(), balance: null, quote_rate: null, delta_quote: null },
      ...{ balance_quote: null, method_calls: null },
    });
    const transfers = (byTransaction.get(transaction.hash) ?? []).flatMap((transfer) => [
      ...(transfer.from === address ? [entry('OUT', transfer)] : []),
      ...(transfer.to === address ? [entry('IN', transfer)] : []),
    ]);
    return { ...fields, transfers };
  };
  return {
    ...{ address, updated_at: nanoseconds(now), next_update_at: nanoseconds(now) },
    ...{ quote_currency: currency, chain_id: chain.id, chain_name: chain.name },
    ...{ items: transactions.map(row), pagination: page.describe(hashes) },
  };
}

/** By transaction, oldest first. */
function findTransfers({ index }: ChainSource, { address, contract }: TransfersQuestion) {
  const found = new Map<Hex.Hex, Transfer[]>();
  for (const log of index.logs({ from: 0, to: index.head() ?? 0 }, contract)) {
    const movement = readMovement(log);
    if (movement?.standard !== 'erc20' || (movement.from !== address && movement.to !== address)) continue;
    const transfers = found.get(log.transactionHash) ?? [];
    found.set(log.transactionHash, [
      ...transfers,
      { from: movement.from, to: movement.to, amount: BigInt(log.data) },
    ]);
  }
  return found;
}
