import type { AskOptions, Offers, Provenance, SourceLabel } from '../base/source.ts';
import type { Hex } from '../values/hex.ts';

/** What hashes are asked by: the topic0 of events, the four bytes of functions and errors alike. */
export interface AskedHashes {
  readonly events: readonly Hex[];
  readonly selectors: readonly Hex[];
}

/** A name with its types, `Paid(address,uint256)`, that hashes to what was asked. */
export interface NamedSignature {
  readonly signature: string;
  /** Whether it occurs in a verified contract. */
  readonly isVerified: boolean;
}

/** What hashes stand for, those of verified contracts first; a hash that is not in it is not known. */
export interface SignatureNames extends Provenance {
  readonly events: ReadonlyMap<Hex, readonly NamedSignature[]>;
  readonly selectors: ReadonlyMap<Hex, readonly NamedSignature[]>;
}

/** The questions of {@link SignatureSource}. */
export type SignatureQuestion = 'names';

/**
 * Who tells names by their hashes, whatever the chain.
 *
 * @throws AppError, each question, of any network kind.
 */
export interface SignatureSource {
  readonly label: SourceLabel;
  readonly offers: Offers<SignatureQuestion>;
  /** As many requests as the service needs for all of them. */
  names(asked: AskedHashes, options?: AskOptions): Promise<SignatureNames>;
}
