import { AppError, isAppError } from '../base/errors.ts';
import { isRecord, type PlainRecord } from '../base/values.ts';
import {
  type Address,
  type Hex,
  MAX_SAFE_BIGINT,
  parseAddress,
  parseHexData,
  parseQuantity,
  toQuantity,
} from '../eth/hex.ts';
import { parseSeconds } from '../eth/time.ts';
import { isMissingMethod } from '../rpc/ethCall.ts';
import type { RpcCallOptions, RpcClient } from '../rpc/rpcClient.ts';

/** The header of a block. A field that its node does not send is undefined. */
export interface BlockHeader {
  readonly number: bigint;
  readonly hash: Hex;
  readonly parentHash: Hex | undefined;
  /** In milliseconds since the Unix epoch. */
  readonly time: number | undefined;
  /** The miner, or the fee recipient of the proposer. */
  readonly miner: Address | undefined;
  readonly gasUsed: bigint | undefined;
  readonly gasLimit: bigint | undefined;
  /** In wei per gas. */
  readonly baseFee: bigint | undefined;
  /** In bytes. */
  readonly size: bigint | undefined;
  readonly transactionCount: number;
  /** Before Shanghai, and on chains without them, undefined. */
  readonly withdrawalCount: number | undefined;
}

export interface Block extends BlockHeader {
  /** The first {@link MAX_BLOCK_TRANSACTIONS}, by their index. */
  readonly transactions: readonly BlockTransaction[];
  /** The methods of the requests. */
  readonly methods: readonly string[];
}

/** A transaction in a block. If the block was too large, only its hash is known. */
export interface BlockTransaction {
  readonly hash: Hex;
  readonly call: BlockTransactionCall | undefined;
  /** Undefined if the endpoint does not send the receipts of a block at once. */
  readonly isFailed: boolean | undefined;
}

export interface BlockTransactionCall {
  readonly from: Address;
  /** Undefined for a contract creation. */
  readonly to: Address | undefined;
  /** In wei. */
  readonly value: bigint;
  readonly input: Hex;
}

export const MAX_BLOCK_TRANSACTIONS = 1_000;

/**
 * Fetches a block by its number or hash, with its transactions, and which of them failed if the endpoint has
 * `eth_getBlockReceipts`.
 *
 * @returns undefined if the endpoint does not have the block.
 * @throws AppError `notServed` if the endpoint has no blocks, `badResponse` for another block; any network kind.
 * @example await fetchBlock(call, 18_000_000n)
 */
export async function fetchBlock(
  call: RpcClient['call'],
  at: bigint | Hex,
  options: RpcCallOptions = {},
): Promise<Block | undefined> {
  const wire = await fetchWhole(call, at, options);
  if (!isRecord(wire)) return undefined;
  const header = parseHeader(wire, at);
  const listed = toArray(wire.transactions).slice(0, MAX_BLOCK_TRANSACTIONS);
  const failed = listed.length === 0 ? undefined : await fetchFailed(call, header, options);
  return {
    ...header,
    transactions: listed.flatMap((each) => parseTransaction(each, failed) ?? []),
    methods: [getMethod(at), ...(failed ? [RECEIPTS] : [])],
  };
}

/**
 * Fetches the header of a block by its number.
 *
 * @returns undefined if the endpoint does not have the block.
 * @throws AppError as {@link fetchBlock} does.
 */
export async function fetchBlockHeader(
  call: RpcClient['call'],
  number: bigint,
  options: RpcCallOptions = {},
): Promise<BlockHeader | undefined> {
  const wire = await send(call, number, { isWhole: false, options });
  return isRecord(wire) ? parseHeader(wire, number) : undefined;
}

const RECEIPTS = 'eth_getBlockReceipts';

function getMethod(at: bigint | Hex): string {
  return typeof at === 'bigint' ? 'eth_getBlockByNumber' : 'eth_getBlockByHash';
}

