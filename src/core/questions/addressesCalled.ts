import type { Address } from '../values/address.ts';

/** A name, and what it stands for. */
export interface NamedPlace {
  readonly name: string;
  readonly address: Address;
}

/**
 * Addresses with exactly this name, each once; where none has it, those that have it in another letter case.
 *
 * @example addressesCalled('vault', [{ name: 'Vault', address: '0x12' }]) // ['0x12']
 */
export function addressesCalled(name: string, named: readonly NamedPlace[]): readonly Address[] {
  const exact = named.filter((one) => one.name === name);
  const lower = name.toLowerCase();
  const found = exact.length > 0 ? exact : named.filter((one) => one.name.toLowerCase() === lower);
  return [...new Set(found.map(({ address }) => address))];
}
