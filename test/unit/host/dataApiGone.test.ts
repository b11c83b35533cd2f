import assert from 'node:assert/strict';
import { fetch as undiciFetch } from 'undici';
import { dataApiKeys } from '../../../localnet/dataApi/keys.ts';
import { type Localnet, startLocalnet } from '../../../localnet/start.ts';
import { createOriginGates, type FetchLike, requireAddress, systemClock } from '../../../src/core/index.ts';
import { createProviderAccess } from '../../../src/host/session/providerAccess.ts';
import { createKeyStore } from '../../../src/host/session/secrets.ts';
import { memorySecrets } from '../../support/memorySecrets.ts';

/** An old explorer with three methods, and a data API that has given the chain up. */
describe('a network whose data API no longer serves it', () => {
  let localnet: Localnet;
  before(async () => {
    localnet = await startLocalnet({ dialect: 'v5.1.4' });
  });
  after(() => localnet?.stop());

  for (const withKey of [false, true]) {
    it(`shows tokens and NFTs by its explorer, ${withKey ? 'although a' : 'and no'} key is set`, async () => {
      const keys = createKeyStore(memorySecrets());
      if (withKey) await keys.set(localnet.dataApi.url, dataApiKeys.current);
      const fetch = undiciFetch as unknown as FetchLike;
      const http = { fetch, clock: systemClock, gates: createOriginGates(systemClock) };
      const access = createProviderAccess({ keys, http, keyIn: () => 'auto' });
      const network = {
        ...{ id: 'gone', name: 'Gone', chainId: 5, symbol: 'ETH', decimals: 18 },
        ...{ rpcUrl: localnet.rpcUrl, dataApiUrl: localnet.dataApi.url },
      };
      const alice = requireAddress(localnet.chain.accounts.alice);
      for (let time = 0; time < 2; time++) {
        const given = await access.of(network, 'holdings');
        assert.ok(given.state === 'ready');
        const { portfolio, balances } = await given.source.holdings(alice, { quoteCurrency: 'USD' });
        assert.equal(balances.source.name, 'blockscout');
        assert.deepEqual(
          portfolio.tokens.map(({ symbol }) => symbol),
          ['HUSD', 'TIDE'],
        );
      }
      const refusals = localnet.dataApi.requests.filter(({ url }) => url.includes('/balances_v2/'));
      assert.equal(refusals.length, withKey ? 1 : 0);
      const nfts = await access.of(network, 'nfts');
      assert.ok(nfts.state === 'ready');
      const token = await nfts.source.nftToken(requireAddress(localnet.chain.contracts.badge.address), 2n);
      assert.equal(token?.metadata?.name, 'Harbor Badge #2');
      assert.equal(nfts.source.label.name, 'blockscout');
      access.dispose();
    });
  }
});
