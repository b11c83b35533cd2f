import { AppError } from '../../base/errors.ts';
import { isRecord, type PlainRecord } from '../../base/records.ts';
import { readLogs } from '../../logs/asking/readLogs.ts';
import { readSeconds } from '../../times/knownTime.ts';
import type {
  Transaction,
  TransactionFee,
  TransactionLog,
  TransactionStatus,
} from '../../transactions/transaction.ts';
import { parseAddress } from '../../values/address.ts';
import { type Hex, MOST_EXACT, parseHexData, parseQuantity } from '../../values/hex.ts';

/** What a node says of a transaction that was sent. */
interface SentTransaction
  extends Pick<
    Transaction,
    'block' | 'from' | 'gasLimit' | 'gasPrice' | 'input' | 'nonce' | 'position' | 'to' | 'type' | 'value'
  > {
  /** As it came: goes back with the same transaction. */
  readonly authorizationList: readonly unknown[] | undefined;
}

/** What became of it. */
interface Receipt extends Pick<Transaction, 'block' | 'created' | 'gasPrice' | 'gasUsed' | 'position'> {
  readonly status: TransactionStatus;
  readonly fee: TransactionFee;
  /** Undefined where the receipt has no list of them, not even an empty one. */
  readonly logs: readonly TransactionLog[] | undefined;
}

/** Of one transaction; the gas of a block has room for some ten thousand. */
const MOST_AUTHORIZATIONS = 20_000;

/**
 * The result of `eth_getTransactionByHash` (https://github.com/ethereum/execution-apis). Fields that an older node or
 * another chain lacks are undefined.
 *
 * @throws AppError `badResponse` for one of another hash, or without sender, value or input.
 * @example readTransaction({ hash, from, to, value: '0x0', input: '0x' }, hash).value; // 0n
 */
export function readTransaction(result: unknown, hash: Hex): SentTransaction {
  const wire = requireRecord(result, 'eth_getTransactionByHash');
  const from = parseAddress(wire.from);
  const value = parseQuantity(wire.value);
  const input = parseHexData(wire.input ?? wire.data);
  if (parseHexData(wire.hash, 32) !== hash || !from || value === undefined || input === undefined) {
    throw new AppError('badResponse', 'The answer to eth_getTransactionByHash is not that transaction.');
  }
  const { authorizationList } = wire;
  const isList = Array.isArray(authorizationList) && authorizationList.length <= MOST_AUTHORIZATIONS;
  return {
    ...{ from, value, input },
    to: parseAddress(wire.to),
    block: blockNumber(wire.blockNumber),
    position: small(wire.transactionIndex),
    gasLimit: parseQuantity(wire.gas),
    gasPrice: parseQuantity(wire.gasPrice),
    nonce: parseQuantity(wire.nonce),
    type: small(wire.type),
    authorizationList: isList ? (authorizationList as readonly unknown[]) : undefined,
  };
}

/**
 * The result of `eth_getTransactionReceipt`; undefined while it is of no block.
 *
 * @throws AppError `badResponse` for one of another transaction, `badLogs` for broken logs, `tooLarge`.
 * @example readReceipt(null, { hash, transaction }); // undefined
 */
export function readReceipt(
  result: unknown,
  {
    hash,
    transaction,
  }: { readonly hash: Hex; readonly transaction: Pick<SentTransaction, 'gasPrice' | 'type'> },
): Receipt | undefined {
  if (result === undefined || result === null) return undefined;
  const wire = requireRecord(result, 'eth_getTransactionReceipt');
  if (parseHexData(wire.transactionHash, 32) !== hash) {
    throw new AppError('badResponse', 'The answer to eth_getTransactionReceipt is of another transaction.');
  }
  const block = blockNumber(wire.blockNumber);
  // Blockscout writes one for a pending transaction too, with nothing in it.
  if (block === undefined) return undefined;
  const gasUsed = parseQuantity(wire.gasUsed);
  // Before London receipts had no price, as what was offered was paid.
  const gasPrice =
    parseQuantity(wire.effectiveGasPrice) ?? ((transaction.type ?? 0) < 2 ? transaction.gasPrice : undefined);
  return {
    ...{ gasUsed, gasPrice },
    status: statusOf(wire.status),
    block,
    position: small(wire.transactionIndex),
    created: parseAddress(wire.contractAddress),
    fee: feeOf(wire, gasUsed === undefined || gasPrice === undefined ? undefined : gasUsed * gasPrice),
    logs: wire.logs === undefined || wire.logs === null ? undefined : readLogs(wire.logs).logs,
  };
}

/**
 * The result of `eth_getBlockByHash`; undefined where it is none of a block with this hash.
 *
 * @example readBlock({ hash, number: '0x10', timestamp: '0x1' }, hash); // { block: 16n, time: 1000 }
 */
export function readBlock(
  result: unknown,
  hash: Hex,
): { readonly block: bigint; readonly time: number | undefined } | undefined {
  if (!isRecord(result) || parseHexData(result.hash, 32) !== hash) return undefined;
  const block = blockNumber(result.number);
  return block === undefined ? undefined : { block, time: readSeconds(result.timestamp) };
}

/** Before Byzantium receipts had a state root in the place of a status. */
function statusOf(status: unknown): TransactionStatus {
  const value = parseQuantity(status);
  return value === 1n ? 'success' : value === 0n ? 'failed' : 'unknown';
}

/**
 * `l1Fee` is what rollups of the OP Stack and Scroll charge beside the gas; Arbitrum has it among the gas. An operator
 * fee, whose rule differs by fork, leaves the sum unknown.
 */
function feeOf(wire: PlainRecord, execution: bigint | undefined): TransactionFee {
  const l1 = parseQuantity(wire.l1Fee);
  const [blobGas, blobPrice] = [parseQuantity(wire.blobGasUsed), parseQuantity(wire.blobGasPrice)];
  const blobs = blobGas === undefined || blobPrice === undefined ? undefined : blobGas * blobPrice;
  const hasOperator = [wire.operatorFeeScalar, wire.operatorFeeConstant].some(
    (part) => (parseQuantity(part) ?? 0n) > 0n,
  );
  const total = execution === undefined || hasOperator ? undefined : execution + (l1 ?? 0n) + (blobs ?? 0n);
  return { total, execution, l1, blobs };
}

function requireRecord(result: unknown, method: string): PlainRecord {
  if (isRecord(result)) return result;
  throw new AppError('badResponse', `The answer to ${method} is no object.`);
}

function blockNumber(value: unknown): bigint | undefined {
  const block = parseQuantity(value);
  return block === undefined || block > MOST_EXACT ? undefined : block;
}

function small(value: unknown): number | undefined {
  const number = parseQuantity(value);
  return number === undefined || number > 0xffff_ffffn ? undefined : Number(number);
}
