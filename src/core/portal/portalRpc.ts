import { AppError, asAppError } from '../base/errors.ts';
import { BLOCK_NUMBER } from '../rpc/methods.ts';
import type { RpcCallOptions, RpcClient } from '../rpc/rpcClient.ts';
import { parseQuantity, toQuantity } from '../values/hex.ts';
import type { PortalClient } from './portal.ts';

/**
 * The few JSON-RPC methods to which a portal knows the answer, asked in its own way: the latest block, the chain id
 * where it tells that, and what stands in the header of a block.
 *
 * @param url of the dataset.
 * @returns a client that throws AppError `notServed` for every other method.
 */
export function createPortalRpc(portal: PortalClient, url: string): RpcClient {
  async function call(
    method: string,
    params: readonly unknown[],
    options?: RpcCallOptions,
  ): Promise<unknown> {
    switch (method) {
      case BLOCK_NUMBER:
        return toQuantity((await portal.head(options)).number);
      case 'eth_chainId': {
        const { chainId } = await portal.metadata(options);
        if (chainId === undefined) throw notServed(method);
        return toQuantity(chainId);
      }
      case 'eth_getBlockByNumber': {
        const number = parseQuantity(params[0]);
        if (number === undefined || params[1] !== false) throw notServed(method);
        return header(number, options);
      }
      default:
        throw notServed(method);
    }
  }

  /** Null for a block that the portal does not have, as a node answers. */
  async function header(number: bigint, options?: RpcCallOptions) {
    const answer = await portal.stream({ fromBlock: number, toBlock: number, logs: [] }, options);
    const block = answer.state === 'blocks' ? answer.blocks[0] : undefined;
    if (block?.number !== number) return null;
    const { hash, parentHash, timestamp } = block;
    const time = timestamp === undefined ? {} : { timestamp: toQuantity(timestamp) };
    return { number: toQuantity(number), hash, ...(parentHash && { parentHash }), ...time };
  }

  return {
    url,
    call,
    callBatch: (calls, options) =>
      Promise.all(
        calls.map(async ({ method, params }) => {
          try {
            return { result: await call(method, params, options) };
          } catch (cause) {
            const error = asAppError(cause);
            if (error.kind === 'rpc' || error.kind === 'notServed') return { refusal: error };
            throw error;
          }
        }),
      ),
  };
}

function notServed(method: string): AppError {
  const why = 'An SQD Portal has logs and block headers, no balances and no calls: ask a node or an explorer';
  return new AppError('notServed', `${why} (${method}).`);
}
