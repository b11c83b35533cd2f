import { AppError, createError, isAppError } from '../base/errors.ts';
import { decimal } from '../base/ownText.ts';
import { createMessage, foreign } from '../base/text.ts';
import { isRecord } from '../base/values.ts';
import { type Address, type Hex, parseHexData, toQuantity } from '../eth/hex.ts';
import { isMissingMethod, isRevert, readRevertData } from './ethCall.ts';
import type { RpcCallOptions, RpcClient } from './rpcClient.ts';

/** A read-only call of a contract in the state after a block. */
export interface BlockCall {
  readonly to: Address;
  /** Function selector and ABI-encoded arguments. */
  readonly data: Hex;
  readonly block: bigint;
  /** The sender; undefined for none. It needs no coins. */
  readonly from?: Address | undefined;
}

/**
 * Calls a contract with `eth_call`.
 *
 * @param call sends concurrent calls as one batch, as `createBatchedCall` does.
 * @returns the returned data in lower case; `0x` of a contract that returns nothing.
 * @throws AppError `reverted` with the revert data in `data` if the node sends it, `notAContract` if there is no code at
 *   that block, `historyUnavailable` if the node no longer has its state, `notServed` without `eth_call`; any network
 *   kind.
 */
export async function callAtBlock(
  call: RpcClient['call'],
  { to, data, block, from }: BlockCall,
  options?: RpcCallOptions,
): Promise<Hex> {
  const tag = toQuantity(block);
  const result = await send(call, 'eth_call', [{ ...(from && { from }), to, data }, tag], options);
  if (result === '0x') await requireCode(call, { to, block }, options);
  return result;
}

/**
 * Makes sure that there is code at an address in a block, as far as the endpoint says.
 *
 * @throws AppError `notAContract` and `historyUnavailable` as {@link callAtBlock} does; any network kind.
 */
export async function requireCode(
  call: RpcClient['call'],
  { to, block }: Pick<BlockCall, 'block' | 'to'>,
  options?: RpcCallOptions,
): Promise<void> {
  const code = await getCode(call, { to, block }, options).catch((error: unknown) => {
    if (isAppError(error, 'notServed')) return undefined;
    throw error;
  });
  if (code === '0x') {
    throw createError(
      'notAContract',
      createMessage('There is no contract at {0} in block {1}.', to, decimal(block)),
    );
  }
}

/**
 * The code of an address in the state after a block.
 *
 * @returns code in lower case; `0x` if there is none.
 * @throws AppError `historyUnavailable` and `notServed` as {@link callAtBlock} does; any network kind.
 */
export function getCode(
  call: RpcClient['call'],
  { to, block }: Pick<BlockCall, 'block' | 'to'>,
  options?: RpcCallOptions,
): Promise<Hex> {
  return send(call, 'eth_getCode', [to, toQuantity(block)], {
    maxBytes: MAX_CODE_RESPONSE_BYTES,
    ...options,
  });
}

async function send(
  call: RpcClient['call'],
  method: 'eth_call' | 'eth_getCode',
  params: readonly unknown[],
  options: RpcCallOptions | undefined,
): Promise<Hex> {
  try {
    const result = parseHexData(await call(method, params, { maxBytes: MAX_RESPONSE_BYTES, ...options }));
    if (result !== undefined) return result;
  } catch (error) {
    throw isAppError(error, 'rpc') ? toCallError(error, method) : error;
  }
  throw new AppError('badResponse', `The response to ${method} is not hex data.`);
}

const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
/** Ethereum allows 24 KiB, some chains more. Hashing this takes 40 milliseconds. */
const MAX_CODE_BYTES = 512 * 1024;
/** Two digits a byte, and what is around them. */
const MAX_CODE_RESPONSE_BYTES = 2 * MAX_CODE_BYTES + 64 * 1024;

