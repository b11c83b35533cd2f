import { editDistance } from '../../base/editDistance.ts';
import { badInput } from '../../base/errors.ts';
import { addressesCalled } from '../../questions/addressesCalled.ts';
import { indexKnowledge } from '../../questions/indexKnowledge.ts';
import { type Address, parseAddress } from '../../values/address.ts';
import { plainText } from '../../values/plainText.ts';
import type { OperationKnowledge } from './operation.ts';

/** Names that an error offers. */
const MOST_OFFERED = 12;
const LONGEST_NAME = 60;

/** Addresses by the names that are known on a chain, and which those are. */
export interface KnownNames {
  addressesNamed(name: string): readonly Address[];
  /** Of one address, none twice. */
  namesOf(address: Address): readonly string[];
  /** Each once, plain. */
  readonly all: readonly string[];
  /** The nearest to `name` first. */
  near(name: string): readonly string[];
}

/** The names of deployments and labels on a chain, and a user's own. */
export function knownNames(
  { index, names }: Pick<OperationKnowledge, 'index' | 'names'>,
  chainId: number | undefined,
): KnownNames {
  const ofIndex = index && chainId !== undefined ? indexKnowledge(index, chainId).names : [];
  const all = [...names, ...ofIndex];
  return {
    addressesNamed: (name) => addressesCalled(name, all),
    namesOf: (address) => [
      ...new Set(all.flatMap((one) => (one.address === address ? [plainText(one.name, LONGEST_NAME)] : []))),
    ],
    get all() {
      return [...new Set(all.map(({ name }) => plainText(name, LONGEST_NAME)))];
    },
    near: (name) =>
      nearest(
        name,
        all.map((one) => one.name),
      ),
  };
}

/** The words most like `word`, a bounded number of them. */
export function nearest(word: string, words: readonly string[]): readonly string[] {
  const lower = word.slice(0, LONGEST_NAME).toLowerCase();
  const scored = [...new Set(words)].map((one) => {
    const other = one.slice(0, LONGEST_NAME).toLowerCase();
    const isPart = other.includes(lower) || lower.includes(other);
    return { one, far: isPart ? 0 : (editDistance(lower, other, 3) ?? 9) };
  });
  const best = scored.sort((a, b) => a.far - b.far || (a.one < b.one ? -1 : 1)).slice(0, MOST_OFFERED);
  return best.map(({ one }) => plainText(one, LONGEST_NAME));
}

/**
 * The one address that is written, or called so.
 *
 * @throws AppError `badInput` for `field`, saying which names there are.
 */
export function oneAddress(written: string, known: KnownNames, field: string): Address {
  const address = parseAddress(written);
  if (address) return address;
  const [only, ...others] = known.addressesNamed(written.trim());
  if (only && others.length === 0) return only;
  throw badInput(field, unclearAddress(written, others.length + (only ? 1 : 0), known));
}

/** Why a name stands for no address, and what to write instead. */
export function unclearAddress(written: string, count: number, known: KnownNames): string {
  const shown = plainText(written, LONGEST_NAME);
  if (count > 1) {
    const addresses = known.addressesNamed(written.trim()).slice(0, MOST_OFFERED);
    return `${count} addresses are called ${shown} on this chain: ${addresses.join(', ')}. Give the one that is meant.`;
  }
  const near = known.near(written);
  const offered =
    near.length > 0
      ? `Names known on this chain: ${near.join(', ')}.`
      : 'No names are known on this chain: give 0x and 40 hex digits.';
  return `No address is called ${shown} on this chain. ${offered}`;
}
