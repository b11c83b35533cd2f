import type { Provenance } from '../base/source.ts';
import type { Address } from '../values/address.ts';
import type { Hex } from '../values/hex.ts';

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
export type FailureReason =
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
  readonly failure: FailureReason | undefined;
}

/** What a source knows by a hash, and what it was asked for that: methods or routes. */
export type HashAnswer = Provenance & { readonly asked: readonly string[] } & (
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
export type FoundByHash = HashAnswer extends infer Answer
  ? Answer extends Provenance
    ? Omit<Answer, keyof Provenance>
    : never
  : never;
