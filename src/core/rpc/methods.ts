import { AppError, isAppError } from '../base/errors.ts';
import { isRecord } from '../base/values.ts';
import {
  type Address,
  type Hex,
  MAX_SAFE_BIGINT,
  parseHexData,
  parseQuantity,
  toQuantity,
} from '../eth/hex.ts';
import { type RpcCallOptions, type RpcClient, SHORT_RESPONSE } from './rpcClient.ts';

/** A native balance: `unknown` means that the explorer has none on record for the address, which is not zero. */
export type NativeBalance = { readonly state: 'known'; readonly wei: bigint } | { readonly state: 'unknown' };

/**
 * Number of the newest block that the endpoint knows. An explorer's is its newest indexed block.
 *
 * @throws AppError `badResponse` when the answer is no quantity or over 2^53 - 1, which no chain reaches and to which
 *   block numbers are exact here; and as {@link RpcClient.call} does.
 */
export async function getBlockNumber(rpc: RpcClient, options?: RpcCallOptions): Promise<bigint> {
  return parseBlockNumber(await rpc.call(BLOCK_NUMBER_METHOD, [], { ...SHORT_RESPONSE, ...options }));
}

/** The JSON-RPC method of {@link getBlockNumber}. */
export const BLOCK_NUMBER_METHOD = 'eth_blockNumber';

/**
 * The block in an answer to {@link BLOCK_NUMBER_METHOD}.
 *
 * @throws AppError `badResponse` as {@link getBlockNumber} does.
 * @example parseBlockNumber('0x12b') // 299n
 */
export function parseBlockNumber(result: unknown): bigint {
  const block = requireQuantity(BLOCK_NUMBER_METHOD, result);
  if (block <= MAX_SAFE_BIGINT) return block;
  throw new AppError(
    'badResponse',
    `The answer to ${BLOCK_NUMBER_METHOD} is higher than a block number can be.`,
  );
}

/**
 * Native balance at the latest block, in wei. Blockscout answers `Balance not found` (a bare string up to v11,
 * code -32602 from v12) for an address it has no record of; that is `unknown`.
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

/**
 * The hash of a block of the chain by `eth_getBlockByNumber`; undefined where the endpoint does not have the block, or does
 * not tell.
 *
 * @throws AppError of any network kind.
 */
export async function getBlockHash(
  rpc: Pick<RpcClient, 'call'>,
  block: bigint,
  options?: RpcCallOptions,
): Promise<Hex | undefined> {
  try {
    const header = await rpc.call('eth_getBlockByNumber', [toQuantity(block), false], options);
    const { hash, number } = isRecord(header) ? header : {};
    return parseQuantity(number) === block ? parseHexData(hash, 32) : undefined;
  } catch (error) {
    if (isAppError(error, 'rpc')) return undefined;
    throw error;
  }
}

/**
 * Chain id of the endpoint by `eth_chainId`, which explorers offer since Blockscout v6.3 only;
 * undefined where the method is not offered.
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
    throw new AppError('badResponse', `The answer to ${method} is not a quantity.`);
  }
  return value;
}
