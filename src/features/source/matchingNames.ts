import { getFuzzyScore, type NamedAddress } from '../../host/names/addressName.ts';
import type { TypedAddress } from './typedAddress.ts';

/** Of names that fit, as many as a person looks through. */
const MAX_OFFERED_NAMES = 200;

/** The addresses that what is typed may become, and whether there are more: by their digits, or by their name after `0x` too. */
export function findMatchingNames(
  all: readonly NamedAddress[],
  { text, isHex }: Pick<TypedAddress, 'text' | 'isHex'>,
): { readonly names: readonly NamedAddress[]; readonly isCut: boolean } {
  const digits = text.toLowerCase();
  const name = isHex ? text.slice(2) : text;
  const fit = all.filter(
    (named) =>
      (isHex && named.address.startsWith(digits)) ||
      getFuzzyScore(name, named.name) !== undefined ||
      name === '',
  );
  return { names: fit.slice(0, MAX_OFFERED_NAMES), isCut: fit.length > MAX_OFFERED_NAMES };
}
