import { type Address, formatShortAddress, type Identity, toChecksumAddress } from '../../core/index.ts';
import type { Localizer } from './localizer.ts';

/**
 * What is at an address in a few words: `HUSD, an ERC-20 token`, `a proxy of Vault`, `an account: it emits no logs`;
 * undefined where nobody tells.
 */
export function identityWords(
  { kind, name, token, proxy }: Identity,
  { l10n, nameOf }: { readonly l10n: Localizer; readonly nameOf: (address: Address) => string | undefined },
): string | undefined {
  if (kind === 'account') return l10n.t('An account: it emits no logs.');
  if (kind === 'delegated') return l10n.t('An account that runs the code of a contract (EIP-7702).');
  if (kind !== 'contract') return undefined;
  const called = token?.symbol ?? token?.name;
  if (token) {
    return called === undefined
      ? l10n.t('{0} token contract', token.standard)
      : l10n.t('{0}: {1} token contract', called, token.standard);
  }
  const [implementation] = proxy?.implementations ?? [];
  if (implementation) {
    const { address } = implementation;
    const short = formatShortAddress(toChecksumAddress(address));
    return l10n.t('Proxy of {0}', nameOf(address) ?? implementation.name ?? short);
  }
  return name === undefined ? undefined : l10n.t('Contract {0}', name);
}