/** With the hashes of its transactions alone if the block is too large. */
async function fetchWhole(
  call: RpcClient['call'],
  at: bigint | Hex,
  options: RpcCallOptions,
): Promise<unknown> {
  try {
    return await send(call, at, { isWhole: true, options });
  } catch (error) {
    if (!isAppError(error, 'tooLarge')) throw error;
    return send(call, at, { isWhole: false, options });
  }
}

async function send(
  call: RpcClient['call'],
  at: bigint | Hex,
  { isWhole, options }: { readonly isWhole: boolean; readonly options: RpcCallOptions },
): Promise<unknown> {
  try {
    return await call(getMethod(at), [typeof at === 'bigint' ? toQuantity(at) : at, isWhole], options);
  } catch (error) {
    if (!isAppError(error, 'rpc')) throw error;
    if (isMissingMethod(error)) {
      throw new AppError('notServed', `The endpoint does not offer ${getMethod(at)}.`, { cause: error });
    }
    // Some servers return an error instead of null.
    if (NOT_FOUND.test(error.details.serverMessage ?? '')) return undefined;
    throw error;
  }
}

const NOT_FOUND = /not found|unknown block|out of range/i;

function parseHeader(wire: PlainRecord, at: bigint | Hex): BlockHeader {
  const number = parseQuantity(wire.number);
  const hash = parseHexData(wire.hash, 32);
  const isRequested = at === (typeof at === 'bigint' ? number : hash);
  if (number === undefined || number > MAX_SAFE_BIGINT || hash === undefined || !isRequested) {
    throw new AppError('badResponse', `The response to ${getMethod(at)} is not the requested block.`);
  }
  return {
    number,
    hash,
    parentHash: parseHexData(wire.parentHash, 32),
    time: parseSeconds(wire.timestamp),
    miner: parseAddress(wire.miner),
    gasUsed: parseQuantity(wire.gasUsed),
    gasLimit: parseQuantity(wire.gasLimit),
    baseFee: parseQuantity(wire.baseFeePerGas),
    size: parseQuantity(wire.size),
    transactionCount: toArray(wire.transactions).length,
    withdrawalCount: Array.isArray(wire.withdrawals) ? wire.withdrawals.length : undefined,
  };
}

function parseTransaction(
  wire: unknown,
  failed: ReadonlyMap<Hex, boolean> | undefined,
): BlockTransaction | undefined {
  const fields = isRecord(wire) ? wire : { hash: wire };
  const hash = parseHexData(fields.hash, 32);
  if (hash === undefined) return undefined;
  return { hash, call: parseCall(fields), isFailed: failed?.get(hash) };
}

function parseCall({ from: sender, ...fields }: PlainRecord) {
  const [from, to] = [parseAddress(sender), parseAddress(fields.to)];
  const [value, input] = [parseQuantity(fields.value), parseHexData(fields.input ?? fields.data)];
  if (from === undefined || value === undefined || input === undefined) return undefined;
  return { from, to, value, input };
}

/** Whether transactions failed, by their hash; undefined if the endpoint does not say. */
async function fetchFailed(
  call: RpcClient['call'],
  { number, transactionCount }: BlockHeader,
  options: RpcCallOptions,
): Promise<ReadonlyMap<Hex, boolean> | undefined> {
  try {
    const receipts = await call(RECEIPTS, [toQuantity(number)], options);
    if (!Array.isArray(receipts) || receipts.length !== transactionCount) return undefined;
    // Receipts have the order of the transactions, and later transactions are not listed.
    const listed = receipts.slice(0, MAX_BLOCK_TRANSACTIONS).filter(isRecord);
    return new Map(
      listed.flatMap(({ transactionHash, status }) => {
        const hash = parseHexData(transactionHash, 32);
        return hash === undefined ? [] : [[hash, parseQuantity(status) === 0n] as const];
      }),
    );
  } catch (error) {
    if (isAppError(error, 'aborted')) throw error;
    return undefined;
  }
}

function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
