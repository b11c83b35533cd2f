import { decode, from } from 'ox/AbiParameters';
import { AppError, isAppError } from '../base/errors.ts';
import { sanitizeName } from '../base/names.ts';
import { isRecord } from '../base/values.ts';
import { writeHex } from '../eth/bytes.ts';
import { type Address, type Hex, parseHexData, parseQuantity, toQuantity } from '../eth/hex.ts';
import { MAX_MESSAGE_CHARS } from '../http/response.ts';
import { type RpcCallOptions, type RpcClient, SHORT_RESPONSE } from './rpcClient.ts';

/** Calls contracts through one endpoint. It remembers whether the endpoint offers `eth_call`. */
export interface ContractCaller {
  /**
   * Calls `contract`.
   *
   * @param data function selector and ABI-encoded arguments.
   * @param options.block after which block; default: the latest.
   * @throws AppError of any network kind; `rpc` for a refusal other than a revert; `badResponse` for a result that is
   *   not data.
   */
  call(contract: Address, data: Hex, options?: StateOptions): Promise<CallResult>;
}

export interface StateOptions extends RpcCallOptions {
  /** The state after this block; default: after the latest. */
  readonly block?: bigint | undefined;
}

const toBlockTag = (block: bigint | undefined) => (block === undefined ? 'latest' : toQuantity(block));

/**
 * The result of a read-only call of a contract. `nothing`: the contract reverts, or returns no data, as an address
 * without code does. `notOffered`: the endpoint has no `eth_call`.
 */
export type CallResult =
  | { readonly state: 'returned'; readonly data: Hex }
  | { readonly state: 'nothing' | 'notOffered' };

/**
 * Blockscout offers `eth_call` only since v6.3, so the first calls go with a probe whose result is known. A chain may
 * lack the precompiled contract: if the probe returns nothing, or other data, only a call that returns different data
 * shows that the endpoint offers `eth_call`.
 *
 * @param send sends one call, or concurrent calls as one batch, as `createBatchedCall` does.
 * @example createContractCaller(createBatchedCall(createCallBatching(rpc, batches)))
 */
export function createContractCaller(send: RpcClient['call']): ContractCaller {
  let support: EthCallSupport | undefined;
  const probing = new Map<AbortSignal | undefined, Promise<EthCallSupport>>();

  function ethCall(to: Address, data: Hex, { block, ...options }: StateOptions = {}): Promise<unknown> {
    return send('eth_call', [{ to, data }, toBlockTag(block)], { ...SHORT_RESPONSE, ...options });
  }

  async function probe(options: RpcCallOptions | undefined): Promise<EthCallSupport> {
    try {
      const response = await ethCall(IDENTITY_PRECOMPILE, PROBE_DATA, options);
      if (response === PROBE_DATA) return 'offered';
      const unexpected = parseHexData(response);
      return unexpected === undefined ? 'missing' : { unexpected };
    } catch (error) {
      if (!isAppError(error, 'rpc')) throw error;
      return isMissingMethod(error) ? 'missing' : { unexpected: undefined };
    }
  }

  /** Probes once for all concurrent calls with the same signal, so that none outlives its own signal. */
  async function findSupport(options: RpcCallOptions | undefined): Promise<EthCallSupport> {
    const signal = options?.signal;
    const pending = probing.get(signal) ?? probe(options);
    probing.set(signal, pending);
    try {
      support = await pending;
      return support;
    } finally {
      probing.delete(signal);
    }
  }

  return {
    async call(contract, data, options) {
      if (support === 'missing') return { state: 'notOffered' };
      const { block: _, ...probeOptions } = options ?? {};
      const [response, probed] = await Promise.allSettled([
        ethCall(contract, data, options),
        support ?? findSupport(probeOptions),
      ]);
      if (probed.status === 'rejected') throw probed.reason;
      if (probed.value === 'missing') return { state: 'notOffered' };
      const result = await toCallResult(
        response.status === 'rejected' ? Promise.reject(response.reason) : Promise.resolve(response.value),
      );
      if (probed.value === 'offered') return result;
      return result.state === 'returned' && result.data !== probed.value.unexpected
        ? result
        : { state: 'notOffered' };
    },
  };
}

