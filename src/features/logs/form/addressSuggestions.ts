import { toChecksumAddress } from '../../../core/index.ts';
import type { NamedAddress } from '../../../host/names/addressName.ts';
import type { AddressNames } from '../../../host/names/addressNames.ts';
import { nameDetail } from '../../../host/names/nameWords.ts';
import { MOST_SUGGESTIONS, type Suggestion } from '../protocol/formHelp.ts';

/** Addresses with names that fit what is typed, deployments first, else the best first. */
export function addressSuggestions(
  typed: string,
  names: AddressNames,
  chainId: number,
): readonly Suggestion[] {
  const text = typed.trim();
  const found = text === '' ? names.all(chainId) : names.find(text, chainId);
  const first = found.filter(isDeployment);
  const others = found.filter((named) => !isDeployment(named));
  return [...first, ...others].slice(0, MOST_SUGGESTIONS).map((named) => {
    const value = toChecksumAddress(named.address);
    return { value, label: named.name, detail: `${value} · ${nameDetail(named)}` };
  });
}

function isDeployment({ source }: NamedAddress): boolean {
  return source === 'deployment';
}
