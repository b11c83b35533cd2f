import type { TokenBalance } from '../../../core/index.ts';

/** The tokens beside the native one, the most valuable first; those without a price to believe by name. */
export function tokensInOrder(tokens: readonly TokenBalance[]): readonly TokenBalance[] {
  const worth = (token: TokenBalance) => (token.absurdPrice ? -1 : (token.value ?? -1));
  const name = (token: TokenBalance) => token.symbol ?? token.name ?? token.contract;
  return tokens
    .filter((token) => !token.native)
    .sort((a, b) => worth(b) - worth(a) || name(a).localeCompare(name(b)));
}
