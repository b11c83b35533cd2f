import assert from 'node:assert/strict';
import { fetch as undiciFetch } from 'undici';
import { defaultDialect } from '../../../../../localnet/explorer/dialects.ts';
import {
  type Address,
  createChainClient,
  type FetchLike,
  fetchNftHistory,
  type NftHistory,
  requireAddress,
  systemClock,
} from '../../../../../src/core/index.ts';
import { openExplorer, openExplorerPorts } from '../../../../support/explorer.ts';
import { type SharedLocalnet, sharedLocalnet } from '../../../../support/sharedLocalnet.ts';

const http = { fetch: undiciFetch as unknown as FetchLike, clock: systemClock };
const CONTRACT: Address = '0xc0de721000000000000000000000000000000721';

describe('NFTs by an explorer', () => {
  let localnet: SharedLocalnet;
  let badge: Address;
  let items: Address;

  before(async () => {
    localnet = await sharedLocalnet();
    badge = requireAddress(localnet.chain.contracts.badge.address);
    items = requireAddress(localnet.chain.contracts.items.address);
  });
  beforeEach(() => localnet.setDialect(defaultDialect));

  async function last(histories: AsyncIterable<NftHistory>): Promise<NftHistory> {
    let history: NftHistory | undefined;
    for await (const each of histories) history = each;
    assert.ok(history);
    return history;
  }

  for (const era of ['v5.1.4', 'v9.1', 'v11.2', 'v12'] as const) {
    it(`have the transfers that the logs have, with their times: ${era}`, async () => {
      localnet.setDialect(era);
      const { nfts } = await openExplorerPorts(localnet.rpcUrl);
      const chain = createChainClient({ ...http, url: localnet.rpcUrl });
      const options = { clock: systemClock };
      for (const [contract, tokenId] of [
        [badge, 2n],
        [badge, 5n],
        [items, 1n],
      ] as const) {
        const bySource = await last(fetchNftHistory({ source: nfts, chain }, { contract, tokenId }, options));
        const byLogs = await last(
          fetchNftHistory({ source: 'notWanted', chain }, { contract, tokenId }, options),
        );
        assert.equal(bySource.from, 'source');
        assert.ok(bySource.transfers.length > 0);
        assert.ok(bySource.transfers.every(({ time }) => time !== undefined));
        const bare = ({ transfers }: NftHistory) =>
          transfers.map(({ time: _, position: __, ...transfer }) => transfer);
        assert.deepEqual(bare(bySource), bare(byLogs));
      }
    });

    it(`have their contract, owner and metadata: ${era}`, async () => {
      localnet.setDialect(era);
      const { nfts } = await openExplorerPorts(localnet.rpcUrl);
      const contract = await nfts.nftContract(badge);
      assert.deepEqual(
        [contract?.name, contract?.symbol, contract?.standard],
        ['Harbor Badge', 'BADGE', 'erc721'],
      );
      const token = await nfts.nftToken(badge, 2n);
      const owner = await localnet.node.call('eth_call', [
        { to: badge, data: `0x6352211e${'2'.padStart(64, '0')}` },
        'latest',
      ]);
      assert.equal(token?.owner, `0x${String(owner).slice(-40)}`);
      assert.equal(token?.metadata?.name, 'Harbor Badge #2');
      assert.equal(token?.metadata?.image?.kind, 'data');
      assert.equal(await nfts.nftToken(badge, 999n), undefined);
      assert.equal(await nfts.nftContract(CONTRACT), undefined);
      assert.equal(await nfts.nftContract(requireAddress(localnet.chain.contracts.usd.address)), undefined);
    });
  }

  it('are read from the logs where the explorer does not give their history to its end', async () => {
    const chain = createChainClient({ ...http, url: localnet.rpcUrl });
    const { ports } = await openExplorer(({ pathname }) =>
      pathname.endsWith('/transfers')
        ? { body: { items: [], next_page_params: { a: { b: 1 } } } }
        : undefined,
    );
    await assert.rejects(ports.nfts.nftTransfers(badge, 2n), { kind: 'tooHeavy' });
    const question = { contract: badge, tokenId: 2n };
    const history = await last(
      fetchNftHistory({ source: ports.nfts, chain }, question, { clock: systemClock }),
    );
    assert.ok(history.from === 'logs' && history.count > 0);
  });

  it('are not believed where the answer is of another token', async () => {
    const { ports } = await openExplorer(({ pathname }) => {
      if (pathname.endsWith('/instances/7')) return { body: { id: '8', token: { address_hash: CONTRACT } } };
      return /\/tokens\/0x/.test(pathname) ? { body: { address_hash: badge, type: 'ERC-721' } } : undefined;
    });
    await assert.rejects(ports.nfts.nftToken(CONTRACT, 7n), { kind: 'badResponse' });
    await assert.rejects(ports.nfts.nftContract(CONTRACT), { kind: 'badResponse' });
  });
});
