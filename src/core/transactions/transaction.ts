import { asAppError, withProvider } from '../base/errors.ts';
import { createExpiringCache } from '../base/expiringCache.ts';
import type { FetchOptions, Offers, Provenance, ProviderLabel } from '../base/provenance.ts';
import type { Address, Hex } from '../eth/hex.ts';
import type { HttpDeps } from '../http/exchange.ts';

/** `unknown`: in a block of before receipts had a status, or dropped, or the source does not tell. */
export type TransactionStatus = 'success' | 'failed' | 'pending' | 'unknown';

/** What the sender paid, in wei. A part that the source does not tell of is undefined, which is not zero. */
export interface TransactionFee {
  /** All of it; undefined where a part is not known. */
  readonly total: bigint | undefined;
  /** Gas used times the effective price of gas. */
  readonly execution: bigint | undefined;
  /** What a rollup charges for its data on the chain below; undefined where receipts have no such part. */
  readonly l1: bigint | undefined;
  /** What blobs cost (EIP-4844). */
  readonly blobs: bigint | undefined;
}

/** One log of a transaction. */
export interface TransactionLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  /** Position in the block. */
  readonly logIndex: number;
}

/**
 * Why a transaction failed.
 *
 * - `told`: what it ended with. `replay`: by `eth_call` of the same transaction on the state after the block before, so
 *   that what came before it in its own block is left out; `explorer`: as the explorer has recorded it.
 * - `passed`: the same call does not fail on that state.
 * - `refused`: the server does not run it, mostly as it no longer has the state.
 * - `notOffered`: nobody can be asked.
 */
export type TransactionFailure =
  | {
      readonly state: 'told';
      readonly by: 'replay' | 'explorer';
      /** What was returned; undefined where only words are known, `0x` where nothing was. */
      readonly data: Hex | undefined;
      /** Whether only the beginning of `data` is known. */
      readonly isCut: boolean;
      /** The server's own. */
      readonly words: string | undefined;
    }
  | { readonly state: 'passed' | 'notOffered' }
  | { readonly state: 'refused'; readonly words: string };

/** A transaction as one source tells of it. What it does not tell is undefined. */
export interface Transaction {
  readonly hash: Hex;
  readonly status: TransactionStatus;
  /** Undefined where it is in none, as while it is pending. */
  readonly block: bigint | undefined;
  /** In the block. */
  readonly position: number | undefined;
  /** Of the block, in milliseconds since the Unix epoch. */
  readonly time: number | undefined;
  readonly from: Address;
  /** Undefined where it creates a contract. */
  readonly to: Address | undefined;
  /** The contract that it created itself; where it failed, would have. Those made inside of it are not told. */
  readonly created: Address | undefined;
  /** In wei. */
  readonly value: bigint;
  /** Undefined before it is in a block. */
  readonly fee: TransactionFee | undefined;
  readonly gasUsed: bigint | undefined;
  readonly gasLimit: bigint | undefined;
  /** Wei for one gas, as it was paid. */
  readonly gasPrice: bigint | undefined;
  readonly nonce: bigint | undefined;
  /** As in EIP-2718: 0 legacy, 1 access list, 2 fee market, 3 blobs, 4 set code. */
  readonly type: number | undefined;
  /** How many authorisations of EIP-7702 it carries. */
  readonly authorizations: number | undefined;
  readonly input: Hex;
  readonly logs: readonly TransactionLog[] | undefined;
  /** Whether there are more logs than are given. */
  readonly isCut: boolean;
  /** Undefined where it has not failed. */
  readonly failure: TransactionFailure | undefined;
}

/** What a source knows by a hash, and what it was asked for that: methods or routes. */
export type HashResult = Provenance & { readonly asked: readonly string[] } & (
    | { readonly kind: 'transaction'; readonly transaction: Transaction }
    | {
        readonly kind: 'block';
        readonly block: bigint;
        /** In milliseconds since the Unix epoch. */
        readonly time: number | undefined;
      }
    | { readonly kind: 'unknown' }
  );

/** What a source found, without whose it is and of when. */
export type FoundByHash = HashResult extends infer Answer
  ? Answer extends Provenance
    ? Omit<Answer, keyof Provenance>
    : never
  : never;

/** The questions of {@link TransactionProvider}. */
export type TransactionMethod = 'lookUpHash';

/**
 * Who tells what a hash of 32 bytes is on one chain. Many who ask the same at once cost one request; an answer may be
 * one kept from a moment ago, and says so.
 *
 * @throws AppError of any network kind; `notServed` where the server does not offer it; `aborted`.
 */
export interface TransactionProvider {
  readonly label: ProviderLabel;
  readonly offers: Offers<TransactionMethod>;
  /** The transaction with this hash; or else the block. */
  lookUpHash(hash: Hex, options?: FetchOptions): Promise<HashResult>;
}

/** About a block of most chains: a pending transaction is soon mined, and a new block may go away again. */
const CACHE_TTL_MS = 15_000;
const MAX_CACHE_ENTRIES = 50;

/**
 * A source that keeps what it was told for a moment, and says whose it is and of when.
 *
 * @param find asks the server; `signal` also aborts when the source is dropped.
 * @example createTransactionCache({ label, clock, revoked }, (hash, { signal }) => ask(hash, signal))
 */
export function createTransactionCache(
  {
    label,
    clock,
    revoked,
  }: Pick<HttpDeps, 'clock'> & { readonly label: ProviderLabel; readonly revoked: AbortSignal },
  find: (hash: Hex, options: { readonly signal: AbortSignal }) => Promise<FoundByHash>,
): TransactionProvider {
  const cache = createExpiringCache<HashResult>({
    clock,
    ttlMs: CACHE_TTL_MS,
    maxEntries: MAX_CACHE_ENTRIES,
  });
  return {
    label,
    offers: { lookUpHash: 'free' },
    lookUpHash: (hash, asked) =>
      cache.get(
        hash,
        async (signal) => {
          try {
            const found = await find(hash, { signal: AbortSignal.any([signal, revoked]) });
            return { ...found, source: label, readAt: clock.now() };
          } catch (error) {
            throw withProvider(asAppError(error), label);
          }
        },
        asked,
      ),
  };
}
