import assert from 'node:assert/strict';
import type { Address } from '../../../../src/core/index.ts';
import { type AddressView, createAddressView } from '../../../support/host/addressView.ts';
import {
  balancesOf,
  type RecordedServer,
  startRecordedServer,
} from '../../../support/host/recordedServer.ts';
import { selectNetwork, useNetworks } from '../../../support/host/settings.ts';

const HOLDER: Address = '0x7e57000000000000000000000000000000000002';

describe('the chain that the data API is asked for', () => {
  let server: RecordedServer;
  let view: AddressView;
  before(async () => {
    server = await startRecordedServer();
    server.answer = ({ url }) =>
      url.startsWith('/v1/') ? balancesOf(HOLDER, []) : { status: 503, body: '' };
  });
  after(() => server.close());
  // Only where requests go: the chain ids are those that are built in.
  useNetworks(() => {
    const here = { rpcUrl: server.url, dataApiUrl: server.url };
    return { mainnet: here, testnet: here, other: { ...here, name: 'Other', chainId: 77 } };
  });
  beforeEach(async () => {
    view = createAddressView();
    await view.keys.set(server.url, 'ckey_0123456789abcdef0123456789a');
  });
  afterEach(() => view.dispose());

  async function chainsAskedFor(): Promise<readonly (string | undefined)[]> {
    server.requests.length = 0;
    await view.balances.load(HOLDER, 'recent');
    const paths = server.requests.filter((request) => request.startsWith('/v1/'));
    assert.ok(paths.length > 0, 'The data API was not asked.');
    return [...new Set(paths.map((path) => /^\/v1\/([^/]+)\//.exec(path)?.[1]))];
  }

  it('is named in the path, and changes with the network that is selected', async () => {
    for (const [network, chainId] of [
      ['mainnet', '11297108109'],
      ['testnet', '11297108099'],
      ['other', '77'],
      ['mainnet', '11297108109'],
    ] as const) {
      await selectNetwork(network);
      assert.deepEqual(await chainsAskedFor(), [chainId], network);
    }
  });
});
