import { AppError, asAppError, isAppError } from '../../base/errors.ts';
import { isRecord, type PlainRecord } from '../../base/values.ts';
import { createBatchedEndpoint, getRpcLabel, type RpcProviderOptions } from '../../client/endpointClient.ts';
import {
  type Hex,
  MAX_SAFE_BIGINT,
  parseAddress,
  parseHexData,
  parseQuantity,
  toQuantity,
} from '../../eth/hex.ts';
import { parseSeconds } from '../../eth/time.ts';
import { MAX_MESSAGE_CHARS } from '../../http/response.ts';
import { parseLogs } from '../../logs/engine/parseLogs.ts';
import { fetchHeaderTimes } from '../../rpc/blockTimes.ts';
import { isMissingMethod, isRevert } from '../../rpc/ethCall.ts';
import type { RpcCallOptions, RpcClient } from '../../rpc/rpcClient.ts';
import {
  createTransactionCache,
  type FoundByHash,
  type Transaction,
  type TransactionFailure,
  type TransactionFee,
  type TransactionLog,
  type TransactionProvider,
  type TransactionStatus,
} from '../../transactions/transaction.ts';

const TRANSACTION = 'eth_getTransactionByHash';
const RECEIPT = 'eth_getTransactionReceipt';
const BLOCK = 'eth_getBlockByHash';
/** A header, and what a call returns: alike for both, so that they go together. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
/** Stands for no transaction: what becomes of the question shows whether it may be asked. */
const NO_HASH: Hex = `0x${'0'.repeat(64)}`;

/**
 * Transactions by the methods of a node: transaction and receipt in one request where the server takes batches, then
 * what hangs on them in another: the time of the block, and of a failed one why. Asks at once whether the server has
 * the methods.
 *
 * @returns undefined where it has not.
 * @throws AppError of any network kind; `notServed` for the dataset of a portal.
 * @example
 * const source = await openRpcTransactions({ ...http, url, chainId, key: undefined, throttle, revoked });
 * await source?.lookUpHash(hash); // { kind: 'transaction', transaction: { status: 'success', … }, … }
 */
export async function openRpcTransactions(
  options: RpcProviderOptions,
): Promise<TransactionProvider | undefined> {
  const { url, clock, revoked } = options;
  const { call } = createBatchedEndpoint(options);
  const asked = await Promise.all([
    isOffered(call, TRANSACTION, { signal: revoked }),
    isOffered(call, RECEIPT, { signal: revoked }),
  ]);
  if (asked.includes(false)) return undefined;
  return createTransactionCache({ label: getRpcLabel(url), clock, revoked }, (hash, limits) =>
    lookUp(hash, { call, limits }),
  );
}

async function isOffered(call: RpcClient['call'], method: string, limits: RpcCallOptions): Promise<boolean> {
  try {
    await call(method, [NO_HASH], limits);
    return true;
  } catch (error) {
    if (!isAppError(error, 'rpc')) throw error;
    return !isMissingMethod(error);
  }
}

interface Asking {
  readonly call: RpcClient['call'];
  readonly limits: RpcCallOptions;
}

async function lookUp(hash: Hex, { call, limits }: Asking): Promise<FoundByHash> {
  const [sent, mined] = await Promise.all([
    orNothing(call(TRANSACTION, [hash], limits)),
    // Some refuse the receipt of what is pending.
    orNothing(call(RECEIPT, [hash], limits), isAnyRefusal),
  ]);
  if (sent === undefined || sent === null) return asBlock(hash, { call, limits });
  const wire = parseTransaction(sent, hash);
  const receipt = parseReceipt(mined, { hash, transaction: wire });
  const block = receipt?.block ?? wire.block;
  const asked = [TRANSACTION, RECEIPT, ...(block === undefined ? [] : ['eth_getBlockByNumber'])];
  const failed = receipt?.status === 'failed';
  const together = { ...limits, maxBytes: MAX_RESPONSE_BYTES };
  const [times, failure] = await Promise.all([
    block === undefined ? undefined : fetchHeaderTimes(call, [block], together),
    failed ? replayTransaction({ ...wire, block }, { call, limits: together }) : undefined,
  ]);
  const { authorizationList, ...facts } = wire;
  return {
    kind: 'transaction',
    asked: failed ? [...asked, 'eth_call'] : asked,
    transaction: {
      ...facts,
      hash,
      status: receipt?.status ?? (block === undefined ? 'pending' : 'unknown'),
      block,
      position: receipt?.position ?? wire.position,
      time: block === undefined ? undefined : times?.get(block),
      created: receipt?.created,
      fee: receipt?.fee,
      gasUsed: receipt?.gasUsed,
      gasPrice: receipt?.gasPrice ?? wire.gasPrice,
      authorizations: authorizationList?.length,
      logs: receipt ? receipt.logs : block === undefined ? [] : undefined,
      isCut: false,
      failure,
    },
  };
}

async function asBlock(hash: Hex, { call, limits }: Asking): Promise<FoundByHash> {
  const asked = [TRANSACTION, BLOCK];
  const block = parseBlock(await orNothing(call(BLOCK, [hash, false], limits), isAnyRefusal), hash);
  return block ? { kind: 'block', ...block, asked } : { kind: 'unknown', asked };
}

