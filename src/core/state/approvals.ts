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
 * The approvals that a log may be: more than one if it does not show which of its parameters is the owner. Which ones are
 * indexed is up to the contract.
 *
 * @param isToken whether the contract has allowances: elsewhere a fourth topic is the ID of an NFT.
 * @returns an empty list for approvals of NFTs, and for events of Permit2 from another contract; undefined for other logs.
 * @example readApprovals(log, false); // [{ token, owner, spender, isPermit2: false }]
 */
export function readApprovals(
  { address, topics, data }: Pick<Log, 'address' | 'data' | 'topics'>,
  isToken: boolean,
): readonly Approval[] | undefined {
  const [topic0 = '0x', ...indexed] = topics;
  const [first, second, third] = indexed;
  if (PERMIT2_TOPICS.includes(topic0)) {
    if (address !== PERMIT2) return [];
    if (first === undefined || second === undefined || third === undefined) return undefined;
    return [
      {
        token: toAddress(second),
        owner: toAddress(first),
        spender: toAddress(third),
        isPermit2: true,
      },
    ];
  }
  if (third !== undefined && !isToken) return [];
  const parameters = [...indexed.map((topic) => topic.slice(2)), data.slice(2, 66), data.slice(66, 130)];
  const forms = FORMS[indexed.length] ?? [];
  const possible = forms.filter((form) => form.every((at) => isAddressWord(parameters[at])));
  // ERC-20 indexes owner and spender.
  const isStandard = indexed.length > 1 && possible[0] === forms[0];
  const read = possible.slice(0, isStandard ? 1 : undefined).map(([owner, spender]) => ({
    token: address,
    owner: toAddress(parameters[owner] ?? ''),
    spender: toAddress(parameters[spender] ?? ''),
    isPermit2: false,
  }));
  return read.length > 0 ? read : undefined;
}

/** By the number of indexed parameters: where owner and spender are, topics first. */
const FORMS: readonly (readonly (readonly [owner: number, spender: number])[])[] = [
  [[0, 1]],
  [
    [0, 1],
    [1, 0],
    [1, 2],
  ],
  [
    [0, 1],
    [0, 2],
    [2, 0],
  ],
  [[0, 1]],
];

const isAddressWord = (word: string | undefined) => word !== undefined && /^0{24}[0-9a-f]{40}$/.test(word);

const toAddress = (word: string): Address => `0x${word.slice(-40)}`;
