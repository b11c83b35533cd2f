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
  ZERO_ADDRESS,
} from '../../eth/hex.ts';
import { parseSeconds } from '../../eth/time.ts';
import { parseLogs } from '../../logs/engine/parseLogs.ts';
import { fetchHeaderTimes } from '../../rpc/blockTimes.ts';
import { isMissingMethod, isRevert, readRevertData } from '../../rpc/ethCall.ts';
import type { RpcCallOptions, RpcClient } from '../../rpc/rpcClient.ts';
import {
  CIP_66,
  createTransactionCache,
  type HashFacts,
  mayPayInToken,
  type RepeatedCall,
  type Transaction,
  type TransactionFailure,
  type TransactionFee,
  type TransactionLog,
  type TransactionProvider,
  type TransactionStatus,
  toCallObject,
} from '../../transactions/transaction.ts';

/**
 * Transactions by the methods of a node: transaction and receipt in one request if the server accepts
 * batches, then in another one the block time and, if the transaction failed, the reason. First checks
 * whether the server has the methods.
 *
 * @returns undefined if it does not.
 * @throws AppError of any network kind; `notServed` for the dataset of a portal.
 * @example
 * const provider = await openRpcTransactions({ ...http, url, chainId, key: undefined, throttle, revoked });
 * await provider?.lookUpHash(hash); // { kind: 'transaction', transaction: { status: 'success', … }, … }
 */
export async function openRpcTransactions(
  options: RpcProviderOptions,
): Promise<TransactionProvider | undefined> {
  const { url, clock, revoked } = options;
  const { call } = createBatchedEndpoint(options);
  const offered = await Promise.all([
    isOffered(call, TRANSACTION, { signal: revoked }),
    isOffered(call, RECEIPT, { signal: revoked }),
  ]);
  if (offered.includes(false)) return undefined;
  return createTransactionCache({ label: getRpcLabel(url), clock, revoked }, (hash, limits) =>
    lookUp(hash, { call, limits }),
  );
}

const TRANSACTION = 'eth_getTransactionByHash';
const RECEIPT = 'eth_getTransactionReceipt';
const BLOCK = 'eth_getBlockByHash';
/** The same limit for a header and for returned data, so that both go in one batch. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
/** No transaction has this hash: the result shows whether the method exists. */
const NO_HASH: Hex = `0x${'0'.repeat(64)}`;

async function isOffered(call: RpcClient['call'], method: string, limits: RpcCallOptions): Promise<boolean> {
  try {
    await call(method, [NO_HASH], limits);
    return true;
  } catch (error) {
    if (!isAppError(error, 'rpc')) throw error;
    return !isMissingMethod(error);
  }
}

interface CallContext {
  readonly call: RpcClient['call'];
  readonly limits: RpcCallOptions;
}

async function lookUp(hash: Hex, { call, limits }: CallContext): Promise<HashFacts> {
  const [transactionResult, receiptResult] = await Promise.all([
    orUndefined(call(TRANSACTION, [hash], limits)),
    // Some servers reject the receipt of a pending transaction.
    orUndefined(call(RECEIPT, [hash], limits), isRpcError),
  ]);
  if (transactionResult === undefined || transactionResult === null)
    return lookUpBlock(hash, { call, limits });
  const sent = parseTransaction(transactionResult, hash);
  const receipt = parseReceipt(receiptResult, { hash, transaction: sent });
  const block = receipt?.block ?? sent.block;
  const asked = [TRANSACTION, RECEIPT, ...(block === undefined ? [] : ['eth_getBlockByNumber'])];
  const failed = receipt?.status === 'failed';
  const batchLimits = { ...limits, maxBytes: MAX_RESPONSE_BYTES };
  const [times, failure] = await Promise.all([
    block === undefined ? undefined : fetchHeaderTimes(call, [block], batchLimits),
    failed ? replayTransaction({ ...sent, block }, { call, limits: batchLimits }) : undefined,
  ]);
  const { calls: _, feeToken: __, gatewayFee: ___, ...facts } = sent;
  return {
    kind: 'transaction',
    methods: failed ? [...asked, 'eth_call'] : asked,
    transaction: {
      ...facts,
      hash,
      status: receipt?.status ?? (block === undefined ? 'pending' : 'unknown'),
      block,
      position: receipt?.position ?? sent.position,
      time: block === undefined ? undefined : times?.get(block),
      created: receipt?.created,
      fee: receipt?.fee,
      gasUsed: receipt?.gasUsed,
      gasPrice: receipt?.gasPrice ?? sent.gasPrice,
      authorizations: sent.authorizationList?.length,
      logs: receipt ? receipt.logs : block === undefined ? [] : undefined,
      isCut: false,
      failure,
    },
  };
}

