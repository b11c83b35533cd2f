import type { AbiLookup } from '../abi/candidates.ts';
import type { HashMeaning } from '../abi/hex/hexMeaning.ts';
import { knownWord } from '../abi/hex/knownWord.ts';
import { explainHex } from '../abi/hex/readHexMeaning.ts';
import type { Hex } from '../values/hex.ts';

/** What a word of 32 bytes is known as without asking anybody. */
export interface KnownHash {
  /** Events with this topic0, the most trusted first. */
  readonly events: readonly HashMeaning[];
  /** What it is the hash of, as Solidity writes it: a role, a slot of storage, a type of EIP-712. */
  readonly constant: string | undefined;
}

/**
 * What a hash is known as: topic0 of an event, or a constant that everybody uses. Asks nobody.
 *
 * @param hash 32 bytes in lower case.
 * @example
 * knownHash('0x9f2df0fed2c77648de5860a4cc508cd0818c85b8b8a1ab4ceeef8d981c8956a6', joinLookups()).constant
 * // 'keccak256("MINTER_ROLE")'
 */
export function knownHash(hash: Hex, lookup: AbiLookup): KnownHash {
  const events = explainHex(hash, { lookup }).filter((meaning) => meaning.kind === 'event');
  return { events: events as readonly HashMeaning[], constant: knownWord(hash) };
}
