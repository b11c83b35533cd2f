import type { Clock } from '../../base/clock.ts';
import { isAppError } from '../../base/errors.ts';
import { decimal } from '../../base/ownText.ts';
import { createMessage } from '../../base/text.ts';
import { isRecord, pushAll } from '../../base/values.ts';
import { type Hex, parseHexData, toQuantity } from '../../eth/hex.ts';
import { isMissingMethod } from '../../rpc/ethCall.ts';
import type { RpcCallOptions, RpcClient } from '../../rpc/rpcClient.ts';
import { type HeaderResult, type ProvenHeader, readHeader } from './blockHeader.ts';

/** Fetches what a proof needs of blocks, unproven. Every method throws network errors as `RpcClient` does. */
export interface ProofReader {
  /** The header of a block by number or hash, with the hash of its fields. */
  fetchHeader(at: bigint | Hex): Promise<HeaderResult>;
  /** The receipts of a block; undefined if the server does not return them. */
  fetchReceipts(header: Pick<ProvenHeader, 'hash' | 'number'>): Promise<readonly unknown[] | undefined>;
  /** The transactions of a block; undefined if the server does not return them. */
  fetchTransactions(header: ProvenHeader): Promise<readonly unknown[] | undefined>;
}

/** A batch of full blocks, or of their receipts; a few run at once. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_VALUES = 1_000_000;
/** Receipts that are requested one by one go out in batches of this many. */
const RECEIPTS_PER_BATCH = 50;
/** A transaction takes at least 21,000 gas, so that no block of 200 million gas has as many. */
const MAX_SINGLE_RECEIPTS = 10_000;

/** Waits after a response that is null, one for each retry. */
export const NULL_BACKOFF_MS: readonly number[] = [0, 250, 500, 1000];

/**
 * Blocks that a lagging replica has not seen are requested again.
 *
 * @param call sends concurrent calls as one batch, as `createBatchedCall` does.
 */
export function createProofReader(
  call: RpcClient['call'],
  { clock, signal }: Pick<RpcCallOptions, 'signal'> & { readonly clock: Clock },
): ProofReader {
  const options: RpcCallOptions = { signal, maxBytes: MAX_BYTES, json: { maxValues: MAX_VALUES } };
  let last: Promise<unknown> = Promise.resolve();
  let hasBlockReceipts = true;

  /** Methods whose result stayed null, as for a block that a node has pruned. */
  const nullMethods = new Set<string>();

  async function callInBatch(method: string, params: readonly unknown[]): Promise<unknown> {
    for (const ms of NULL_BACKOFF_MS) {
      const result = await callOnce(method, params);
      if (result !== null || nullMethods.has(method)) return result;
      if (ms > 0) await clock.sleep(ms, { signal });
    }
    const result = await callOnce(method, params);
    if (result === null) nullMethods.add(method);
    return result;
  }

  /** The calls of a batch that is too large go out again, one after the other. */
  async function callOnce(method: string, params: readonly unknown[]): Promise<unknown> {
    try {
      return await call(method, params, options);
    } catch (error) {
      if (!isAppError(error, 'tooLarge')) throw error;
      const result = last.then(() => call(method, params, options));
      last = result.catch(() => undefined);
      return result;
    }
  }

  async function fetchBlockReceipts({
    number,
  }: Pick<ProvenHeader, 'number'>): Promise<readonly unknown[] | undefined> {
    if (!hasBlockReceipts) return undefined;
    try {
      const receipts = await callInBatch('eth_getBlockReceipts', [toQuantity(number)]);
      return Array.isArray(receipts) ? receipts : undefined;
    } catch (error) {
      if (!isAppError(error, 'rpc', 'notServed')) throw error;
      if (isMissingMethod(error)) hasBlockReceipts = false;
      return undefined;
    }
  }

  async function fetchEachReceipt(
    header: Pick<ProvenHeader, 'hash'>,
  ): Promise<readonly unknown[] | undefined> {
    const hashes = (await fetchTransactions(header, false))?.map((hash) => parseHexData(hash, 32));
    const isUsable = hashes && hashes.length <= MAX_SINGLE_RECEIPTS;
    if (!isUsable || !hashes.every((hash) => hash !== undefined)) return undefined;
    const receipts: unknown[] = [];
    for (let at = 0; at < hashes.length; at += RECEIPTS_PER_BATCH) {
      const some = hashes.slice(at, at + RECEIPTS_PER_BATCH);
      pushAll(
        receipts,
        await Promise.all(some.map((hash) => callInBatch('eth_getTransactionReceipt', [hash]))),
      );
    }
    return receipts.every(isRecord) ? receipts : undefined;
  }

  async function fetchTransactions(
    { hash }: Pick<ProvenHeader, 'hash'>,
    isWhole: boolean,
  ): Promise<readonly unknown[] | undefined> {
    const block = await callInBatch('eth_getBlockByHash', [hash, isWhole]);
    return isRecord(block) && Array.isArray(block.transactions) ? block.transactions : undefined;
  }

  return {
    async fetchHeader(at) {
      const isNumber = typeof at === 'bigint';
      const wire = await callInBatch(isNumber ? 'eth_getBlockByNumber' : 'eth_getBlockByHash', [
        isNumber ? toQuantity(at) : at,
        false,
      ]);
      const result = readHeader(wire, String(at));
      if (!result.header || at === (isNumber ? result.header.number : result.header.hash)) return result;
      const missing = createMessage(
        'The endpoint returned another block than {0}.',
        typeof at === 'bigint' ? decimal(at) : at,
      );
      return { missing, isAltered: !isNumber };
    },
    fetchReceipts: async (header) =>
      (await fetchBlockReceipts(header)) ?? ignoreRefusal(() => fetchEachReceipt(header)),
    fetchTransactions: (header) => ignoreRefusal(() => fetchTransactions(header, true)),
  };
}

/** Undefined if the server refuses a call. */
async function ignoreRefusal<T>(fetch: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await fetch();
  } catch (error) {
    if (isAppError(error, 'rpc', 'notServed')) return undefined;
    throw error;
  }
}
