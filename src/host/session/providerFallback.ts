import { type HoldingsProvider, isAppError, type NftProvider, type ProviderPorts } from '../../core/index.ts';

/**
 * Wraps `provider`: a request that it does not serve goes to the next provider, and so do all later requests.
 *
 * @param findNext records that, and finds the next provider; undefined where there is none.
 */
export function withFallback<P extends keyof ProviderPorts>(
  port: P,
  provider: ProviderPorts[P],
  findNext: () => Promise<ProviderPorts[P] | undefined>,
): ProviderPorts[P] {
  let current = provider;
  async function request<T>(send: (provider: ProviderPorts[P]) => Promise<T>): Promise<T> {
    try {
      return await send(current);
    } catch (error) {
      if (!isAppError(error, 'notServed')) throw error;
      const next = await findNext();
      if (!next) throw error;
      current = next;
      try {
        return await send(current);
      } catch (nextError) {
        // Contracts (without a provider in the error) do not explain why no provider serves it.
        const explains = !isAppError(nextError, 'notServed') || nextError.details.provider !== undefined;
        throw explains ? nextError : error;
      }
    }
  }
  // Providers of other ports have no fallback.
  if (port === 'holdings')
    return createHoldingsFallback(
      () => current as HoldingsProvider,
      request as CallProvider<HoldingsProvider>,
    ) as ProviderPorts[P];
  if (port === 'nfts')
    return createNftsFallback(
      () => current as NftProvider,
      request as CallProvider<NftProvider>,
    ) as ProviderPorts[P];
  return provider;
}

type CallProvider<P> = <T>(send: (provider: P) => Promise<T>) => Promise<T>;

function createHoldingsFallback(
  getCurrent: () => HoldingsProvider,
  request: CallProvider<HoldingsProvider>,
): HoldingsProvider {
  return {
    get label() {
      return getCurrent().label;
    },
    get offers() {
      return getCurrent().offers;
    },
    tokenBalances: (...args) => request((provider) => provider.tokenBalances(...args)),
    holdings: (...args) => request((provider) => provider.holdings(...args)),
  };
}

function createNftsFallback(getCurrent: () => NftProvider, request: CallProvider<NftProvider>): NftProvider {
  return {
    get label() {
      return getCurrent().label;
    },
    get offers() {
      return getCurrent().offers;
    },
    nftTransfers: (...args) => request((provider) => provider.nftTransfers(...args)),
    nftContract: (...args) => request((provider) => provider.nftContract(...args)),
    nftToken: (...args) => request((provider) => provider.nftToken(...args)),
  };
}