/** Some say that there is no such thing as an error. */
async function orNothing(answer: Promise<unknown>, isNothing = saysNotFound): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (isNothing(error)) return undefined;
    throw error;
  }
}

function saysNotFound(error: unknown): boolean {
  return isAppError(error, 'rpc') && /not found|unknown (?:transaction|hash)/i.test(error.message);
}

function isAnyRefusal(error: unknown): boolean {
  return isAppError(error, 'rpc');
}

interface Replayed extends Pick<Transaction, 'block' | 'from' | 'gasLimit' | 'input' | 'to' | 'value'> {
  readonly authorizationList: readonly unknown[] | undefined;
}

const NOT_OFFERED: TransactionFailure = { state: 'notOffered' };

/**
 * Runs a failed transaction again by `eth_call`, on the state after the block before: what stood before it in its own
 * block is not part of that. With the same gas, so that one that ran out of it does again; without its price, so that
 * nobody has to have the fee.
 *
 * @throws AppError `aborted` alone: what else goes wrong is the answer.
 */
async function replayTransaction(
  { block, from, to, input, value, gasLimit, authorizationList }: Replayed,
  { call, limits }: { readonly call: RpcClient['call']; readonly limits: RpcCallOptions },
): Promise<TransactionFailure> {
  if (block === undefined || block === 0n) return NOT_OFFERED;
  const transaction = {
    from,
    to,
    data: input,
    value: toQuantity(value),
    ...(gasLimit === undefined ? {} : { gas: toQuantity(gasLimit) }),
    ...(authorizationList === undefined ? {} : { authorizationList }),
  };
  try {
    await call('eth_call', [transaction, toQuantity(block - 1n)], limits);
    return { state: 'passed' };
  } catch (cause) {
    const error = asAppError(cause);
    if (error.kind === 'aborted') throw error;
    if (error.kind !== 'rpc') return { state: 'refused', words: error.message };
    if (isMissingMethod(error)) return NOT_OFFERED;
    const words = error.details.serverMessage ?? '';
    if (!isRevert(error)) return { state: 'refused', words };
    return { state: 'told', by: 'replay', words, ...readRevertData(error.details.data) };
  }
}

/**
 * What an execution returned, out of `data` of the error that a node answers with: hex (geth, anvil, reth), hex behind
 * a word (`Reverted 0x…` of OpenEthereum and Nethermind), or an object that has it (Hardhat). Long data is cut where
 * the words of a server are.
 *
 * @example readRevertData('Reverted 0x4e487b71') // { data: '0x4e487b71', isCut: false }
 */
export function readRevertData(data: unknown): { readonly data: Hex | undefined; readonly isCut: boolean } {
  const text = isRecord(data) ? (data.data ?? data.result) : data;
  if (typeof text !== 'string') return { data: undefined, isCut: false };
  const [found] = /0x[0-9a-fA-F]*$/.exec(text) ?? [];
  const isCut = text.length >= MAX_MESSAGE_CHARS;
  const digits = found?.slice(0, found.length - (found.length % 2));
  return { data: parseHexData(digits), isCut: isCut && digits !== undefined };
}

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
const MAX_AUTHORIZATIONS = 20_000;

/**
 * The result of `eth_getTransactionByHash` (https://github.com/ethereum/execution-apis). Fields that an older node or
 * another chain lacks are undefined.
 *
 * @throws AppError `badResponse` for one of another hash, or without sender, value or input.
 */
function parseTransaction(result: unknown, hash: Hex): SentTransaction {
  const wire = requireRecord(result, 'eth_getTransactionByHash');
  const from = parseAddress(wire.from);
  const value = parseQuantity(wire.value);
  const input = parseHexData(wire.input ?? wire.data);
  if (parseHexData(wire.hash, 32) !== hash || !from || value === undefined || input === undefined) {
    throw new AppError('badResponse', 'The answer to eth_getTransactionByHash is not that transaction.');
  }
  const { authorizationList } = wire;
  const isList = Array.isArray(authorizationList) && authorizationList.length <= MAX_AUTHORIZATIONS;
  return {
    from,
    value,
    input,
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
 */
function parseReceipt(
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
    gasUsed,
    gasPrice,
    status: statusOf(wire.status),
    block,
    position: small(wire.transactionIndex),
    created: parseAddress(wire.contractAddress),
    fee: feeOf(wire, gasUsed === undefined || gasPrice === undefined ? undefined : gasUsed * gasPrice),
    logs: wire.logs === undefined || wire.logs === null ? undefined : parseLogs(wire.logs).logs,
  };
}

/** The result of `eth_getBlockByHash`; undefined where it is none of a block with this hash. */
function parseBlock(
  result: unknown,
  hash: Hex,
): { readonly block: bigint; readonly time: number | undefined } | undefined {
  if (!isRecord(result) || parseHexData(result.hash, 32) !== hash) return undefined;
  const block = blockNumber(result.number);
  return block === undefined ? undefined : { block, time: parseSeconds(result.timestamp) };
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
  return block === undefined || block > MAX_SAFE_BIGINT ? undefined : block;
}

function small(value: unknown): number | undefined {
  const number = parseQuantity(value);
  return number === undefined || number > 0xffff_ffffn ? undefined : Number(number);
}
