import assert from 'node:assert/strict';
import { AbiEvent, type Hex } from 'ox';
import { fetch as undiciFetch } from 'undici';
import { dataApiKeys, type KeyName } from '../../../localnet/dataApi/keys.ts';
import {
  type Address,
  createChainClient,
  createDataApiClient,
  type FetchLike,
  fetchNftHistory,
  isAppError,
  type NftHistory,
  type NftTransfer,
  requireAddress,
  systemClock,
} from '../../../src/core/index.ts';
import { toAssetRequestUrl } from '../../../src/core/nfts/assetUrl.ts';
import type { NftHistoryInputs } from '../../../src/core/nfts/nftHistory.ts';
import { hostileNames } from '../../fixtures/hostileNames.ts';
import { addTokens, createExtraTokens } from '../../support/extraTokens.ts';
import { type SharedLocalnet, sharedLocalnet } from '../../support/sharedLocalnet.ts';

const PALM = 11297108109;
const LOCAL = 31337;
const fetch = undiciFetch as unknown as FetchLike;
const deps = { fetch, clock: systemClock };

type Move = Pick<NftTransfer, 'amount' | 'blockNumber' | 'from' | 'logIndex' | 'position' | 'to' | 'tokenId'>;

describe('NFTs of the local network', () => {
  let localnet: SharedLocalnet;
  let badge: Address;
  let items: Address;
  let usd: Address;
  let moves: ReadonlyMap<Address, readonly Move[]>;

  before(async () => {
    localnet = await sharedLocalnet();
    const { contracts } = localnet.chain;
    [badge, items, usd] = [contracts.badge, contracts.items, contracts.usd].map(({ address }) =>
      requireAddress(address),
    ) as [Address, Address, Address];
    moves = new Map([
      [badge, await readBadgeMoves(localnet, badge)],
      [items, await readItemMoves(localnet, items)],
    ]);
  });

  const client = (key: KeyName = 'classic', chainId = LOCAL) =>
    createDataApiClient({
      ...{ ...deps, baseUrl: localnet.dataApi.url, chainId, key: dataApiKeys[key], keyIn: 'query' },
      throttle: { pass: async () => undefined },
    });
  const explorer = () => createChainClient({ ...deps, url: localnet.rpcUrl });
  const node = () => createChainClient({ ...deps, url: localnet.anvilUrl });

  const movesOf = (contract: Address, tokenId: bigint) =>
    (moves.get(contract) ?? []).filter((move) => move.tokenId === tokenId).reverse();
  const withoutTime = ({
    amount,
    blockNumber,
    from,
    logIndex,
    position,
    to,
    tokenId,
  }: NftTransfer): Move => ({
    ...{ amount, blockNumber, from, logIndex, position, to, tokenId },
  });

  it('have the history that their logs tell, in each generation of keys that serves it', async () => {
    const burnedAndMoved = [1n, 2n, 3n, 7n, 48n];
    for (const key of ['early', 'classic'] as const) {
      for (const [contract, tokenIds] of [
        [badge, burnedAndMoved],
        [items, [1n, 5n]],
      ] as const) {
        for (const tokenId of tokenIds) {
          const answer = await client(key, PALM).nftTransfers(contract, tokenId);
          assert.deepEqual([answer.skipped, answer.failedTransactions], [0, 0]);
          assert.deepEqual(answer.transfers.map(withoutTime), movesOf(contract, tokenId));
          assert.ok(answer.transfers.length > 0 && answer.transfers.every(({ time }) => time !== undefined));
        }
      }
    }
    assert.deepEqual((await client().nftTransfers(badge, 9_999n)).transfers, []);
  });

  it('have the same history out of the logs, on an explorer and on a node', async () => {
    for (const chain of [explorer(), node()]) {
      for (const [contract, tokenId] of [
        [badge, 3n],
        [items, 5n],
      ] as const) {
        const answer = await lastOf({ source: 'noKey', chain }, contract, tokenId);
        assert.equal(answer.from, 'logs');
        assert.deepEqual(answer.noProviderReason, { reason: 'noKey' });
        assert.equal(answer.verdict?.state, 'complete');
        assert.deepEqual(answer.transfers.map(withoutTime), movesOf(contract, tokenId));
        assert.equal(answer.skipped, 0);
      }
    }
  });

  it('are read from the logs where the data API has retired the route, and the reason is kept', async () => {
    const answer = await lastOf({ source: client('current'), chain: explorer() }, badge, 3n);
    assert.ok(answer.from === 'logs' && answer.noProviderReason.reason === 'notServed');
    assert.equal(answer.noProviderReason.error?.kind, 'notServed');
    assert.deepEqual(answer.transfers.map(withoutTime), movesOf(badge, 3n));
    const served = await lastOf({ source: client(), chain: explorer() }, badge, 3n);
    assert.equal(served.from, 'source');
    assert.deepEqual(served.transfers.map(withoutTime), answer.transfers.map(withoutTime));
    for (const key of ['exhausted', 'notEntitled'] as const) {
      const refused = lastOf({ source: client(key), chain: explorer() }, badge, 3n);
      await assert.rejects(refused, (error) => isAppError(error, 'creditsUsedUp', 'forbidden'));
    }
  });

  it('have metadata, by the classic route and by the newer one', async () => {
    const [minted] = movesOf(badge, 3n).slice(-1);
    const token = await client().nftToken(badge, 3n);
    assert.ok(token);
    assert.deepEqual(
      [token.contract.name, token.contract.symbol, token.contract.standard, token.originalOwner],
      ['Harbor Badge', 'BADGE', 'erc721', minted?.to],
    );
    assert.equal(token.owner, movesOf(badge, 3n)[0]?.to);
    assert.ok(token.tokenUrl?.kind === 'data' && token.tokenUrl.mediaType === 'application/json');
    assert.equal(token.metadata?.name, 'Harbor Badge #3');
    const { image } = token.metadata ?? {};
    assert.ok(image?.kind === 'data' && image.mediaType === 'image/svg+xml');

    const item = await client('classic', PALM).nftToken(items, 5n);
    assert.equal(item?.contract.standard, 'erc1155');
    const picture = item?.metadata?.image;
    assert.equal(picture?.kind, 'ipfs');
    assert.match(
      picture ? toAssetRequestUrl(picture, 'https://ipfs.example') : '',
      /^https:\/\/ipfs\.example\/ipfs\/baf\w+\/5\.png$/,
    );

    localnet.dataApi.setIntercept(({ url }) => (url.includes('/nft_metadata/') ? notFound : undefined));
    try {
      for (const chainId of [LOCAL, PALM]) {
        const newer = await client('classic', chainId).nftToken(badge, 3n);
        assert.deepEqual(newer?.metadata, token.metadata);
        assert.deepEqual([newer?.owner, newer?.originalOwner], [token.owner, token.originalOwner]);
      }
    } finally {
      localnet.dataApi.setIntercept(undefined);
    }
    assert.equal(await client().nftToken(badge, 9_999n), undefined);
    await assert.rejects(client('current').nftToken(badge, 3n), (error) => isAppError(error, 'notServed'));
  });

  it('tell of their contract by the first of its ids', async () => {
    localnet.dataApi.forgetRequests();
    const facts = await client().nftContract(items);
    assert.deepEqual([facts?.standard, facts?.name, facts?.supply], ['erc1155', undefined, undefined]);
    assert.match(localnet.dataApi.requests[0]?.url ?? '', /page-size=1&page-number=0/);
    assert.equal(await client().nftContract(usd), undefined);
  });

  it('come with the holdings of an address, by one call or by two, as the key has it', async () => {
    const holder = requireAddress(localnet.chain.accounts.alice);
    const asked = { quoteCurrency: 'USD' } as const;
    const [classic, current] = await Promise.all(
      (['classic', 'current'] as const).map((key) => client(key).holdings(holder, asked)),
    );
    assert.ok(classic && current);
    assert.deepEqual([classic.balances.includesNfts, current.balances.includesNfts], [true, false]);
    const ids = ({ portfolio }: typeof classic) =>
      portfolio.collections.map(({ contract, nfts }) => [contract, nfts?.map(({ tokenId }) => tokenId)]);
    assert.deepEqual(ids(classic), ids(current));
    assert.ok(classic.portfolio.collections.length > 0);
    assert.deepEqual(classic.portfolio.total, current.portfolio.total);
    const onPalm = await client('current', PALM).holdings(holder, asked);
    assert.equal(onPalm.nftError?.kind, 'notServed');
    assert.deepEqual(onPalm.portfolio.collections, []);
    assert.ok(onPalm.portfolio.native);
  });

  it('are told beside a crowd of tokens, some with hostile names', async () => {
    const holder = requireAddress(localnet.chain.accounts.alice);
    const asked = { quoteCurrency: 'USD' } as const;
    const before = await client().holdings(holder, asked);
    const hostile = Object.values(hostileNames).map((name) => ({ name }));
    localnet.dataApi.setIntercept(addTokens([...createExtraTokens(5_000), ...hostile]));
    try {
      const { portfolio, balances } = await client().holdings(holder, asked);
      assert.equal(balances.skipped, 0);
      assert.equal(portfolio.tokens.length, before.portfolio.tokens.length + 5_000 + hostile.length);
      assert.deepEqual(portfolio.collections, before.portfolio.collections);
      assert.deepEqual(
        portfolio.tokens.slice(0, 3).map(({ name }) => name),
        ['Harbor Dollar', 'Crowd 4999', 'Crowd 4996'],
      );
      const worth = Array.from({ length: 1_667 }, (_, i) => 1 + 3 * i).reduce((sum, value) => sum + value, 0);
      const total = (before.portfolio.total.value ?? 0) + worth;
      assert.ok(Math.abs((portfolio.total.value ?? 0) - total) < 1e-3);
    } finally {
      localnet.dataApi.setIntercept(undefined);
    }
  });

  it('can be asked for of the contract itself where the endpoint offers eth_call', async () => {
    const holder = requireAddress(localnet.chain.accounts.alice);
    const asked = { quoteCurrency: 'USD' } as const;
    const { tokens } = await client().tokenBalances(holder, asked);
    for (const chain of [explorer(), node()]) {
      const { amount, symbol, decimals } = tokens.find(({ contract }) => contract === usd) ?? {};
      assert.deepEqual(await chain.fetchErc20Balance(usd, holder), {
        state: 'known',
        amount,
        symbol,
        decimals,
      });
      assert.deepEqual(await chain.fetchErc20Balance(holder, holder), { state: 'notAToken' });
      assert.deepEqual(await chain.fetchErc20Balance(items, holder), { state: 'notAToken' });
      assert.deepEqual(await chain.fetchNftContract(usd), { state: 'notAnNft' });
      const known = await chain.fetchNftContract(badge);
      assert.ok(known.state === 'known');
      assert.deepEqual(
        [known.contract.name, known.contract.symbol, known.contract.standard, known.contract.supply],
        ['Harbor Badge', 'BADGE', 'erc721', undefined],
      );
      const multi = await chain.fetchNftContract(items);
      assert.equal(multi.state === 'known' && multi.contract.standard, 'erc1155');
    }
    localnet.setDialect('v5.1.4');
    try {
      assert.deepEqual(await explorer().fetchErc20Balance(usd, holder), { state: 'notOffered' });
      assert.deepEqual(await explorer().fetchNftContract(badge), { state: 'notOffered' });
    } finally {
      localnet.setDialect('v11.2');
    }
  });

  it('are refused where contract or id are none', async () => {
    for (const path of ['tokens/0x12/nft_token_ids/', `tokens/${badge}/nft_metadata/x1/`]) {
      const url = `${localnet.dataApi.url}/v1/${LOCAL}/${path}?key=${dataApiKeys.classic}`;
      assert.equal((await undiciFetch(url)).status, 400, path);
    }
  });
});

