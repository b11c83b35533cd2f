import { type Address, ZERO_ADDRESS } from '../../values/address.ts';
import type { Hex } from '../../values/hex.ts';
import { runsOtherCode } from './byteCode.ts';
import { type CodePattern, codePatternOf } from './codePatterns.ts';
import type { ContractLook } from './contractLook.ts';
import {
  addressReturned,
  beaconGetters,
  FACET_ADDRESSES,
  facetsReturned,
  getAddressCall,
  proxyGetters,
} from './getters.ts';
import type { ProxyType } from './proxy.ts';
import { addressInWord, shortTextInWord } from './slots.ts';

/** What one pattern says that an address runs. */
export interface ProxyCandidate {
  readonly type: ProxyType;
  readonly implementations: readonly Address[];
  /** Facets that are left out. */
  readonly left: number;
  /** Who is to be asked for the implementation, and how: the first answer counts. */
  readonly asks?: { readonly contract: Address; readonly anyOf: readonly Hex[] } | undefined;
  readonly beacon?: Address | undefined;
  /** The contract only says so. It is believed where code is at what it names. */
  readonly isClaim: boolean;
}

/**
 * What the patterns say, the most trusted first. The form of the code says all where it has one. Else storage comes
 * before functions, since functions may say anything; and functions count only where storage shows a proxy, where the
 * code can run others' at all, or where it does not have them itself, so that a factory or a beacon with an
 * `implementation()` is no proxy. Zero and the address itself are no implementation, but for an account that delegates
 * to itself (EIP-7702).
 *
 * @example
 * const [believed, ...others] = proxyCandidates(await lookAtContract(ask, address));
 */
export function proxyCandidates(look: ContractLook): readonly ProxyCandidate[] {
  const { code } = look;
  if (code === '0x') return [];
  const pattern = code === undefined ? undefined : codePatternOf(code);
  const formed = pattern ? byPattern(pattern, look) : undefined;
  if (formed) return [formed];
  const stored = bySlots(look);
  if (code === undefined) return stored;
  const isAny = stored.length > 0 || runsOtherCode(code);
  const counts = (call: Hex) => isAny || !code.includes(call.slice(2));
  return [...stored, ...byFunctions(look, counts)];
}

function byPattern(pattern: CodePattern, look: ContractLook): ProxyCandidate | undefined {
  const { slots } = look;
  const { type } = pattern;
  if ('implementation' in pattern) return candidate(look, type, pattern.implementation);
  switch (pattern.keptIn) {
    case 'eip1967':
      return candidate(look, type, addressInWord(slots.eip1967));
    case 'ownAddress':
      return candidate(look, type, addressInWord(slots.ownAddress));
    case 'masterCopy':
      return candidate(look, type, addressInWord(slots.masterCopy, { packed: true }));
    case 'beacon':
      return byBeacon(look, type);
    case 'resolver': {
      const name = shortTextInWord(slots.resolverName);
      const contract = addressInWord(slots.resolver);
      if (!name || !contract) return undefined;
      const asks = { contract, anyOf: [getAddressCall(name)] };
      return { type, implementations: [], left: 0, asks, isClaim: false };
    }
  }
}

function bySlots(look: ContractLook): readonly ProxyCandidate[] {
  const { slots } = look;
  const found = [
    candidate(look, 'eip1967', addressInWord(slots.eip1967) ?? addressInWord(slots.eip1967Above)),
    byBeacon(look, 'eip1967_beacon'),
    candidate(look, 'eip1967_oz', addressInWord(slots.openZeppelin)),
    candidate(look, 'eip1822', addressInWord(slots.eip1822)),
  ];
  return found.filter((one) => one !== undefined);
}

function byBeacon(look: ContractLook, type: ProxyType): ProxyCandidate | undefined {
  const beacon = addressInWord(look.slots.beacon);
  if (!beacon || beacon === look.address) return undefined;
  const asks = { contract: beacon, anyOf: beaconGetters };
  return { type, implementations: [], left: 0, asks, beacon, isClaim: false };
}

/** @param counts whether what a function says is to be looked at. */
function byFunctions(look: ContractLook, counts: (call: Hex) => boolean): readonly ProxyCandidate[] {
  const { facets, left } = facetsReturned(look.facets, look.address);
  const isDiamond = facets.length > 0 && counts(FACET_ADDRESSES);
  const diamond: readonly ProxyCandidate[] = isDiamond
    ? [{ type: 'eip2535', implementations: facets, left, isClaim: false }]
    : [];
  const claimed = proxyGetters.map(({ type, data }, place) =>
    counts(data) ? candidate(look, type, addressReturned(look.getters[place])) : undefined,
  );
  const claims = claimed.filter((one) => one !== undefined);
  return [...diamond, ...claims.map((one) => ({ ...one, isClaim: true }))];
}

function candidate(
  { address }: ContractLook,
  type: ProxyType,
  implementation: Address | undefined,
): ProxyCandidate | undefined {
  if (implementation === undefined || (implementation === address && type !== 'eip7702')) return undefined;
  // Zero is what a delegation is cleared with.
  if (implementation === ZERO_ADDRESS) return undefined;
  return { type, implementations: [implementation], left: 0, isClaim: false };
}