/** The precompiled contract of every EVM that returns its input. */
const IDENTITY_PRECOMPILE = '0x0000000000000000000000000000000000000004' as Address;
const PROBE_DATA = '0x43686169';

/** `unexpected`: the data that the probe returned in place of its input, if any. */
type EthCallSupport = 'offered' | 'missing' | { readonly unexpected: Hex | undefined };

/**
 * The result of an `eth_call` of an endpoint that offers it.
 *
 * @throws AppError as {@link ContractCaller.call} does.
 */
export async function toCallResult(response: Promise<unknown>): Promise<CallResult> {
  try {
    const result = parseHexData(await response);
    if (!result) throw new AppError('badResponse', 'The response to eth_call is not hex data.');
    return result === '0x' ? { state: 'nothing' } : { state: 'returned', data: result };
  } catch (error) {
    if (isAppError(error, 'rpc') && isRevert(error)) return { state: 'nothing' };
    throw error;
  }
}

/** JSON-RPC code -32601, or the message of servers that send none (Blockscout: `Action not found.`). */
export function isMissingMethod({ details }: AppError): boolean {
  const message = details.serverMessage ?? '';
  return (
    details.code === -32601 ||
    matchesInOrder(message, /\b(?:method|action)\b/i, /\bnot\b/i) ||
    (matchesInOrder(message, /\bnot\b/i, /\b(?:supported|available|allowed)\b/i) &&
      !PRUNED_STATE.test(message)) ||
    /unknown method/i.test(message)
  );
}

/** The state is missing, not the method: a pruned node lacks the state of old blocks (geth, erigon, reth). */
const PRUNED_STATE = /\b(?:state|trie|header|history|historical|archive|block(?! explorer))\b/i;

/** Whether `second` matches anywhere after `first`. Two searches, since one pattern of both would try every pair. */
function matchesInOrder(text: string, first: RegExp, second: RegExp): boolean {
  const at = text.search(first);
  return at >= 0 && second.test(text.slice(at));
}

/** Code 3 of geth and its relatives, or the message of other servers for a failed execution. */
export function isRevert({ details }: AppError): boolean {
  const message = details.serverMessage ?? '';
  return (
    details.code === 3 ||
    /revert|invalid opcode|invalid jump|out of gas|stack (?:over|under)flow|VM e/i.test(message)
  );
}

/**
 * Extracts the revert data from `data` of a node's error: hex (geth, anvil, reth), hex after a word
 * (`Reverted 0x…` of OpenEthereum and Nethermind), or an object that contains it (Hardhat). Long data is
 * truncated like a server's message.
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

const WORD_DIGITS = 64;

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
 * Text as `string`, or as the `bytes32` of tokens that are older than the standard; sanitized and bounded. Undefined for
 * text that looks like an address: it is the name or symbol of a token.
 *
 * @example decodeText('0x5553444300000000000000000000000000000000000000000000000000000000') // 'USDC'
 */
export function decodeText(data: Hex): string | undefined {
  const text = data.length === 2 + WORD_DIGITS ? readBytes32(data) : readString(data);
  return text === undefined ? undefined : sanitizeName(text);
}

/**
 * A `string` of up to `maxBytes` bytes, unsanitized: do not show it. Undefined for a longer one, for data that is not a
 * string, and for text that is not UTF-8.
 *
 * @example decodeLongText(`${toAbiWord(32n)}${toAbiWord(2n).slice(2)}6869`, 1024) // 'hi'
 */
export function decodeLongText(data: Hex, maxBytes: number): string | undefined {
  const start = Number(decodeUint(data) ?? Number.NaN);
  const length = readNumberAt(data, start);
  if (length === undefined || length > maxBytes) return undefined;
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

/** The word at a byte offset; undefined if a number cannot represent it exactly. */
function readNumberAt(data: Hex, bytes: number): number | undefined {
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
    return decode(STRING_PARAMETERS, data)[0];
  } catch {
    return undefined;
  }
}

const STRING_PARAMETERS = from('string');

/** Reads what is at addresses. Concurrent calls go in one batch. */
export interface ContractReader {
  /** Runtime code in lower case, `0x` for none. */
  code(address: Address): Promise<MethodResult<Hex>>;
  /** A storage slot as a 32-byte word; `notOffered` if the endpoint returns no value. */
  slot(address: Address, slot: Hex): Promise<MethodResult<Hex>>;
  /** As {@link ContractCaller.call}, but a refusal other than a revert is `notOffered`. */
  call(contract: Address, data: Hex): Promise<CallResult>;
  /** Any other method; the result is unvalidated. */
  method(name: string, params: readonly unknown[]): Promise<MethodResult<unknown>>;
}

