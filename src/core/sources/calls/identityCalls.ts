import { explorerApi } from '../../explorer/explorerUrls.ts';
import { createIdentityReader } from '../../identity/identityReader.ts';
import type { IdentitySource } from '../../identity/identitySource.ts';
import { createKeptIdentities } from '../../identity/keptIdentities.ts';
import { type CallsOptions, callsLabel, createEndpointCalls } from './endpoint.ts';

/** As `createIdentityReader`, through the endpoint at `url`, with what is learnt about it. */
export function createEndpointReader(options: CallsOptions) {
  return createIdentityReader({
    ...createEndpointCalls(options),
    isNode: explorerApi(options.url, '/api') === undefined,
  });
}

/**
 * What is at addresses, as the chain itself says through the network's endpoint, without a key. Where the endpoint has
 * no `eth_getCode` nothing is known, and the answer says so.
 *
 * @example
 * const { identity } = createIdentityCalls({ ...http, url, chainId, revoked });
 * await identity(address); // { kind: 'contract', token: { standard: 'ERC-20', symbol: 'USDC', … }, … }
 */
export function createIdentityCalls(options: CallsOptions): IdentitySource {
  const { clock, revoked } = options;
  const { read, glance } = createEndpointReader(options);
  const kept = createKeptIdentities(clock);
  const label = callsLabel(options.url);
  return {
    label,
    offers: { identity: 'free' },
    identity: (address, asked) =>
      kept(
        address,
        async (signal) => {
          const ends = { signal: AbortSignal.any([signal, revoked]) };
          const { tells, ...facts } = await (asked?.glance ? glance : read)(address, ends);
          const teller = { source: label, readAt: clock.now(), tells };
          const sources = [tells.length > 0 ? teller : { ...teller, gap: 'notOffered' as const }];
          return { address, ...facts, sources };
        },
        asked,
      ),
  };
}
