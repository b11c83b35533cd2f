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

/** What the answer to the probe shows: `odd` is what came in place of the data, if anything did. */
type Offer = 'offered' | 'missing' | { readonly odd: Hex | undefined };

/**
 * Blockscout offers `eth_call` since v6.3 only, so beside the first calls the endpoint is asked for an answer that is
 * known. A chain may lack the contract that gives it: where another answer comes, or nothing, neither says anything of
 * other contracts, but data that is not the same does.
 *
 * @param send sends one call, or what is asked at the same time together as `gatherCalls` does.
 * @example createContractCaller(gatherCalls(createCallsTogether(rpc, batches)))
 */
export function createContractCaller(send: RpcClient['call']): ContractCaller {
  let offer: Offer | undefined;
  const probing = new Map<AbortSignal | undefined, Promise<Offer>>();

  function ask(to: Address, data: Hex, options: RpcCallOptions | undefined): Promise<unknown> {
    return send('eth_call', [{ to, data }, 'latest'], { ...SHORT_ANSWER, ...options });
  }

  async function probe(options: RpcCallOptions | undefined): Promise<Offer> {
    try {
      const answer = await ask(IDENTITY, PROBE_DATA, options);
      if (answer === PROBE_DATA) return 'offered';
      const odd = parseHexData(answer);
      return odd === undefined ? 'missing' : { odd };
    } catch (error) {
      if (!isAppError(error, 'rpc')) throw error;
      return isMissingMethod(error) ? 'missing' : { odd: undefined };
    }
  }

  /** Asks once for all who ask together: of those, none outlives its own signal. */
  async function findOffer(options: RpcCallOptions | undefined): Promise<Offer> {
    const signal = options?.signal;
    const known = probing.get(signal) ?? probe(options);
    probing.set(signal, known);
    try {
      offer = await known;
      return offer;
    } finally {
      probing.delete(signal);
    }
  }

  return {
    async call(contract, data, options) {
      if (offer === 'missing') return { state: 'notOffered' };
      const [answer, tried] = await Promise.allSettled([
        ask(contract, data, options),
        offer ?? findOffer(options),
      ]);
      if (tried.status === 'rejected') throw tried.reason;
      if (tried.value === 'missing') return { state: 'notOffered' };
      const read = await readCall(
        answer.status === 'rejected' ? Promise.reject(answer.reason) : Promise.resolve(answer.value),
      );
      if (tried.value === 'offered') return read;
      return read.state === 'returned' && read.data !== tried.value.odd ? read : { state: 'notOffered' };
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

/** What is missing is then what was asked about: a pruned node has no state of that block (geth, erigon, reth). */
const OLD_STATE = /\b(?:state|trie|header|history|historical|archive|block(?! explorer))\b/i;

/** Code -32601 of JSON-RPC, or the words of servers that send none (Blockscout: `Action not found.`). */
export function isMissingMethod({ details }: AppError): boolean {
  const words = details.serverMessage ?? '';
  return (
    details.code === -32601 ||
    haveInOrder(words, /\b(?:method|action)\b/i, /\bnot\b/i) ||
    (haveInOrder(words, /\bnot\b/i, /\b(?:supported|available|allowed)\b/i) && !OLD_STATE.test(words)) ||
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