interface BlockReader extends ContractReader {
  /** Why a method was not offered, if the endpoint lacks the state of the block. */
  historyError(method: string): AppError | undefined;
  /** Whether a slot was requested that the endpoint did not return. */
  lacksSlots(): boolean;
}

/** `notOffered`: the endpoint does not offer the method, or refuses this call. */
export type MethodResult<T> =
  | { readonly state: 'told'; readonly value: T }
  | { readonly state: 'notOffered' };

/**
 * Remembers which methods the endpoint does not offer, for all readers that the returned function creates.
 *
 * @param send sends concurrent calls as one batch, as `createBatchedCall` does.
 * @returns a function that creates a reader with the options of its calls. They throw AppError of any network kind but
 *   `rpc`, and `badResponse` for an invalid result.
 * @example
 * const { code, slot } = createContractReader(createBatchedCall(createCallBatching(rpc, batches)))({ signal });
 * await Promise.all([code(address), slot(address, '0x0')]); // one request
 */
export function createContractReader(send: RpcClient['call']): (options?: StateOptions) => BlockReader {
  const caller = createContractCaller(send);
  const missing = new Set<string>();
  return ({ block, ...options } = {}) => {
    const limits = { maxBytes: MAX_RESPONSE_BYTES, ...options };
    const tag = toBlockTag(block);
    const withoutHistory = new Map<string, AppError>();
    let lacksSlots = false;

    async function method(name: string, params: readonly unknown[]): Promise<MethodResult<unknown>> {
      if (missing.has(name)) return { state: 'notOffered' };
      try {
        return { state: 'told', value: await send(name, params, limits) };
      } catch (error) {
        if (isAppError(error, 'historyUnavailable')) withoutHistory.set(name, error);
        else if (!isAppError(error, 'rpc')) throw error;
        else if (isMissingMethod(error)) missing.add(name);
        return { state: 'notOffered' };
      }
    }

    async function read<T>(
      name: string,
      params: readonly unknown[],
      parse: (result: unknown) => T | undefined,
    ): Promise<MethodResult<T>> {
      const result = await method(name, params);
      if (result.state !== 'told') return result;
      const value = parse(result.value);
      if (value === undefined) throw new AppError('badResponse', `The response to ${name} is not hex data.`);
      return { state: 'told', value };
    }

    return {
      method,
      code: (address) => read('eth_getCode', [address, tag], (result) => parseHexData(result)),
      async slot(address, slot) {
        const result = await read('eth_getStorageAt', [address, slot, tag], parseStorageWord);
        if (result.state === 'told' && result.value !== '0x') return result;
        lacksSlots = true;
        return { state: 'notOffered' };
      },
      async call(contract, data) {
        try {
          return await caller.call(contract, data, { ...limits, block });
        } catch (error) {
          if (!isAppError(error, 'historyUnavailable', 'rpc')) throw error;
          return { state: 'notOffered' };
        }
      },
      historyError: (name) => withoutHistory.get(name),
      lacksSlots: () => lacksSlots,
    };
  };
}

/** The code of the largest contracts as hex, with everything else in the same batch. */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

/** Some servers omit leading zeros. Nodes return `0x` for an account that they do not have, not for a slot of zero. */
function parseStorageWord(result: unknown): Hex | undefined {
  if (result === '0x') return result;
  const value = parseQuantity(result);
  return value === undefined ? undefined : `0x${value.toString(16).padStart(64, '0')}`;
}

/** Calls `supportsInterface(bytes4)` of ERC-165. */
export const encodeSupportsInterface = (interfaceId: string): Hex =>
  `0x01ffc9a7${interfaceId.padEnd(64, '0')}`;

/**
 * Calls `chainsideUnknownFunction(uint256,uint256)`, which no contract has, so that one that returns a word would do so
 * for any call. With arguments, since some return the data of the call.
 */
export const UNKNOWN_CALL: Hex = `0x6fd58d36${'0'.repeat(2 * 64)}`;