function toCallError(error: AppError, method: string): AppError {
  const details = { ...error.details, cause: error };
  if (isCallReverted(error)) {
    const { data, isCut } = readRevertData(error.details.data);
    // Of data that the client has cut, only the selector can be decoded.
    const whole = isCut ? (data?.slice(0, 10) as Hex) : data;
    return createError('reverted', createMessage('The call reverted.'), { ...details, data: whole });
  }
  if (isStateUnavailable(error)) return historyUnavailable(error);
  return isMissingMethod(error)
    ? createError('notServed', createMessage('The endpoint does not offer {0}.', foreign(method)), details)
    : error;
}

/** Whether a call reverted, and did not fail for a reason of the node that stands in `data`. */
export function isCallReverted(error: AppError): boolean {
  const { code, data, serverMessage = '' } = error.details;
  const reason = code === REVERT_CODE || /revert/i.test(serverMessage) ? '' : readReason(data);
  return isRevert(error) && !STATE_UNAVAILABLE.some((pattern) => pattern.test(reason));
}

const REVERT_CODE = 3;

/** The error of a node that lacks the state of an old block. */
export function historyUnavailable(cause: AppError | undefined): AppError {
  return createError(
    'historyUnavailable',
    createMessage(
      'The node no longer has the state of this block. Most nodes keep that of the last 128 blocks only. Choose a later block, or an archive node.',
    ),
    cause && { ...cause.details, cause },
  );
}

/**
 * Whether a node refused because it lacks the state of an old block, by its message or its `data`: geth, erigon, reth, nethermind, besu,
 * anvil, and clients of other chains.
 *
 * @example isStateUnavailable(new AppError('rpc', '', { serverMessage: 'missing trie node ab12' })) // true
 */
export function isStateUnavailable({ details }: AppError): boolean {
  const texts = [details.serverMessage ?? '', readReason(details.data)];
  return (
    details.code === 4444 ||
    STATE_UNAVAILABLE.some((pattern) => texts.some((text) => pattern.test(text))) ||
    isBlockMissing({ details })
  );
}

/**
 * Whether a node refused because it does not have the block: a replica that is behind has not seen it yet, and a node
 * may have pruned it.
 *
 * @example isBlockMissing(new AppError('rpc', '', { serverMessage: 'header not found' })) // true
 */
export function isBlockMissing({ details }: Pick<AppError, 'details'>): boolean {
  const texts = [details.serverMessage ?? '', readReason(details.data)];
  return BLOCK_MISSING.some((pattern) => texts.some((text) => pattern.test(text)));
}

/** Clients of other chains have the reason in `data`: as a text, or in an object. Revert data is none. */
function readReason(data: unknown): string {
  if (typeof data === 'string') return /0x[0-9a-f]{8}/i.test(data) ? '' : data;
  if (!isRecord(data)) return '';
  return Object.values(data)
    .filter((value) => typeof value === 'string' && !/0x[0-9a-f]{8}/i.test(value))
    .join(' ');
}

const BLOCK_MISSING: readonly RegExp[] = [
  /header (?:for hash )?not found/i,
  /unknown block/i,
  /block .{0,80}not found/i,
  /could not find block/i,
  /beyond (?:the )?(?:current )?head/i,
];

const STATE_UNAVAILABLE: readonly RegExp[] = [
  /prun(?:ed|ing)/i,
  /trie ?node/i,
  /purged for block/i,
  /historical (?:state|data|backend)/i,
  /required history/i,
  /state histories/i,
  /state (?:at|for|of) (?:block|height|slot)/i,
  /state already discarded/i,
  /state (?:unavailable|not (?:available|found))/i,
  /state .{0,120}is not available/i,
  /no state (?:available|found)/i,
  /lowest height is/i,
  /too old$/i,
  /version does not exist/i,
  /does not exist on height/i,
  /maximum proof window/i,
  /no historical rpc/i,
  /blockoutofrange/i,
  /resource not found/i,
  /archiv(?:e|al)/i,
];