async function lookUpBlock(hash: Hex, { call, limits }: CallContext): Promise<HashFacts> {
  const asked = [TRANSACTION, BLOCK];
  const block = parseBlock(await orUndefined(call(BLOCK, [hash, false], limits), isRpcError), hash);
  return block ? { kind: 'block', ...block, methods: asked } : { kind: 'unknown', methods: asked };
}

/** Some servers return an error instead of null. */
async function orUndefined(result: Promise<unknown>, isMissing = isNotFoundError): Promise<unknown> {
  try {
    return await result;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isNotFoundError(error: unknown): boolean {
  return isAppError(error, 'rpc') && /not found|unknown (?:transaction|hash)/i.test(error.message);
}

function isRpcError(error: unknown): boolean {
  return isAppError(error, 'rpc');
}

type ReplayInput = RepeatedCall & Pick<SentTransaction, 'block' | 'calls'>;

const NOT_OFFERED: TransactionFailure = { state: 'notOffered' };

/**
 * Replays a failed transaction with `eth_call` on the state after the previous block, so without the earlier
 * transactions of its own block.
 *
 * @throws AppError `aborted` only: any other error is part of the result.
 */
async function replayTransaction(
  { block, calls, ...sent }: ReplayInput,
  { call, limits }: { readonly call: RpcClient['call']; readonly limits: RpcCallOptions },
): Promise<TransactionFailure> {
  if (block === undefined || block === 0n || calls > 1) return NOT_OFFERED;
  try {
    await call('eth_call', [toCallObject(sent), toQuantity(block - 1n)], limits);
    return { state: 'passed' };
  } catch (cause) {
    const error = asAppError(cause);
    if (error.kind === 'aborted') throw error;
    if (error.kind !== 'rpc') return { state: 'refused', message: error.message };
    if (isMissingMethod(error)) return NOT_OFFERED;
    const message = error.details.serverMessage ?? '';
    if (!isRevert(error)) return { state: 'refused', message };
    return { state: 'told', by: 'replay', message, ...readRevertData(error.details.data) };
  }
}

interface SentTransaction
  extends Pick<
    Transaction,
    | 'accessList'
    | 'authorizationList'
    | 'block'
    | 'from'
    | 'gasLimit'
    | 'gasPrice'
    | 'input'
    | 'nonce'
    | 'position'
    | 'to'
    | 'type'
    | 'value'
  > {
  /** Of Tempo, several; its facts are then those of no single call. */
  readonly calls: number;
  readonly feeToken: TransactionFee['token'] | undefined;
  /** Of Celo before it became a rollup, in the currency of the fee. */
  readonly gatewayFee: bigint | undefined;
}

interface Receipt extends Pick<Transaction, 'block' | 'created' | 'gasPrice' | 'gasUsed' | 'position'> {
  readonly status: TransactionStatus;
  readonly fee: TransactionFee;
  /** Undefined if the receipt has no list, not even an empty one. */
  readonly logs: readonly TransactionLog[] | undefined;
}

/** Authorizations, or accounts of an access list; the gas of a block suffices for about ten thousand. */
const MAX_LISTED = 20_000;

function readList(list: unknown): readonly unknown[] | undefined {
  return Array.isArray(list) && list.length <= MAX_LISTED ? list : undefined;
}

/**
 * Parses the result of `eth_getTransactionByHash` (https://github.com/ethereum/execution-apis). Fields that
 * an older node or another chain lacks are undefined.
 *
 * @throws AppError `badResponse` for another hash, or without sender, value or input.
 */
function parseTransaction(result: unknown, hash: Hex): SentTransaction {
  const wire = requireRecord(result, 'eth_getTransactionByHash');
  const from = parseAddress(wire.from);
  const calls = (Array.isArray(wire.calls) && wire.input === undefined ? wire.calls : [wire]).map(parseCall);
  const [first, ...others] = calls.filter((one) => one !== undefined);
  if (parseHexData(wire.hash, 32) !== hash || !from || !first || others.length + 1 < calls.length) {
    throw new AppError(
      'badResponse',
      'The response to eth_getTransactionByHash is not the requested transaction.',
    );
  }
  return {
    from,
    ...(others.length === 0 ? first : { to: undefined, input: '0x' }),
    value: others.reduce((sum, { value }) => sum + value, first.value),
    calls: calls.length,
    block: parseBlockNumber(wire.blockNumber),
    position: parseUint32(wire.transactionIndex),
    gasLimit: parseQuantity(wire.gas),
    gasPrice: parseQuantity(wire.gasPrice),
    nonce: parseQuantity(wire.nonce),
    type: parseUint32(wire.type),
    accessList: readList(wire.accessList),
    authorizationList: readList(wire.authorizationList),
    feeToken: readFeeCurrency(wire),
    gatewayFee: parseQuantity(wire.gatewayFee),
  };
}

/** The call of a transaction, or one in the `calls` of Tempo's type 0x76. */
function parseCall(wire: unknown): Pick<SentTransaction, 'input' | 'to' | 'value'> | undefined {
  if (!isRecord(wire)) return undefined;
  const value = parseQuantity(wire.value);
  const input = parseHexData(wire.input ?? wire.data);
  return value === undefined || input === undefined ? undefined : { to: parseAddress(wire.to), value, input };
}

/**
 * The token that pays the fee on Celo: in CIP-64 and CIP-42, and before 2024 also in legacy transactions. `null` is the
 * coin. A server that knows only Ethereum leaves the field out.
 * https://docs.celo.org/what-is-celo/using-celo/protocol/transaction/transaction-types
 */
function readFeeCurrency({ feeCurrency, type }: PlainRecord): TransactionFee['token'] | undefined {
  const token = parseAddress(feeCurrency);
  if (token !== undefined && token !== ZERO_ADDRESS) return token;
  const mayBeToken = feeCurrency === undefined && mayPayInToken(parseUint32(type));
  return mayBeToken ? 'unknown' : undefined;
}

/**
 * Parses the result of `eth_getTransactionReceipt`; undefined while the transaction is pending.
 *
 * @throws AppError `badResponse` for another transaction, `badLogs` for malformed logs, `tooLarge`.
 */
function parseReceipt(
  result: unknown,
  {
    hash,
    transaction,
  }: {
    readonly hash: Hex;
    readonly transaction: Pick<SentTransaction, 'feeToken' | 'gasPrice' | 'gatewayFee' | 'type'>;
  },
): Receipt | undefined {
  if (result === undefined || result === null) return undefined;
  const wire = requireRecord(result, 'eth_getTransactionReceipt');
  if (parseHexData(wire.transactionHash, 32) !== hash) {
    throw new AppError(
      'badResponse',
      'The response to eth_getTransactionReceipt is for another transaction.',
    );
  }
  const block = parseBlockNumber(wire.blockNumber);
  // Blockscout returns an empty receipt for a pending transaction.
  if (block === undefined) return undefined;
  const gasUsed = parseQuantity(wire.gasUsed);
  // Receipts before London have no price: the offered price was paid.
  const gasPrice =
    parseQuantity(wire.effectiveGasPrice) ?? ((transaction.type ?? 0) < 2 ? transaction.gasPrice : undefined);
  return {
    gasUsed,
    gasPrice,
    status: toStatus(wire.status),
    block,
    position: parseUint32(wire.transactionIndex),
    created: parseAddress(wire.contractAddress),
    fee: toFee(
      wire,
      gasUsed === undefined || gasPrice === undefined ? undefined : gasUsed * gasPrice,
      transaction,
    ),
    logs: wire.logs === undefined || wire.logs === null ? undefined : parseLogs(wire.logs).logs,
  };
}

/** Parses the result of `eth_getBlockByHash`; undefined if it is not the block with this hash. */
function parseBlock(
  result: unknown,
  hash: Hex,
): { readonly block: bigint; readonly time: number | undefined } | undefined {
  if (!isRecord(result) || parseHexData(result.hash, 32) !== hash) return undefined;
  const block = parseBlockNumber(result.number);
  return block === undefined ? undefined : { block, time: parseSeconds(result.timestamp) };
}

/** Receipts before Byzantium have a state root instead of a status. */
function toStatus(status: unknown): TransactionStatus {
  const value = parseQuantity(status);
  return value === 1n ? 'success' : value === 0n ? 'failed' : 'unknown';
}

/**
 * `l1Fee` is charged by OP Stack rollups and Scroll on top of the gas; Arbitrum includes it in the gas. With
 * an operator fee, whose formula differs by fork, the total is unknown.
 */
function toFee(
  wire: PlainRecord,
  execution: bigint | undefined,
  { feeToken, gatewayFee = 0n, type }: Pick<SentTransaction, 'feeToken' | 'gatewayFee' | 'type'>,
): TransactionFee {
  const l1 = parseQuantity(wire.l1Fee);
  const [blobGas, blobPrice] = [parseQuantity(wire.blobGasUsed), parseQuantity(wire.blobGasPrice)];
  const blobs = blobGas === undefined || blobPrice === undefined ? undefined : blobGas * blobPrice;
  const hasOperator = [wire.operatorFeeScalar, wire.operatorFeeConstant].some(
    (part) => (parseQuantity(part) ?? 0n) > 0n,
  );
  const ofTempo = parseAddress(wire.feeToken);
  if (ofTempo !== undefined) {
    const amount = execution && toTempoAmount(execution);
    return { token: ofTempo, total: amount, execution: amount, l1: undefined, blobs: undefined };
  }
  // CIP-66 converts a price in the coin at a rate that is in no receipt.
  if (feeToken === 'unknown' || (feeToken !== undefined && type === CIP_66)) {
    return { token: feeToken, total: undefined, execution: undefined, l1: undefined, blobs: undefined };
  }
  if (feeToken !== undefined) {
    const isOnlyPart = execution === undefined || (l1 ?? 0n) > 0n || hasOperator;
    const total = isOnlyPart ? undefined : execution + gatewayFee;
    return { token: feeToken, total, execution, l1, blobs: undefined };
  }
  const total =
    execution === undefined || hasOperator ? undefined : execution + gatewayFee + (l1 ?? 0n) + (blobs ?? 0n);
  return { total, execution, l1, blobs };
}

/** Prices are in USD per 10^18 gas, tokens have 6 decimals: https://docs.tempo.xyz/docs/protocol/fees/spec-fee */
function toTempoAmount(execution: bigint): bigint {
  const perUnit = 10n ** 12n;
  return (execution + perUnit - 1n) / perUnit;
}

function requireRecord(result: unknown, method: string): PlainRecord {
  if (isRecord(result)) return result;
  throw new AppError('badResponse', `The response to ${method} is not an object.`);
}

function parseBlockNumber(value: unknown): bigint | undefined {
  const block = parseQuantity(value);
  return block === undefined || block > MAX_SAFE_BIGINT ? undefined : block;
}

function parseUint32(value: unknown): number | undefined {
  const number = parseQuantity(value);
  return number === undefined || number > 0xffff_ffffn ? undefined : Number(number);
}