const notFound = { kind: 'respond', status: 404, body: '' } as const;

async function lastOf(sources: NftHistoryInputs, contract: Address, tokenId: bigint): Promise<NftHistory> {
  let last: NftHistory | undefined;
  const options = { clock: systemClock };
  for await (const history of fetchNftHistory(sources, { contract, tokenId }, options)) last = history;
  assert.ok(last);
  return last;
}

type NodeLog = { topics: [Hex.Hex, ...Hex.Hex[]]; data: Hex.Hex; blockNumber: string; logIndex: string };

/** The logs of an event as the node itself has them, decoded by its ABI. */
async function readEvents<const E extends AbiEvent.AbiEvent>(
  localnet: SharedLocalnet,
  contract: Address,
  event: E,
) {
  const topics = [AbiEvent.getSelector(event)];
  const filter = { address: contract, fromBlock: '0x0', toBlock: 'latest', topics };
  const logs = (await localnet.node.call('eth_getLogs', [filter])) as NodeLog[];
  return logs.map((log) => ({
    args: AbiEvent.decode(event, log),
    place: { blockNumber: BigInt(log.blockNumber), logIndex: Number(log.logIndex) },
  }));
}

async function readBadgeMoves(localnet: SharedLocalnet, badge: Address): Promise<readonly Move[]> {
  const transfer = AbiEvent.from(
    'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  );
  const events = await readEvents(localnet, badge, transfer);
  return events.map(({ args: { from, to, tokenId }, place }) => ({
    ...{ ...place, from: requireAddress(from), to: requireAddress(to), tokenId, amount: 1n, position: 0 },
  }));
}

async function readItemMoves(localnet: SharedLocalnet, items: Address): Promise<readonly Move[]> {
  const parties = 'address indexed operator, address indexed from, address indexed to';
  const single = AbiEvent.from(`event TransferSingle(${parties}, uint256 id, uint256 value)`);
  const batch = AbiEvent.from(`event TransferBatch(${parties}, uint256[] ids, uint256[] values)`);
  const singles = (await readEvents(localnet, items, single)).map(
    ({ args: { id, value, ...args }, place }) => ({
      ...{ args: { ...args, ids: [id], values: [value] }, place },
    }),
  );
  const batches = await readEvents(localnet, items, batch);
  return [...singles, ...batches]
    .flatMap(({ args: { from, to, ids, values }, place }) =>
      ids.map((tokenId, position) => ({
        ...{ ...place, from: requireAddress(from), to: requireAddress(to), tokenId, position },
        amount: values[position] ?? 0n,
      })),
    )
    .sort(
      (a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex || a.position - b.position,
    );
}
