import { isAppError } from '../../base/errors.ts';
import { isMissingMethod } from '../../rpc/ethCall.ts';
import type { RpcCallOptions, RpcClient } from '../../rpc/rpcClient.ts';
import { readHeaderTimes } from '../../times/headerTimes.ts';
import { keepingAnswers } from '../../transactions/keptAnswers.ts';
import type { FoundByHash } from '../../transactions/transaction.ts';
import type { TransactionSource } from '../../transactions/transactionSource.ts';
import type { Hex } from '../../values/hex.ts';
import { type CallsOptions, callsLabel, createEndpointCalls } from './endpoint.ts';
import { replay } from './replay.ts';
import { readBlock, readReceipt, readTransaction } from './wireTransaction.ts';

const TRANSACTION = 'eth_getTransactionByHash';
const RECEIPT = 'eth_getTransactionReceipt';
const BLOCK = 'eth_getBlockByHash';
/** A header, and what a call returns: alike for both, so that they go together. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Stands for no transaction: what becomes of the question shows whether it may be asked. */
const NO_HASH: Hex = `0x${'0'.repeat(64)}`;

/**
 * Transactions by the methods of a node: transaction and receipt in one request where the server takes batches, then
 * what hangs on them in another: the time of the block, and of a failed one why. Asks at once whether the server has
 * the methods.
 *
 * @returns undefined where it has not.
 * @throws AppError of any network kind; `notServed` for the dataset of a portal.
 * @example
 * const source = await openTransactionCalls({ ...http, url, chainId, key: undefined, rateLimit, revoked });
 * await source?.lookUpHash(hash); // { kind: 'transaction', transaction: { status: 'success', … }, … }
 */
export async function openTransactionCalls(options: CallsOptions): Promise<TransactionSource | undefined> {
  const { url, clock, revoked } = options;
  const { call } = createEndpointCalls(options);
  const asked = await Promise.all([
    isOffered(call, TRANSACTION, { signal: revoked }),
    isOffered(call, RECEIPT, { signal: revoked }),
  ]);
  if (asked.includes(false)) return undefined;
  return keepingAnswers({ label: callsLabel(url), clock, revoked }, (hash, limits) =>
    lookUp(hash, { call, limits }),
  );
}

async function isOffered(call: RpcClient['call'], method: string, limits: RpcCallOptions): Promise<boolean> {
  try {
    await call(method, [NO_HASH], limits);
    return true;
  } catch (error) {
    if (!isAppError(error, 'rpc')) throw error;
    return !isMissingMethod(error);
  }
}

interface Asking {
  readonly call: RpcClient['call'];
  readonly limits: RpcCallOptions;
}

async function lookUp(hash: Hex, { call, limits }: Asking): Promise<FoundByHash> {
  const [sent, mined] = await Promise.all([
    orNothing(call(TRANSACTION, [hash], limits)),
    // Some refuse the receipt of what is pending.
    orNothing(call(RECEIPT, [hash], limits), isAnyRefusal),
  ]);
  if (sent === undefined || sent === null) return asBlock(hash, { call, limits });
  const wire = readTransaction(sent, hash);
  const receipt = readReceipt(mined, { hash, transaction: wire });
  const block = receipt?.block ?? wire.block;
  const asked = [TRANSACTION, RECEIPT, ...(block === undefined ? [] : ['eth_getBlockByNumber'])];
  const failed = receipt?.status === 'failed';
  const together = { ...limits, maxBytes: MOST_BYTES };
  const [times, failure] = await Promise.all([
    block === undefined ? undefined : readHeaderTimes(call, [block], together),
    failed ? replay({ ...wire, block }, { call, limits: together }) : undefined,
  ]);
  const { authorizationList, ...facts } = wire;
  return {
    kind: 'transaction',
    asked: failed ? [...asked, 'eth_call'] : asked,
    transaction: {
      ...facts,
      hash,
      status: receipt?.status ?? (block === undefined ? 'pending' : 'unknown'),
      block,
      position: receipt?.position ?? wire.position,
      time: block === undefined ? undefined : times?.get(block),
      created: receipt?.created,
      fee: receipt?.fee,
      gasUsed: receipt?.gasUsed,
      gasPrice: receipt?.gasPrice ?? wire.gasPrice,
      authorizations: authorizationList?.length,
      logs: receipt ? receipt.logs : block === undefined ? [] : undefined,
      isCut: false,
      failure,
    },
  };
}

async function asBlock(hash: Hex, { call, limits }: Asking): Promise<FoundByHash> {
  const asked = [TRANSACTION, BLOCK];
  const block = readBlock(await orNothing(call(BLOCK, [hash, false], limits), isAnyRefusal), hash);
  return block ? { kind: 'block', ...block, asked } : { kind: 'unknown', asked };
}

/** Some say that there is no such thing as an error. */
async function orNothing(answer: Promise<unknown>, isNothing = saysNotFound): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (isNothing(error)) return undefined;
    throw error;
  }
}

function saysNotFound(error: unknown): boolean {
  return isAppError(error, 'rpc') && /not found|unknown (?:transaction|hash)/i.test(error.message);
}

function isAnyRefusal(error: unknown): boolean {
  return isAppError(error, 'rpc');
}
