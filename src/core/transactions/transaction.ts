import { asAppError, withProvider } from '../base/errors.ts';
import { createExpiringCache } from '../base/expiringCache.ts';
import type { FetchOptions, Offers, Provenance, ProviderLabel } from '../base/provenance.ts';
import { type Address, type Hex, toQuantity } from '../eth/hex.ts';
import type { HttpDeps } from '../http/exchange.ts';

/** A transaction as one provider reports it. A value that it does not report is undefined. */
export interface Transaction {
  readonly hash: Hex;
  readonly status: TransactionStatus;
  /** Undefined if it is in no block, as while it is pending. */
  readonly block: bigint | undefined;
  /** The transaction index in the block. */
  readonly position: number | undefined;
  /** Block time in milliseconds since the Unix epoch. */
  readonly time: number | undefined;
  readonly from: Address;
  /** Undefined for a contract creation, and for several calls (Tempo), whose `input` is empty. */
  readonly to: Address | undefined;
  /**
   * The contract that it created directly, or would have created if it failed. Contracts created by inner
   * calls are not listed.
   */
  readonly created: Address | undefined;
  /** In wei. */
  readonly value: bigint;
  /** Undefined while it is pending. */
  readonly fee: TransactionFee | undefined;
  readonly gasUsed: bigint | undefined;
  readonly gasLimit: bigint | undefined;
  /** The effective price per gas, in wei; of a fee that is paid in a token, in the unit that its chain uses. */
  readonly gasPrice: bigint | undefined;
  readonly nonce: bigint | undefined;
  /** EIP-2718: 0 legacy, 1 access list, 2 fee market, 3 blobs, 4 set code. */
  readonly type: number | undefined;
  readonly authorizations: number | undefined;
  /** Unparsed, to be repeated unchanged; undefined if the provider does not report it. */
  readonly accessList?: readonly unknown[] | undefined;
  /** As `accessList`. */
  readonly authorizationList?: readonly unknown[] | undefined;
  readonly input: Hex;
  readonly logs: readonly TransactionLog[] | undefined;
  /** Whether `logs` is truncated. */
  readonly isCut: boolean;
  readonly failure: TransactionFailure | undefined;
}

/** What a provider knows about a hash, and the methods or routes of the lookup. */
export type HashResult = Provenance & { readonly methods: readonly string[] } & (
    | { readonly kind: 'transaction'; readonly transaction: Transaction }
    | {
        readonly kind: 'block';
        readonly block: bigint;
        /** In milliseconds since the Unix epoch. */
        readonly time: number | undefined;
      }
    | { readonly kind: 'unknown' }
  );

/** `unknown`: from before receipts had a status, or dropped, or not reported. */
export type TransactionStatus = 'success' | 'failed' | 'pending' | 'unknown';

/** What the sender paid, in the smallest unit. An unreported part is undefined, which is not zero. */
export interface TransactionFee {
  /** The token that it was paid in, or `unknown` if it may be one; absent for the chain's own coin. */
  readonly token?: Address | 'unknown';
  /** Undefined if a part is unknown. */
  readonly total: bigint | undefined;
  /** Gas used times the effective gas price. */
  readonly execution: bigint | undefined;
  /** What a rollup charges for its data on L1; undefined if its receipts do not report it. */
  readonly l1: bigint | undefined;
  /** Blob gas (EIP-4844). */
  readonly blobs: bigint | undefined;
}

/** Types of Celo whose fee may be paid in a token; the price of CIP-66 is in the coin, of the others in the token. */
export const CIP_66 = 0x7a;
/** Of Tempo, which has no coin. */
const TEMPO = 0x76;
const TOKEN_FEE_TYPES: readonly (number | undefined)[] = [CIP_66, 0x7b, 0x7c, TEMPO];

/**
 * Whether transactions of a type may pay their fee in a token.
 *
 * @example mayPayInToken(2) // false
 */
export function mayPayInToken(type: number | undefined): boolean {
  return TOKEN_FEE_TYPES.includes(type);
}

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
 * - `told`: how it ended. `replay`: by `eth_call` of the same transaction on the state after the previous
 *   block, without the earlier transactions of its own block; `explorer`: as the explorer has recorded it.
 * - `passed`: the same call does not fail on that state.
 * - `refused`: the server does not run the call, mostly because it no longer has the state.
 * - `notOffered`: no server can run the call.
 */
export type TransactionFailure =
  | {
      readonly state: 'told';
      readonly by: 'replay' | 'explorer';
      /** The revert data; undefined if only a message is known, `0x` if nothing was returned. */
      readonly data: Hex | undefined;
      /** Whether `data` is truncated. */
      readonly isCut: boolean;
      readonly message: string | undefined;
    }
  | { readonly state: 'passed' | 'notOffered' }
  | { readonly state: 'refused'; readonly message: string };

/** A result without the provider and the time, which {@link createTransactionCache} adds. */
export type HashFacts = HashResult extends infer Result
  ? Result extends Provenance
    ? Omit<Result, keyof Provenance>
    : never
  : never;

export type TransactionMethod = 'lookUpHash';

/**
 * Looks up 32-byte hashes on one chain. Concurrent equal calls share one request; a result may come from a
 * short-lived cache and carries its time.
 *
 * Every method throws AppError of any network kind; `notServed` if the server does not support the lookup;
 * `aborted`.
 */
export interface TransactionProvider {
  readonly label: ProviderLabel;
  readonly offers: Offers<TransactionMethod>;
  /** The transaction with this hash, otherwise the block. */
  lookUpHash(hash: Hex, options?: FetchOptions): Promise<HashResult>;
}

/** About one block time of most chains: a pending transaction is soon mined, and a new block may be reorged. */
const CACHE_TTL_MS = 15_000;
const MAX_CACHE_ENTRIES = 50;

/**
 * A provider that caches its results briefly.
 *
 * @param find queries the server; `signal` also aborts when the provider is revoked.
 * @example createTransactionCache({ label, clock, revoked }, (hash, { signal }) => lookUp(hash, signal))
 */
export function createTransactionCache(
  {
    label,
    clock,
    revoked,
  }: Pick<HttpDeps, 'clock'> & { readonly label: ProviderLabel; readonly revoked: AbortSignal },
  find: (hash: Hex, options: { readonly signal: AbortSignal }) => Promise<HashFacts>,
): TransactionProvider {
  const cache = createExpiringCache<HashResult>({
    clock,
    ttlMs: CACHE_TTL_MS,
    maxEntries: MAX_CACHE_ENTRIES,
  });
  return {
    label,
    offers: { lookUpHash: 'free' },
    lookUpHash: (hash, options) =>
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
        options,
      ),
  };
}

/** What a node needs to run the call of a transaction again. */
export type RepeatedCall = Pick<
  Transaction,
  'accessList' | 'authorizationList' | 'from' | 'gasLimit' | 'input' | 'to' | 'value'
>;

/**
 * A call as `eth_call` and `debug_traceCall` take it: with the gas limit, so that it runs out of gas again; without a
 * nonce and a gas price, so that the sender needs no funds for the fee.
 *
 * @example toCallObject(transaction).value;
 */
export function toCallObject({
  from,
  to,
  input,
  value,
  gasLimit,
  accessList = [],
  authorizationList = [],
}: RepeatedCall): Readonly<Record<string, unknown>> {
  return {
    from,
    ...(to && { to }),
    data: input,
    value: toQuantity(value),
    ...(gasLimit !== undefined && { gas: toQuantity(gasLimit) }),
    ...(accessList.length > 0 && { accessList }),
    ...(authorizationList.length > 0 && { authorizationList }),
  };
}
