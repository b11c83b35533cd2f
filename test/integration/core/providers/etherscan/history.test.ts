import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type EtherscanServer, startEtherscan } from '../../../../../localnet/etherscan/server.ts';
import { pageTransfers, type TransferRow } from '../../../../../localnet/etherscan/transfers.ts';
import {
  type Address,
  type HistoryProvider,
  requireAddress,
  type TokenTransfer,
  toCompleteness,
} from '../../../../../src/core/index.ts';
import {
  answerEtherscan,
  etherscanErrorOf,
  openEtherscanPorts,
  refuseEtherscan,
  rerouteEtherscan,
} from '../../../../support/etherscanPorts.ts';
import { openExplorerPorts } from '../../../../support/explorer.ts';
import { isFullRun } from '../../../../support/fullRun.ts';
import { type SharedLocalnet, sharedLocalnet } from '../../../../support/sharedLocalnet.ts';
import { verifiedOf } from '../../../../support/verifiedOf.ts';

const ALICE: Address = `0x${'ab'.repeat(20)}`;
const BOB: Address = `0x${'cd'.repeat(20)}`;
const COIN: Address = `0x${'ef'.repeat(20)}`;
const hashOf = (block: number, index = 0) => `0x${(block * 1000 + index).toString(16).padStart(64, '0')}`;

const row = (blockNumber: number, fields: Readonly<Record<string, string>> = {}): TransferRow => ({
  ...{ blockNumber: `${blockNumber}`, timeStamp: '1700000000', hash: hashOf(blockNumber) },
  ...{ from: ALICE, to: BOB, contractAddress: COIN, value: '5', transactionIndex: '0' },
  ...{ tokenName: 'Coin', tokenSymbol: 'COIN', tokenDecimal: '6' },
  ...fields,
});
/** Equal ones: only their number tells whether one is missing. */
const manyRows = (block: number, count: number) => Array<TransferRow>(count).fill(row(block));

/** The history of an address of which a server has these rows of ERC-20, newest first. */
function openHistory(answer: (params: URLSearchParams) => unknown) {
  const server = answerEtherscan(answer);
  const opened = openEtherscanPorts(server.fetch, 1).then(({ history }) => history ?? assert.fail());
  return { ...server, opened };
}
const pageOf = (rows: readonly TransferRow[], params: URLSearchParams) =>
  pageTransfers(rows, (name) => params.get(name) ?? undefined);
const openRows = (rows: readonly TransferRow[]) =>
  openHistory((params) =>
    params.get('action') === 'tokentx' ? pageOf(rows, params) : refuseEtherscan([], 'No transactions found'),
  );

async function readAll(history: HistoryProvider, filter = {}) {
  const list = history.transfers(ALICE, filter);
  const pages: (readonly TokenTransfer[])[] = [];
  while (!list.isAtEnd) pages.push(await list.next());
  assert.deepEqual(pages.flat(), list.rows);
  return { list, rows: list.rows };
}

