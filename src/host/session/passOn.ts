import { type HoldingsSource, isAppError, type NftSource, type SourcePorts } from '../../core/index.ts';

/**
 * `source`, but that a question which it does not serve goes to the next one; from then on all of them do.
 *
 * @param refuses remembers that, and finds the next one; undefined where there is none that can be asked.
 */
export function passOn<P extends keyof SourcePorts>(
  port: P,
  source: SourcePorts[P],
  refuses: () => Promise<SourcePorts[P] | undefined>,
): SourcePorts[P] {
  let current = source;
  async function ask<T>(question: (asked: SourcePorts[P]) => Promise<T>): Promise<T> {
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
    return holdingsOf(() => current as HoldingsSource, ask as Asking<HoldingsSource>) as SourcePorts[P];
  if (port === 'nfts') return nftsOf(() => current as NftSource, ask as Asking<NftSource>) as SourcePorts[P];
  return source;
}

type Asking<Source> = <T>(question: (asked: Source) => Promise<T>) => Promise<T>;

function holdingsOf(current: () => HoldingsSource, ask: Asking<HoldingsSource>): HoldingsSource {
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

function nftsOf(current: () => NftSource, ask: Asking<NftSource>): NftSource {
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
