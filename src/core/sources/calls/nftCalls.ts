import { AppError } from '../../base/errors.ts';
import { createExpiringCache } from '../../base/expiringCache.ts';
import type { NftContract } from '../../nfts/nftContract.ts';
import { createNftContractReader, type NftContractOnChain } from '../../nfts/nftContractReader.ts';
import type { NftSource } from '../../nfts/nftSource.ts';
import type { NftToken } from '../../nfts/nftToken.ts';
import { createContractCaller } from '../../rpc/ethCall.ts';
import { isLoopbackUrl } from '../../values/loopbackUrl.ts';
import { type CallsOptions, callsLabel, createEndpointCalls } from './endpoint.ts';
import { createNftTokenReader } from './nftTokenReader.ts';
import { noCalls } from './noCalls.ts';

/** Less than the time between two blocks of most chains. */
const KEPT_FOR_MS = 2_000;
const KEPT_AT_MOST = 50;

/**
 * NFTs as their contracts tell of them at the latest block, without a key. Where the endpoint has no `eth_call` each
 * question fails with `notServed`. Transfers are in the logs.
 *
 * @example
 * const { nftToken } = createNftCalls({ ...http, url, chainId, key: undefined, rateLimit, revoked });
 * await nftToken(contract, 7n); // { owner: '0x…', metadata: { name: 'Poster #7', … }, … }
 */
export function createNftCalls(options: CallsOptions): NftSource {
  const { url, clock, revoked } = options;
  const caller = createContractCaller(createEndpointCalls(options).call);
  const readContract = createNftContractReader(caller);
  const readToken = createNftTokenReader(caller, { clock, local: isLoopbackUrl(url) });
  const cache = <T>() => createExpiringCache<T>({ clock, ttlMs: KEPT_FOR_MS, maxEntries: KEPT_AT_MOST });
  const kept = { contracts: cache<NftContract | undefined>(), tokens: cache<NftToken | undefined>() };
  const untilRevoked = (signal: AbortSignal) => AbortSignal.any([signal, revoked]);

  return {
    label: callsLabel(url),
    offers: { nftContract: 'free', nftToken: 'free' },
    async nftTransfers() {
      throw new AppError('notServed', 'A contract does not tell its transfers: they are in its logs.');
    },
    nftContract: (contract, asked) =>
      kept.contracts.get(
        contract,
        async (signal) => knownOf(await readContract(contract, { signal: untilRevoked(signal) })),
        asked,
      ),
    nftToken: (contract, tokenId, asked) =>
      kept.tokens.get(
        `${contract} ${tokenId}`,
        (signal) => readToken({ contract, tokenId }, { signal: untilRevoked(signal) }),
        asked,
      ),
  };
}

function knownOf(answer: NftContractOnChain): NftContract | undefined {
  if (answer.state === 'notOffered') throw noCalls();
  return answer.state === 'known' ? answer.contract : undefined;
}
