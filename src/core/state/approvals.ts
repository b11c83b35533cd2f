import type { Address, Hex } from '../eth/hex.ts';
import { hashSignature } from '../eth/keccak.ts';
import type { Log } from '../logs/log.ts';

/** Who may have an allowance of whom. */
export interface Approval {
  readonly token: Address;
  readonly owner: Address;
  readonly spender: Address;
  /** Whether Permit2 manages it, and not the token. */
  readonly isPermit2: boolean;
}

/** The contract of Uniswap that manages allowances, at the same address on all chains (Uniswap/permit2). */
export const PERMIT2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3';

const APPROVAL = hashSignature('Approval(address,address,uint256)');
const PERMIT2_TOPICS: readonly Hex[] = [
  hashSignature('Approval(address,address,address,uint160,uint48)'),
  hashSignature('Permit(address,address,address,uint160,uint48,uint48)'),
];

/** Of tokens, whose first parameter is the owner. */
export const APPROVAL_TOPICS: readonly Hex[] = [APPROVAL];
/** Of tokens and of Permit2; the first parameter is the owner. */
export const ALL_APPROVAL_TOPICS: readonly Hex[] = [APPROVAL, ...PERMIT2_TOPICS];

/**
 * The approval of a log, whether its parameters are indexed or not.
 *
 * @param isToken whether the contract has allowances: elsewhere a fourth topic is the ID of an NFT.
 * @returns undefined for approvals of NFTs, and for logs of other forms.
 * @example readApproval(log, false); // { token, owner, spender, isPermit2: false }
 */
export function readApproval(
  { address, topics, data }: Pick<Log, 'address' | 'data' | 'topics'>,
  isToken: boolean,
): Approval | undefined {
  const [topic0 = '0x', first, second, third] = topics;
  if (PERMIT2_TOPICS.includes(topic0)) {
    if (address !== PERMIT2 || first === undefined || second === undefined || third === undefined)
      return undefined;
    return {
      token: toAddress(second),
      owner: toAddress(first),
      spender: toAddress(third),
      isPermit2: true,
    };
  }
  if (third !== undefined && !isToken) return undefined;
  const [owner = '', spender = ''] =
    first !== undefined && second !== undefined
      ? [first, second]
      : first === undefined
        ? [data.slice(2, 66), data.slice(66, 130)]
        : [];
  if (owner.length < 64 || spender.length < 64) return undefined;
  return { token: address, owner: toAddress(owner), spender: toAddress(spender), isPermit2: false };
}

const toAddress = (word: string): Address => `0x${word.slice(-40)}`;
