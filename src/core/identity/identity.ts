import type { Provenance } from '../base/source.ts';
import type { Address } from '../values/address.ts';
import type { Hex } from '../values/hex.ts';
import type { ProxyIdentity } from './proxies/proxy.ts';

/** `delegated`: an account that runs the code of a contract (EIP-7702); who has its key still sends as it. */
export type IdentityKind = 'account' | 'contract' | 'delegated' | 'unknown';

/** As the standards are called: those that are found by calls, then those that only explorers tell. */
export const identityStandards = [
  'ERC-20',
  'ERC-721',
  'ERC-1155',
  'ERC-4626',
  'ERC-404',
  'ERC-7984',
  'ZRC-2',
] as const;
export type IdentityStandard = (typeof identityStandards)[number];

/** A token contract. Names are text from outside, plain and short; what it does not tell is undefined. */
export interface TokenIdentity {
  readonly standard: IdentityStandard;
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
  /** In smallest units; for NFTs how many there are. */
  readonly supply: bigint | undefined;
  /** What a vault (ERC-4626) holds. */
  readonly asset?:
    | {
        readonly address: Address;
        readonly symbol: string | undefined;
        readonly decimals: number | undefined;
      }
    | undefined;
}

/** How a contract came to be. */
export interface Creation {
  readonly block: bigint | undefined;
  readonly transaction: Hex | undefined;
  readonly deployer: Address | undefined;
}

/** What can be told of an address. */
export type IdentityPart = 'kind' | 'token' | 'proxy' | 'created';

/**
 * What one source tells. Of a part in `tells`, undefined means that there is none; of any other part, that nobody
 * knows.
 */
export interface IdentityFacts {
  readonly kind: IdentityKind;
  /** The name of the contract as it was verified. */
  readonly name: string | undefined;
  readonly token: TokenIdentity | undefined;
  readonly proxy: ProxyIdentity | undefined;
  readonly created: Creation | undefined;
  readonly tells: readonly IdentityPart[];
}

/**
 * Why a source tells nothing. `notOffered`: the endpoint has no such methods, or no such route. `notIndexed`: the
 * explorer has no record of the address. `refused`: the explorer does not tell this of this address, or not without a
 * key.
 */
export type IdentityGap = 'notOffered' | 'notIndexed' | 'refused' | 'failed';

/** A source that was asked, when, and what it told. */
export interface IdentityTeller extends Provenance {
  readonly tells: readonly IdentityPart[];
  readonly gap?: IdentityGap | undefined;
}

/** What is at an address, as far as anybody tells. */
export interface Identity extends Omit<IdentityFacts, 'tells'> {
  readonly address: Address;
  readonly sources: readonly IdentityTeller[];
  /** Whether there is more to be read: it was only glanced at. */
  readonly isGlance?: true;
}
