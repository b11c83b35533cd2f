import { AppError, isAppError } from '../base/errors.ts';
import type { Address } from '../values/address.ts';
import { type Hex, parseHexData, parseQuantity } from '../values/hex.ts';
import { type CallAnswer, createContractCaller, isMissingMethod } from './ethCall.ts';
import type { RpcCallOptions, RpcClient } from './rpcClient.ts';

/** Code of the largest contracts of the field, as hex, with all else that goes in the same batch. */
const MOST_BYTES = 4 * 1024 * 1024;

/** What one method gives: `notOffered` where the endpoint does not have it, or refuses this question. */
export type Asked<T> = { readonly state: 'told'; readonly value: T } | { readonly state: 'notOffered' };

/** Reads what is at addresses; what is asked at the same time goes together. */
export interface ContractAsker {
  /** Runtime code in lower case, `0x` for none. */
  code(address: Address): Promise<Asked<Hex>>;
  /** A slot of storage as a word. */
  slot(address: Address, slot: Hex): Promise<Asked<Hex>>;
  /** As `call` of a `ContractCaller`, but a refusal that is no revert is `notOffered`. */
  call(contract: Address, data: Hex): Promise<CallAnswer>;
  /** Any other method, its answer unread. */
  method(name: string, params: readonly unknown[]): Promise<Asked<unknown>>;
}

/**
 * Begins questions with the options of one look; what it learns about the endpoint lives as long as the function.
 *
 * @param send sends what is asked at the same time together, as `gatherCalls` does.
 * @returns a function whose questions throw AppError of any network kind but `rpc`, and `badResponse` for what is no
 *   answer to them.
 * @example
 * const { code, slot } = createContractAsker(gatherCalls(createCallsTogether(rpc, batches)))({ signal });
 * await Promise.all([code(address), slot(address, '0x0')]); // one request
 */
export function createContractAsker(send: RpcClient['call']): (options?: RpcCallOptions) => ContractAsker {
  const caller = createContractCaller(send);
  const missing = new Set<string>();
  return (options) => {
    const limits = { maxBytes: MOST_BYTES, ...options };

    async function method(name: string, params: readonly unknown[]): Promise<Asked<unknown>> {
      if (missing.has(name)) return { state: 'notOffered' };
      try {
        return { state: 'told', value: await send(name, params, limits) };
      } catch (error) {
        if (!isAppError(error, 'rpc')) throw error;
        if (isMissingMethod(error)) missing.add(name);
        return { state: 'notOffered' };
      }
    }

    async function read<T>(
      name: string,
      params: readonly unknown[],
      parse: (result: unknown) => T | undefined,
    ): Promise<Asked<T>> {
      const answer = await method(name, params);
      if (answer.state !== 'told') return answer;
      const value = parse(answer.value);
      if (value === undefined) throw new AppError('badResponse', `The answer to ${name} is not hex data.`);
      return { state: 'told', value };
    }

    return {
      method,
      code: (address) => read('eth_getCode', [address, 'latest'], (result) => parseHexData(result)),
      slot: (address, slot) => read('eth_getStorageAt', [address, slot, 'latest'], storageWord),
      async call(contract, data) {
        try {
          return await caller.call(contract, data, limits);
        } catch (error) {
          if (!isAppError(error, 'rpc')) throw error;
          return { state: 'notOffered' };
        }
      },
    };
  };
}

/** Some servers leave out zeros in front, and write nothing for zero. */
function storageWord(result: unknown): Hex | undefined {
  const value = result === '0x' ? 0n : parseQuantity(result);
  return value === undefined ? undefined : `0x${value.toString(16).padStart(64, '0')}`;
}
