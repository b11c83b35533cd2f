import assert from 'node:assert/strict';
import { AbiEvent, type Hex } from 'ox';
import { fetch as undiciFetch } from 'undici';
import { dataApiKeys, type KeyName } from '../../../localnet/dataApi/keys.ts';
import {
  type Address,
  createDataApiClient,
  type FetchLike,
  isAppError,
  type NftTransfer,
  requireAddress,
  systemClock,
} from '../../../src/core/index.ts';
import { toAssetRequestUrl } from '../../../src/core/nfts/assetUrl.ts';
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

  it('are refused where contract or id are none', async () => {
    for (const path of ['tokens/0x12/nft_token_ids/', `tokens/${badge}/nft_metadata/x1/`]) {
      const url = `${localnet.dataApi.url}/v1/${LOCAL}/${path}?key=${dataApiKeys.classic}`;
      assert.equal((await undiciFetch(url)).status, 400, path);
    }
  });
});

const notFound = { kind: 'respond', status: 404, body: '' } as const;

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
