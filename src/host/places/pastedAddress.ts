import { type FoundAddress, findAddresses } from './findAddresses.ts';

/** Of what is pasted, as much is looked at: a link has less. */
const LONGEST_PASTED = 2000;

/**
 * The one address in what a person pastes: alone, in quotes, with a comma behind it, in a link to an explorer, or without
 * `0x`. Undefined for none, and for several that differ.
 */
export function pastedAddress(text: string): FoundAddress | undefined {
  const near = text.trim().slice(0, LONGEST_PASTED);
  const [first, ...others] = findAddresses(/^[0-9a-fA-F]{40}$/.test(near) ? `0x${near}` : near);
  return others.every(({ address }) => address === first?.address) ? first : undefined;
}
