import { decode, from } from 'ox/AbiParameters';
import { AppError, isAppError } from '../base/errors.ts';
import { sanitizeText } from '../base/text.ts';
import { writeHex } from '../eth/bytes.ts';
import { type Address, type Hex, parseHexData, parseQuantity } from '../eth/hex.ts';
import { type RpcCallOptions, type RpcClient, SHORT_RESPONSE } from './rpcClient.ts';

/**
 * What a read-only call of a contract gives. `nothing`: the contract reverts, or answers with no data, as an address
 * without code does. `notOffered`: the endpoint has no `eth_call`.
 */
export type CallResult =
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
  call(contract: Address, data: Hex, options?: RpcCallOptions): Promise<CallResult>;
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
 * @param send sends one call, or what is asked at the same time together as `createBatchedCall` does.
 * @example createContractCaller(createBatchedCall(createCallBatching(rpc, toBatches)))
 */
export function createContractCaller(send: RpcClient['call']): ContractCaller {
  let offer: Offer | undefined;
  const probing = new Map<AbortSignal | undefined, Promise<Offer>>();

  function ask(to: Address, data: Hex, options: RpcCallOptions | undefined): Promise<unknown> {
    return send('eth_call', [{ to, data }, 'latest'], { ...SHORT_RESPONSE, ...options });
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
      const read = await toCallResult(
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
export async function toCallResult(answer: Promise<unknown>): Promise<CallResult> {
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

const WORD_DIGITS = 64;
const STRING_RESULT = from('string');

/**
 * The first word of a result as a uint256; undefined for a shorter result.
 *
 * @example decodeUint(toAbiWord(6n)) // 6n
 */
export function decodeUint(data: Hex): bigint | undefined {
  return data.length >= 2 + WORD_DIGITS ? BigInt(data.slice(0, 2 + WORD_DIGITS)) : undefined;
}

/**
 * A result of exactly one word that is 1 or 0; undefined otherwise.
 *
 * @example decodeBool(toAbiWord(1n)) // true
 */
export function decodeBool(data: Hex): boolean | undefined {
  const value = data.length === 2 + WORD_DIGITS ? decodeUint(data) : undefined;
  return value === undefined || value > 1n ? undefined : value === 1n;
}

/**
 * Text as `string`, or as the `bytes32` of tokens from before the standard was settled; plain and bounded.
 *
 * @example decodeText('0x5553444300000000000000000000000000000000000000000000000000000000') // 'USDC'
 */
export function decodeText(data: Hex): string | undefined {
  const text = data.length === 2 + WORD_DIGITS ? readBytes32(data) : readString(data);
  return text === undefined ? undefined : sanitizeText(text) || undefined;
}

/**
 * A `string` as it stands, however long up to `most` bytes; not fit to be shown. Undefined for a longer one, for what is
 * no string, and for what is not UTF-8.
 *
 * @example decodeLongText(`${toAbiWord(32n)}${toAbiWord(2n).slice(2)}6869`, 1024) // 'hi'
 */
export function decodeLongText(data: Hex, most: number): string | undefined {
  const start = Number(decodeUint(data) ?? Number.NaN);
  const length = wordAt(data, start);
  if (length === undefined || length > most) return undefined;
  const from = 2 + 2 * start + WORD_DIGITS;
  const digits = data.slice(from, from + 2 * length);
  if (digits.length < 2 * length) return undefined;
  const bytes = new Uint8Array(length);
  writeHex(`0x${digits}`, bytes, 0);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The word at so many bytes, as far as a number is exact. */
function wordAt(data: Hex, bytes: number): number | undefined {
  const from = 2 + 2 * bytes;
  if (!Number.isSafeInteger(from) || data.length < from + WORD_DIGITS) return undefined;
  const value = Number(BigInt(`0x${data.slice(from, from + WORD_DIGITS)}`));
  return Number.isSafeInteger(value) ? value : undefined;
}

function readBytes32(data: Hex): string {
  const bytes = new Uint8Array(WORD_DIGITS / 2);
  writeHex(data, bytes, 0);
  const end = bytes.findLastIndex((byte) => byte !== 0) + 1;
  return new TextDecoder().decode(bytes.subarray(0, end));
}

function readString(data: Hex): string | undefined {
  try {
    return decode(STRING_RESULT, data)[0];
  } catch {
    return undefined;
  }
}

/** Code of the largest contracts of the field, as hex, with all else that goes in the same batch. */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

/** What one method gives: `notOffered` where the endpoint does not have it, or refuses this question. */
export type MethodResult<T> =
  | { readonly state: 'told'; readonly value: T }
  | { readonly state: 'notOffered' };

/** Reads what is at addresses; what is asked at the same time goes together. */
export interface ContractReader {
  /** Runtime code in lower case, `0x` for none. */
  code(address: Address): Promise<MethodResult<Hex>>;
  /** A slot of storage as a word. */
  slot(address: Address, slot: Hex): Promise<MethodResult<Hex>>;
  /** As `call` of a `ContractCaller`, but a refusal that is no revert is `notOffered`. */
  call(contract: Address, data: Hex): Promise<CallResult>;
  /** Any other method, its answer unread. */
  method(name: string, params: readonly unknown[]): Promise<MethodResult<unknown>>;
}

/**
 * Begins questions with the options of one look; what it learns about the endpoint lives as long as the function.
 *
 * @param send sends what is asked at the same time together, as `createBatchedCall` does.
 * @returns a function whose questions throw AppError of any network kind but `rpc`, and `badResponse` for what is no
 *   answer to them.
 * @example
 * const { code, slot } = createContractReader(createBatchedCall(createCallBatching(rpc, toBatches)))({ signal });
 * await Promise.all([code(address), slot(address, '0x0')]); // one request
 */
export function createContractReader(send: RpcClient['call']): (options?: RpcCallOptions) => ContractReader {
  const caller = createContractCaller(send);
  const missing = new Set<string>();
  return (options) => {
    const limits = { maxBytes: MAX_RESPONSE_BYTES, ...options };

    async function method(name: string, params: readonly unknown[]): Promise<MethodResult<unknown>> {
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
    ): Promise<MethodResult<T>> {
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