describe("transfers by Etherscan's API", () => {
  it('have what a row says, and no log index', async () => {
    const { opened, asked } = openRows([row(7)]);
    const { rows, list } = await readAll(await opened);
    assert.deepEqual(rows, [
      {
        ...{ transactionHash: hashOf(7), blockNumber: 7n, logIndex: undefined, position: 0 },
        ...{ time: 1_700_000_000_000, from: ALICE, to: BOB, contract: COIN, standard: 'erc20' },
        ...{ name: 'Coin', symbol: 'COIN', decimals: 6, tokenId: undefined, amount: 5n, spam: undefined },
      },
    ]);
    assert.deepEqual(toCompleteness(list.reasons), {
      ...{ state: 'uncertain', reasons: [{ code: 'indexingUnknown' }] },
    });
    assert.deepEqual(
      asked.map((params) => params.get('action')),
      ['tokentx', 'tokennfttx', 'token1155tx'],
    );
  });

  it('come once each, whatever the size of a block and of a page', async () => {
    const counts = fc.array(fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 400, max: 3100 })), {
      ...{ minLength: 1, maxLength: 4 },
    });
    await fc.assert(
      fc.asyncProperty(counts, async (sizes) => {
        const rows = sizes.flatMap((size, at) => manyRows(sizes.length - at, size));
        const { list } = await readAll(await openRows(rows).opened);
        assert.deepEqual(
          list.rows.map(({ blockNumber }) => `${blockNumber}`),
          rows.map(({ blockNumber }) => blockNumber),
        );
        const places = list.rows.map(({ blockNumber, position }) => `${blockNumber} ${position}`);
        assert.equal(new Set(places).size, rows.length);
        assert.deepEqual(list.reasons, [{ code: 'indexingUnknown' }]);
      }),
      {
        numRuns: isFullRun ? 60 : 6,
        examples: [[[1000]], [[1000, 1000, 3]], [[999, 1, 1000, 2000, 1]], [[2500]]],
      },
    );
  });

  it('are incomplete where a block has more than can be read, and those below it still come', async () => {
    const { opened } = openRows([...manyRows(9, 2), ...manyRows(8, 10_500), ...manyRows(7, 3)]);
    const { list, rows } = await readAll(await opened);
    assert.equal(rows.length, 2 + 10_000 + 3);
    const { state, reasons } = toCompleteness(list.reasons);
    assert.deepEqual([state, reasons[0]], ['partial', { code: 'blockCut', block: 8n, most: 10_000 }]);
  });

  it('of all standards come newest first, none before it is certain that no newer one follows', async () => {
    const lists: Readonly<Record<string, readonly TransferRow[]>> = {
      tokentx: [3, 2, 1].flatMap((block) => manyRows(block, 700)),
      tokennfttx: [row(2, { tokenID: '4' })],
      token1155tx: [row(3, { tokenID: '5', tokenValue: '6' }), row(1, { tokenID: '7', tokenValue: '8' })],
    };
    const { opened } = openHistory((params) => pageOf(lists[params.get('action') ?? ''] ?? [], params));
    const list = (await opened).transfers(ALICE);
    const first = await list.next();
    assert.deepEqual([first.length, first.every(({ blockNumber }) => blockNumber === 3n)], [701, true]);
    while (!list.isAtEnd) await list.next();
    const nfts = list.rows.filter(({ standard }) => standard !== 'erc20');
    assert.deepEqual(
      nfts.map(({ blockNumber, tokenId, amount }) => `${blockNumber} ${tokenId} ${amount}`),
      ['3 5 6', '2 4 1', '1 7 8'],
    );
    const blocks = list.rows.map(({ blockNumber }) => Number(blockNumber)).reverse();
    assert.deepEqual(blocks, blocks.toSorted());
  });

  it('are filtered by token, standard and direction', async () => {
    const { opened, asked } = openRows([row(3), row(2, { from: BOB, to: ALICE })]);
    const { rows } = await readAll(await opened, { token: COIN, standards: ['erc20'], direction: 'to' });
    assert.deepEqual(
      rows.map(({ blockNumber }) => blockNumber),
      [2n],
    );
    assert.deepEqual([asked.length, asked[0]?.get('contractaddress')], [1, COIN]);
  });

  it('can be read on after a failure, without a row twice', async () => {
    let fails = true;
    const rows = [5, 4, 3].flatMap((block) => manyRows(block, 600));
    const { opened } = openHistory((params) => {
      const action = params.get('action');
      if (action === 'tokennfttx' && fails) return refuseEtherscan('Error! Something else');
      return action === 'tokentx' ? pageOf(rows, params) : [];
    });
    const list = (await opened).transfers(ALICE);
    assert.equal((await etherscanErrorOf(list.next())).kind, 'rpc');
    assert.deepEqual([list.rows.length, list.isAtEnd], [0, false]);
    fails = false;
    while (!list.isAtEnd) await list.next();
    assert.equal(list.rows.length, 1800);
  });

  it('stop where the user cancels', async () => {
    const stop = new AbortController();
    const { opened, asked } = openHistory((params) => {
      if (params.get('action') === 'tokennfttx') stop.abort();
      return [];
    });
    const list = (await opened).transfers(ALICE);
    assert.equal((await etherscanErrorOf(list.next({ signal: stop.signal }))).kind, 'aborted');
    assert.equal(asked.length, 2);
  });

  it('leave out rows that cannot be read, and say how many', async () => {
    const unreadable = [
      row(9, { hash: 'GENESIS' }),
      row(9, { from: 'GENESIS' }),
      row(9, { to: '' }),
      row(9, { contractAddress: '0x12' }),
      row(9, { from: BOB, to: COIN }),
    ];
    const { opened } = openRows([...unreadable, row(8)]);
    const { list } = await readAll(await opened);
    assert.deepEqual([list.rows.length, list.skipped], [1, 5]);
    assert.deepEqual(list.reasons[0], { code: 'unreadable', count: 5 });
  });

  it('have no amount, decimals or time where these are no numbers, of any length', async () => {
    for (const value of ['9'.repeat(1_000_000), '-1', '1e3', '0x5', '', ' 1']) {
      const { opened } = openRows([row(8, { value, tokenDecimal: value, timeStamp: value })]);
      const { rows } = await readAll(await opened);
      assert.deepEqual(
        rows.map(({ amount, decimals, time }) => [amount, decimals, time]),
        [[undefined, undefined, undefined]],
      );
    }
  });

  const malformed: Readonly<Record<string, unknown>> = {
    'a block that is no number': [row(9, { blockNumber: '9'.repeat(1_000_000) })],
    'rows that are not sorted': [row(8), row(9)],
    'rows above the requested block': [row(99_999_999_999)],
    'no rows': [null],
    text: 'x',
    HTML: new Response('<html>Just a moment…</html>', { headers: { 'content-type': 'text/html' } }),
  };
  for (const [what, answer] of Object.entries(malformed)) {
    it(`are not taken from ${what}`, async () => {
      const { opened } = openHistory(() => answer);
      const list = (await opened).transfers(ALICE);
      assert.equal((await etherscanErrorOf(list.next())).kind, 'badResponse');
    });
  }

  it('end where a server repeats a page for ever', async () => {
    const page = manyRows(5, 1000);
    const { opened, asked } = openHistory(() => page);
    await assert.rejects(readAll(await opened), { kind: 'badResponse' });
    assert.ok(asked.length <= 31, `${asked.length}`);
  });

  it('are all that it has: balances over time are not served', async () => {
    const history = await openRows([]).opened;
    assert.deepEqual(history.offers, { transfers: 'free' });
    assert.throws(() => history.coinBalances(ALICE), { kind: 'notServed' });
    await assert.rejects(history.coinBalancesByDay(ALICE), { kind: 'notServed' });
  });

  describe('over a real node', () => {
    let localnet: SharedLocalnet;
    let server: EtherscanServer;
    before(async () => {
      localnet = await sharedLocalnet();
      const registry = verifiedOf({ chainId: 5, address: ALICE, name: 'Shop', abi: [] });
      const ask = (method: string, params: readonly unknown[]) => localnet.node.call(method, params);
      server = await startEtherscan({ registry, ask, chainIds: [5] });
    });
    after(() => server.stop());

    it('are those that an explorer has', async () => {
      const alice = requireAddress(localnet.chain.accounts.alice);
      const read = async (history: HistoryProvider | undefined) => {
        const list = history?.transfers(alice) ?? assert.fail();
        while (!list.isAtEnd) await list.next();
        return list.rows
          .map(({ logIndex: _, position: __, spam: ___, ...facts }) => Object.values(facts).join(' '))
          .sort();
      };
      const fetch = rerouteEtherscan(() => server.url);
      const { history: etherscan } = await openEtherscanPorts(fetch, 5);
      const { history: explorer } = await openExplorerPorts(localnet.rpcUrl);
      const rows = await read(etherscan);
      assert.ok(rows.length > 50);
      assert.deepEqual(rows, await read(explorer));
    });
  });
});
