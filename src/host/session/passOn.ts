import { type HoldingsProvider, isAppError, type NftProvider, type ProviderPorts } from '../../core/index.ts';

/**
 * `source`, but that a question which it does not serve goes to the next one; from then on all of them do.
 *
 * @param refuses remembers that, and finds the next one; undefined where there is none that can be asked.
 */
export function passOn<P extends keyof ProviderPorts>(
  port: P,
  source: ProviderPorts[P],
  refuses: () => Promise<ProviderPorts[P] | undefined>,
): ProviderPorts[P] {
  let current = source;
  async function ask<T>(question: (asked: ProviderPorts[P]) => Promise<T>): Promise<T> {
    try {
      return await question(current);
    } catch (error) {
      if (!isAppError(error, 'notServed')) throw error;
      const next = await refuses();
      if (!next) throw error;
      current = next;
      try {
        return await question(current);
      } catch (nextError) {
        // Contracts that are asked themselves have no say in why nobody serves it.
        const saysWhy = !isAppError(nextError, 'notServed') || nextError.details.source !== undefined;
        throw saysWhy ? nextError : error;
      }
    }
  }
  // One that is asked through another port than these has no second.
  if (port === 'holdings')
    return holdingsOf(() => current as HoldingsProvider, ask as Asking<HoldingsProvider>) as ProviderPorts[P];
  if (port === 'nfts')
    return nftsOf(() => current as NftProvider, ask as Asking<NftProvider>) as ProviderPorts[P];
  return source;
}

type Asking<Source> = <T>(question: (asked: Source) => Promise<T>) => Promise<T>;

function holdingsOf(current: () => HoldingsProvider, ask: Asking<HoldingsProvider>): HoldingsProvider {
  return {
    get label() {
      return current().label;
    },
    get offers() {
      return current().offers;
    },
    tokenBalances: (...asked) => ask((source) => source.tokenBalances(...asked)),
    holdings: (...asked) => ask((source) => source.holdings(...asked)),
  };
}

function nftsOf(current: () => NftProvider, ask: Asking<NftProvider>): NftProvider {
  return {
    get label() {
      return current().label;
    },
    get offers() {
      return current().offers;
    },
    nftTransfers: (...asked) => ask((source) => source.nftTransfers(...asked)),
    nftContract: (...asked) => ask((source) => source.nftContract(...asked)),
    nftToken: (...asked) => ask((source) => source.nftToken(...asked)),
  };
}
