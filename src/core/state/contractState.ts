import type { Judgement } from '../base/judgement.ts';
import type { Message } from '../base/text.ts';
import type { Address, Hex } from '../eth/hex.ts';
import type { LogProof } from '../logs/proof/logProof.ts';
import type { TokenUnits } from '../tokens/amounts.ts';

/** What is rebuilt from logs. */
export type StateKind = 'holders' | 'roles' | 'allowances';

/** State of a contract or an account after a block. */
export interface StateQuery {
  readonly kind: StateKind;
  /** The contract; of allowances also an account, for those that it gave in all tokens. */
  readonly address: Address;
  /** Of allowances: only those of this owner. */
  readonly owner: Address | undefined;
  readonly block: bigint;
}

/**
 * `owner` and `pendingOwner` of Ownable, `pendingDefaultAdmin` of AccessControlDefaultAdminRules; of a proxy its admin, the
 * owner of an admin that is a contract, and the owner of its beacon. Those that can do most come first.
 */
export const namedRoles = [
  ...(['proxyAdmin', 'proxyAdminOwner', 'beaconOwner', 'owner', 'pendingOwner'] as const),
  'pendingDefaultAdmin',
] as const;
export type NamedRole = (typeof namedRoles)[number];

/** @example isNamedRole('owner') // true */
export const isNamedRole = (role: string): role is NamedRole =>
  (namedRoles as readonly string[]).includes(role);

export type StateRow =
  /** ERC-20, in smallest units. */
  | { readonly kind: 'balance'; readonly holder: Address; readonly balance: bigint }
  /** ERC-721. */
  | { readonly kind: 'token'; readonly tokenId: bigint; readonly owner: Address }
  /** ERC-1155. */
  | { readonly kind: 'tokenBalance'; readonly id: bigint; readonly holder: Address; readonly balance: bigint }
  | {
      readonly kind: 'role';
      /** 32 bytes, or a role that has no hash. */
      readonly role: Hex | NamedRole;
      /** The constant of the source or getter of the contract, such as `MINTER_ROLE`. */
      readonly roleName: string | undefined;
      readonly member: Address;
    }
  | {
      readonly kind: 'allowance';
      readonly token: Address;
      readonly owner: Address;
      readonly spender: Address;
      /** In smallest units. */
      readonly value: bigint;
      /** When an allowance that Permit2 manages ends, in seconds since the Unix epoch; of others undefined. */
      readonly permit2Until?: bigint | undefined;
    };

/** Rows compared with calls at the block. */
export interface ComparedRows {
  /** Those that equal what the contract returns. */
  readonly equal: number;
  readonly compared: number;
  /** All rows. */
  readonly of: number;
  /** Whether the sum is the total supply; undefined if the contract has none. */
  readonly totalSupply: boolean | undefined;
}

/** What the rows are worth. */
export type StateVerdict = StateFacts & Judgement<'more' | 'unreached' | 'uncertain', Message>;

interface StateFacts {
  /** Whether the rows are complete, and each of them equals what the contract returns at the block. */
  readonly confirmed: boolean;
  readonly compared: ComparedRows;
  /** Whether calls rule out any other row: then the list does not rest on the logs of the endpoint. */
  readonly isClosed: boolean;
  /** What the hashes of the chain say about the logs that the rows are made of, if a proof was requested. */
  readonly proof?: LogProof | undefined;
  /** What the rows rest on that nothing here can show. */
  readonly restsOn: readonly Message[];
  /** What else is known, which makes nothing less certain: who may upgrade a proxy that has no admin. */
  readonly details?: readonly Message[] | undefined;
  readonly block: bigint;
  readonly blockHash: Hex | undefined;
}

/** State with its verdict; the largest rows first. */
export interface ContractState {
  readonly query: StateQuery;
  readonly rows: readonly StateRow[];
  /** Roles that calls return and rows list under another name: AccessControlDefaultAdminRules' owner is its default admin. */
  readonly repeated?: readonly StateRow[] | undefined;
  /** Of an ERC-20 token; undefined if the contract does not tell. */
  readonly units: TokenUnits | undefined;
  readonly verdict: StateVerdict;
}
