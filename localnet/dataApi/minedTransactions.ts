import type { Hex } from 'ox';
import * as z from 'zod/mini';
import type { NodeRpc } from '../chain/nodeRpc.ts';
import { seconds } from './times.ts';

/** A transaction with its logs, as the node has it. */
export type MinedTransaction = z.infer<typeof Transaction> &
  z.infer<typeof Receipt> & { readonly time: Date };

const hex = z.pipe(
  z.string(),
  z.transform((text) => text.toLowerCase() as Hex.Hex),
);
const quantity = z.pipe(
  z.string(),
  z.transform((text) => BigInt(text)),
);

const Transaction = z.object({
  hash: hex,
  blockNumber: quantity,
  transactionIndex: quantity,
  from: hex,
  to: z.nullable(hex),
  value: quantity,
  gas: quantity,
});
const ReceiptLog = z.object({ address: hex, topics: z.array(hex), data: hex, logIndex: quantity });
const Receipt = z.object({
  status: quantity,
  gasUsed: quantity,
  effectiveGasPrice: quantity,
  logs: z.array(ReceiptLog),
});
const Block = z.object({ timestamp: quantity });

export type MinedLog = z.infer<typeof ReceiptLog>;

/** The transactions of these hashes, in their order. */
export async function readTransactions(
  node: NodeRpc,
  hashes: readonly Hex.Hex[],
): Promise<readonly MinedTransaction[]> {
  const transactions = z
    .array(Transaction)
    .parse(await node.batch(hashes.map((hash) => ['eth_getTransactionByHash', [hash]] as const)));
  const receipts = z
    .array(Receipt)
    .parse(await node.batch(hashes.map((hash) => ['eth_getTransactionReceipt', [hash]] as const)));
  const blocks = z
    .array(Block)
    .parse(
      await node.batch(
        transactions.map(
          ({ blockNumber }) => ['eth_getBlockByNumber', [`0x${blockNumber.toString(16)}`, false]] as const,
        ),
      ),
    );
  return transactions.map((transaction, i) => {
    const [receipt, block] = [receipts[i], blocks[i]];
    if (!receipt || !block) throw new Error(`the node lost ${transaction.hash}`);
    return { ...transaction, ...receipt, time: new Date(Number(block.timestamp) * 1000) };
  });
}

/** The part of a row that every answer about a transaction has. */
export function transactionFields(transaction: MinedTransaction) {
  const { gasUsed, effectiveGasPrice } = transaction;
  return {
    block_signed_at: seconds(transaction.time),
    block_height: Number(transaction.blockNumber),
    tx_hash: transaction.hash,
    tx_offset: Number(transaction.transactionIndex),
    successful: transaction.status === 1n,
    ...{ from_address: transaction.from, from_address_label: null },
    ...{ to_address: transaction.to, to_address_label: null },
    ...{ value: transaction.value.toString(), value_quote: null },
    ...{ gas_offered: Number(transaction.gas), gas_spent: Number(gasUsed) },
    ...{ gas_price: Number(effectiveGasPrice), fees_paid: (gasUsed * effectiveGasPrice).toString() },
    ...{ gas_quote: null, gas_quote_rate: null },
  };
}
