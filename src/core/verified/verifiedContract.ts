import type { AbiItemText } from '../abi/abiItem.ts';
import type { AskOptions, Offers, Provenance, SourceLabel } from '../base/source.ts';
import type { Address } from '../values/address.ts';
import type { Hex } from '../values/hex.ts';

/**
 * How sure it is that a source is that of the contract: `exact` where its metadata fits as well, `partial` where the
 * code alone does, `twin` where another contract with the same code was verified and not this one.
 */
export type VerifiedMatch = 'exact' | 'partial' | 'twin';

/**
 * Where a proxy sends what it is asked, as somebody tells it who knows of verified contracts: of its ABI no more is
 * needed. What an address is shown to be is in `identity/proxies/proxy.ts`.
 */
export interface ProxyFacts {
  /** As the source calls the kind: `EIP1967Proxy`, `eip1967`. */
  readonly type: string | undefined;
  /** Several of a diamond. Of the others several too where the source found more than one and does not choose. */
  readonly implementations: readonly NamedImplementation[];
  /** Addresses that other ways to find an implementation have given: it is not certain which one is in force. */
  readonly conflicting?: readonly Address[];
}

export interface NamedImplementation {
  readonly address: Address;
  readonly name?: string;
}

/** A contract whose source was verified. */
export interface VerifiedContract extends Provenance {
  readonly address: Address;
  /** Plain text; undefined where the source does not tell. */
  readonly name: string | undefined;
  readonly abi: readonly AbiItemText[];
  readonly match: VerifiedMatch;
  /** The contract that was verified in the place of this one. */
  readonly twin?: Address;
  /** Names this very verification for good: what is kept under it does not change. */
  readonly matchId?: string;
  readonly created?: { readonly block: bigint; readonly transaction?: Hex };
  /** Undefined where it is no proxy, and where the source cannot tell now. */
  readonly proxy?: ProxyFacts;
  /** The code at the address is no longer the one that was verified. */
  readonly changedBytecode?: boolean;
}

/** A file of the source of a contract: plain in its path, as it is in its text. */
export interface VerifiedFile {
  readonly path: string;
  readonly text: string;
}

export interface VerifiedFiles extends Provenance {
  readonly files: readonly VerifiedFile[];
  /** Files beyond the bounds. */
  readonly left: number;
}

/** Chains on which a contract is verified at one address. */
export interface VerifiedChains extends Provenance {
  readonly chainIds: readonly number[];
}

/** The questions of {@link VerifiedSource}. */
export type VerifiedQuestion = 'verifiedContract' | 'proxyAt' | 'verifiedSources' | 'verifiedOn';

/**
 * Who tells of verified contracts on one chain. Answers are shared and kept for a moment.
 *
 * @throws AppError, each question, of any network kind, and `notServed` where the source does not serve the chain or
 *   has no such question.
 */
export interface VerifiedSource {
  readonly label: SourceLabel;
  readonly offers: Offers<VerifiedQuestion>;
  /** Undefined where nothing is verified at the address, nor a twin known. */
  verifiedContract(address: Address, options?: AskOptions): Promise<VerifiedContract | undefined>;
  /** Where a proxy leads, whether it is verified or not; undefined where the source knows of none. */
  proxyAt(address: Address, options?: AskOptions): Promise<ProxyFacts | undefined>;
  /** The files of the source; undefined where nothing is verified at the address. */
  verifiedSources(address: Address, options?: AskOptions): Promise<VerifiedFiles | undefined>;
  /** The chains, all that the service knows, on which something is verified at the address. */
  verifiedOn(address: Address, options?: AskOptions): Promise<VerifiedChains>;
}

/** Of one contract; larger ones are shown without their last files. */
export const MOST_FILES = 500;
export const MOST_SOURCE_CHARACTERS = 8 * 1024 * 1024;
/** Facets of one diamond that are read: the largest in use have some thirty. */
export const MOST_IMPLEMENTATIONS = 40;
