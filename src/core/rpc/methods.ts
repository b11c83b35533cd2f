import { AppError, isAppError } from '../base/errors.ts';
import { isRecord } from '../base/values.ts';
import {
  type Address,
  type Hex,
  MAX_SAFE_BIGINT,
  parseAddress,
  parseHexData,
  parseQuantity,
  toQuantity,
} from '../eth/hex.ts';
import { isBlockMissing } from './callAtBlock.ts';
import { type RpcCallOptions, type RpcClient, SHORT_RESPONSE } from './rpcClient.ts';

/**
 * The newest block of the endpoint; of an explorer, the newest indexed one.
 *
 * @throws AppError `badResponse` if the result is not a quantity, or over 2^53 - 1: no chain reaches that, and larger
 *   numbers are not exact; and as {@link RpcClient.call} does.
 */
export async function getBlockNumber(rpc: RpcClient, options?: RpcCallOptions): Promise<bigint> {
  return parseBlockNumber(await rpc.call(BLOCK_NUMBER_METHOD, [], { ...SHORT_RESPONSE, ...options }));
}

/**
 * The block in a result of {@link BLOCK_NUMBER_METHOD}.
 *
 * @throws AppError `badResponse` as {@link getBlockNumber} does.
 * @example parseBlockNumber('0x12b') // 299n
 */
export function parseBlockNumber(result: unknown): bigint {
  const block = parseDecimal(result) ?? requireQuantity(BLOCK_NUMBER_METHOD, result);
  if (block <= MAX_SAFE_BIGINT) return block;
  throw new AppError(
    'badResponse',
    `The response to ${BLOCK_NUMBER_METHOD} is too large for a block number.`,
  );
}

/** Whether a quantity is decimal text, as some gateways write it. Bare hex with these digits looks the same. */
export const isDecimalText = (result: unknown): boolean =>
  typeof result === 'string' && /^\d{1,20}$/.test(result);

/** Some gateways send the number as JSON, or as decimal text. */
function parseDecimal(result: unknown): bigint | undefined {
  const isDecimal = isDecimalText(result) || Number.isSafeInteger(result);
  return isDecimal && Number(result) >= 0 ? BigInt(result as string | number) : undefined;
}

/**
 * Whether the node has blocks still to come from its peers, by `eth_syncing`.
 *
 * @returns false if it does not say so.
 * @throws AppError as {@link RpcClient.call} does, except `rpc`.
 */
export async function isSyncing(rpc: RpcClient, options?: RpcCallOptions): Promise<boolean> {
  try {
    const result = await rpc.call('eth_syncing', [], { ...SHORT_RESPONSE, ...options });
    return isRecord(result) || result === true;
  } catch (error) {
    if (!isAppError(error, 'rpc', 'notServed', 'badResponse')) throw error;
    return false;
  }
}

export const BLOCK_NUMBER_METHOD = 'eth_blockNumber';

/** What a receipt says of the contract that its transaction created. */
export interface CreationReceipt {
  readonly block: bigint;
  /** Undefined if the transaction had a recipient, which may have created contracts. */
  readonly contract: Address | undefined;
  readonly isFailed: boolean;
}

/**
 * Fetches the receipt of a transaction.
 *
 * @returns undefined if the endpoint does not know the transaction, or it is pending. A node may know recent ones only.
 * @throws AppError `badResponse` if the receipt has no block; and as {@link RpcClient.call} does.
 */
export async function getCreationReceipt(
  rpc: Pick<RpcClient, 'call'>,
  transaction: Hex,
  options?: RpcCallOptions,
): Promise<CreationReceipt | undefined> {
  const method = 'eth_getTransactionReceipt';
  const receipt = await rpc.call(method, [transaction], options);
  if (!isRecord(receipt)) return undefined;
  return {
    block: requireQuantity(method, receipt.blockNumber),
    contract: parseAddress(receipt.contractAddress),
    isFailed: parseQuantity(receipt.status) === 0n,
  };
}

/**
 * The native balance at the latest block, in wei. For an address without a record, Blockscout responds `Balance not
 * found` (a bare string up to v11, code -32602 since v12); that is `unknown`.
 *
 * @throws AppError as {@link getBlockNumber} does.
 */
export async function getBalance(
  rpc: Pick<RpcClient, 'call'>,
  address: Address,
  options?: RpcCallOptions,
): Promise<NativeBalance> {
  try {
    const params = [address, 'latest'];
    const result = await rpc.call('eth_getBalance', params, { ...SHORT_RESPONSE, ...options });
    return { state: 'known', wei: requireQuantity('eth_getBalance', result) };
  } catch (error) {
    if (isAppError(error, 'rpc') && /^balance not found\b/i.test(error.details.serverMessage ?? '')) {
      return { state: 'unknown' };
    }
    throw error;
  }
}

/** `unknown`: the explorer has no balance on record for the address, which is not zero. */
export type NativeBalance = { readonly state: 'known'; readonly wei: bigint } | { readonly state: 'unknown' };

/**
 * The hash of a block by `eth_getBlockByNumber`; null if the endpoint does not have the block, undefined if it refuses.
 *
 * @throws AppError of any network kind.
 */
export async function getBlockHash(
  rpc: Pick<RpcClient, 'call'>,
  block: bigint,
  options?: RpcCallOptions,
): Promise<Hex | null | undefined> {
  try {
    const header = await rpc.call('eth_getBlockByNumber', [toQuantity(block), false], options);
    if (header === null) return null;
    const { hash, number } = isRecord(header) ? header : {};
    return parseQuantity(number) === block ? parseHexData(hash, 32) : undefined;
  } catch (error) {
    if (isAppError(error, 'rpc')) return isBlockMissing(error) ? null : undefined;
    throw error;
  }
}

/**
 * The number of the block with a tag, by `eth_getBlockByNumber`; undefined if the endpoint does not know the tag.
 *
 * @throws AppError of any network kind but `rpc`.
 */
export async function getTaggedBlock(
  rpc: Pick<RpcClient, 'call'>,
  tag: 'finalized' | 'safe',
  options?: RpcCallOptions,
): Promise<bigint | undefined> {
  try {
    const header = await rpc.call('eth_getBlockByNumber', [tag, false], options);
    return isRecord(header) ? parseQuantity(header.number) : undefined;
  } catch (error) {
    if (isAppError(error, 'rpc')) return undefined;
    throw error;
  }
}

/**
 * The chain ID of the endpoint by `eth_chainId`, which explorers offer only since Blockscout v6.3; undefined if it is
 * not offered.
 */
export async function getChainId(rpc: RpcClient, options?: RpcCallOptions): Promise<number | undefined> {
  try {
    const method = 'eth_chainId';
    const id = requireQuantity(method, await rpc.call(method, [], { ...SHORT_RESPONSE, ...options }));
    return id <= MAX_SAFE_BIGINT ? Number(id) : undefined;
  } catch (error) {
    if (isAppError(error, 'rpc', 'badResponse', 'notServed')) return undefined;
    throw error;
  }
}

function requireQuantity(method: string, result: unknown): bigint {
  const value = parseQuantity(result);
  if (value === undefined || typeof result !== 'string') {
    throw new AppError('badResponse', `The response to ${method} is not a quantity.`);
  }
  return value;
}
