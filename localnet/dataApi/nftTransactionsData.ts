import { Hex } from 'ox';
import type { NodeRpc } from '../chain/nodeRpc.ts';
import type { Collection } from '../tokens/collection.ts';
import { transfer, transferSingle } from '../tokens/movements.ts';
import { classicContractFields } from './contractFields.ts';
import type { Generation } from './keys.ts';
import {
  type MinedLog,
  type MinedTransaction,
  readTransactions,
  transactionFields,
} from './minedTransactions.ts';
import type { ServedChain } from './servedChains.ts';
import { nanoseconds } from './times.ts';

export type NftQuestion = {
  readonly chain: ServedChain;
  readonly node: NodeRpc;
  readonly generation: Generation;
  readonly tokenId: bigint;
  readonly now: Date;
};

/** `data` of `nft_transactions`: the transactions that moved an id, newest first, each with all its logs. */
export async function nftTransactionsData(collection: Collection | undefined, question: NftQuestion) {
  const { chain, generation, now } = question;
  const head = {
    updated_at: nanoseconds(now),
    ...(generation === 'early' ? {} : { chain_id: chain.id, chain_name: chain.name }),
  };
  if (!collection) return { ...head, items: [], pagination: null };
  const logs = collection.tokens.get(question.tokenId) ?? [];
  const hashes = [...new Set(logs.map(({ transactionHash }) => transactionHash))].reverse();
  const transactions = await readTransactions(question.node, hashes);
  const item = {
    ...classicContractFields(collection, chain),
    ...(generation === 'early' ? {} : { is_spam: false }),
    nft_transactions: transactions.map((transaction) => transactionRow(transaction, collection, generation)),
  };
  return { ...head, items: [item], pagination: null };
}

function transactionRow(transaction: MinedTransaction, collection: Collection, generation: Generation) {
  const { block_signed_at, block_height, tx_offset, tx_hash, ...fields } = transactionFields(transaction);
  const place = { block_signed_at, block_height, tx_offset, tx_hash };
  const logs = transaction.logs.toReversed();
  return {
    ...place,
    ...fields,
    log_events: logs.map((log) => ({ ...place, ...logRow(log, collection, generation) })),
  };
}

function logRow(log: MinedLog, collection: Collection, generation: Generation) {
  const own = log.address === collection.address;
  return {
    log_offset: Number(log.logIndex),
    raw_log_topics: log.topics,
    raw_log_data: log.data === '0x' ? null : log.data,
    sender_contract_decimals: own ? 0 : null,
    sender_name: own ? (collection.name ?? null) : null,
    sender_contract_ticker_symbol: own ? (collection.symbol ?? null) : null,
    sender_address: log.address,
    ...{ sender_address_label: null, sender_logo_url: null },
    decoded: decode(log, generation),
  };
}

/**
 * What the service's decoder makes of a log: in early answers it takes an ERC-721 transfer for one of ERC-20, and so
 * loses the id; a batch it leaves alone.
 */
function decode({ topics: [topic0, first, second, third], data }: MinedLog, generation: Generation) {
  if (!first || !second || !third) return null;
  if (topic0 === transfer) {
    const parties = [address('from', first), address('to', second)];
    const early = generation === 'early';
    const id = early ? parameter('value', false, null) : parameter('tokenId', true, BigInt(third).toString());
    const signature = `Transfer(indexed address from, indexed address to, ${early ? 'uint256 value' : 'indexed uint256 tokenId'})`;
    return { name: 'Transfer', signature, params: [...parties, id] };
  }
  if (topic0 !== transferSingle) return null;
  const [id, amount] = [Hex.slice(data, 0, 32), Hex.slice(data, 32, 64)].map((word) =>
    BigInt(word).toString(),
  );
  return {
    name: 'TransferSingle',
    signature:
      'TransferSingle(indexed address _operator, indexed address _from, indexed address _to, uint256 _id, uint256 _amount)',
    params: [
      ...[address('_operator', first), address('_from', second), address('_to', third)],
      ...[parameter('_id', false, id ?? null), parameter('_amount', false, amount ?? null)],
    ],
  };
}

function address(name: string, topic: Hex.Hex) {
  return { name, type: 'address', indexed: true, decoded: true, value: Hex.slice(topic, 12) };
}

function parameter(name: string, indexed: boolean, value: string | null) {
  return { name, type: 'uint256', indexed, decoded: value !== null, value };
}
