import { getFuzzyScore, type NamedAddress } from '../../host/names/addressName.ts';
import type { TypedAddress } from './typedAddress.ts';

const MAX_OFFERED_NAMES = 200;

/**
 * The first addresses that match, by their digits or by their name, which may also follow `0x`; and whether there are
 * more.
 */
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
