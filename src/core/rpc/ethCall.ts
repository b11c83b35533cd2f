import { AppError, isAppError } from '../base/errors.ts';
import type { Address } from '../values/address.ts';
import { type Hex, parseHexData } from '../values/hex.ts';
import { type RpcCallOptions, type RpcClient, SHORT_ANSWER } from './rpcClient.ts';

/**
 * What a read-only call of a contract gives. `nothing`: the contract reverts, or answers with no data, as an address
 * without code does. `notOffered`: the endpoint has no `eth_call`.
 */
export type CallAnswer =
  | { readonly state: 'returned'; readonly data: Hex }
  | { readonly state: 'nothing' | 'notOffered' };

/** Reads contracts through one endpoint. What it learns about the endpoint lives as long as the reader. */
export interface ContractCaller {
  /**
   * Calls `contract` at the latest block.
   *
   * @param data function selector and ABI-encoded arguments.
   * @throws AppError of any network kind; `rpc` for a refusal that is no revert; `badResponse` for what is not data.
   */
  call(contract: Address, data: Hex, options?: RpcCallOptions): Promise<CallAnswer>;
}

/** The precompiled contract of every EVM that returns its input. */
const IDENTITY = '0x0000000000000000000000000000000000000004' as Address;
const PROBE_DATA = '0x43686169';

/**
 * Blockscout offers `eth_call` since v6.3 only, so beside the first calls the endpoint is asked for an answer that is
 * known. An endpoint that answers otherwise cannot be trusted with those that are not.
 *
 * @param send sends one call, or what is asked at the same time together as `gatherCalls` does.
 * @example createContractCaller(gatherCalls(createCallsTogether(rpc, batches)))
 */
export function createContractCaller(send: RpcClient['call']): ContractCaller {
  let offered: boolean | undefined;
  const probing = new Map<AbortSignal | undefined, Promise<boolean>>();

  function ask(to: Address, data: Hex, options: RpcCallOptions | undefined): Promise<unknown> {
    return send('eth_call', [{ to, data }, 'latest'], { ...SHORT_ANSWER, ...options });
  }

  async function probe(options: RpcCallOptions | undefined): Promise<boolean> {
    try {
      return (await ask(IDENTITY, PROBE_DATA, options)) === PROBE_DATA;
    } catch (error) {
      if (isAppError(error, 'rpc') && isMissingMethod(error)) return false;
      throw error;
    }
  }

  /** Asks once for all who ask together: of those, none outlives its own signal. */
  async function isOffered(options: RpcCallOptions | undefined): Promise<boolean> {
    const signal = options?.signal;
    const known = probing.get(signal) ?? probe(options);
    probing.set(signal, known);
    try {
      offered = await known;
      return offered;
    } finally {
      probing.delete(signal);
    }
  }

  return {
    async call(contract, data, options) {
      if (offered === false) return { state: 'notOffered' };
      const can = offered ?? isOffered(options);
      const [answer, tried] = await Promise.allSettled([ask(contract, data, options), can]);
      if (tried.status === 'rejected') throw tried.reason;
      if (!tried.value) return { state: 'notOffered' };
      return readCall(
        answer.status === 'rejected' ? Promise.reject(answer.reason) : Promise.resolve(answer.value),
      );
    },
  };
}

/**
 * What the answer to an `eth_call` comes to, of an endpoint that offers it.
 *
 * @throws AppError as {@link ContractCaller.call} does.
 */
export async function readCall(answer: Promise<unknown>): Promise<CallAnswer> {
  try {
    const result = parseHexData(await answer);
    if (!result) throw new AppError('badResponse', 'The answer to eth_call is not hex data.');
    return result === '0x' ? { state: 'nothing' } : { state: 'returned', data: result };
  } catch (error) {
    if (isAppError(error, 'rpc') && isRevert(error)) return { state: 'nothing' };
    throw error;
  }
}

/** Code -32601 of JSON-RPC, or the words of servers that send none (Blockscout: `Action not found.`). */
export function isMissingMethod({ details }: AppError): boolean {
  const words = details.serverMessage ?? '';
  return (
    details.code === -32601 ||
    haveInOrder(words, /\b(?:method|action)\b/i, /\bnot\b/i) ||
    haveInOrder(words, /\bnot\b/i, /\b(?:supported|available|allowed)\b/i) ||
    /unknown method/i.test(words)
  );
}

/** Whether `second` is found anywhere behind `first`. Two searches, as one pattern of both would try every pair. */
function haveInOrder(words: string, first: RegExp, second: RegExp): boolean {
  const at = words.search(first);
  return at >= 0 && second.test(words.slice(at));
}

/** Code 3 of geth and its kin, or the words of the others for an execution that came to no good end. */
export function isRevert({ details }: AppError): boolean {
  const words = details.serverMessage ?? '';
  return (
    details.code === 3 ||
    /revert|invalid opcode|invalid jump|out of gas|stack (?:over|under)flow|VM e/i.test(words)
  );
}
