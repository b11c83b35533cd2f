import assert from 'node:assert/strict';
import { type DialectName, defaultDialect } from '../../../../../localnet/explorer/dialects.ts';
import { readMovement } from '../../../../../localnet/tokens/movements.ts';
import {
  type Address,
  requireAddress,
  type TokenTransfer,
  ZERO_ADDRESS,
} from '../../../../../src/core/index.ts';
import { openExplorer, openExplorerPorts } from '../../../../support/explorer.ts';
import { type SharedLocalnet, sharedLocalnet } from '../../../../support/sharedLocalnet.ts';

const eras: readonly DialectName[] = ['v5.1.4', 'v9.1', 'v11.2', 'v12'];

describe('what came to an address and went from it, by an explorer', () => {
  let localnet: SharedLocalnet;
  let alice: Address;

  before(async () => {
    localnet = await sharedLocalnet();
    alice = requireAddress(localnet.chain.accounts.alice);
  });
  beforeEach(() => localnet.setDialect(defaultDialect));

  async function readAll(address: Address, filter = {}) {
    const { history } = await openExplorerPorts(localnet.rpcUrl);
    const list = history.transfers(address, filter);
    while (!list.isAtEnd) await list.next();
    assert.deepEqual([list.reasons, list.skipped], [[], 0]);
    return list.rows;
  }
  const line = (transfer: TokenTransfer) =>
    [transfer.transactionHash, transfer.logIndex, transfer.contract, transfer.tokenId, transfer.amount].join(
      ' ',
    );

  /** The same out of the logs of the chain. */
  function fromLogs(isWanted: (parties: { from: string; to: string; standard: string }) => boolean) {
    const { index } = localnet;
    return [...index.logs({ from: 0, to: index.head() ?? 0 })].reverse().flatMap((log) => {
      const moved = readMovement(log);
      if (!moved || !isWanted(moved)) return [];
      const { transactionHash, logIndex } = log;
      return moved.amounts.map((amount, place) =>
        [transactionHash, logIndex, moved.contract, moved.tokenIds[place], amount].join(' '),
      );
    });
  }

  for (const era of eras) {
    it(`is every transfer of the logs, newest first, those of a batch that two pages share too: ${era}`, async () => {
      localnet.setDialect(era);
      const all = await readAll(alice);
      assert.ok(all.length > 50, `${all.length} are a page`);
      assert.deepEqual(
        all.map(line),
        fromLogs(({ from, to }) => from === alice || to === alice),
      );
      const minted = await readAll(ZERO_ADDRESS, { standards: ['erc1155'] });
      assert.equal(minted.length, 53);
      assert.deepEqual(
        minted.map(line),
        fromLogs((moved) => moved.standard === 'erc1155' && [moved.from, moved.to].includes(ZERO_ADDRESS)),
      );
      assert.ok(minted.every(({ position }) => position < 5));
    });
  }

  it('is what is asked for: one direction, one token', async () => {
    const token = requireAddress(localnet.chain.contracts.usd.address);
    const came = await readAll(alice, { direction: 'to', token });
    assert.ok(came.length > 0 && came.every(({ to, contract }) => to === alice && contract === token));
    assert.ok(
      came.every(({ time, symbol, decimals }) => time !== undefined && symbol === 'HUSD' && decimals === 6),
    );
  });

  it('is a balance over time that ends at what the node has', async () => {
    for (const era of eras) {
      localnet.setDialect(era);
      const { history } = await openExplorerPorts(localnet.rpcUrl);
      const list = history.coinBalances(alice);
      while (!list.isAtEnd) await list.next();
      const now = BigInt((await localnet.node.call('eth_getBalance', [alice, 'latest'])) as string);
      assert.equal(list.rows[0]?.wei, now);
      assert.ok(list.rows.length > 50);
      const { days, reasons } = await history.coinBalancesByDay(alice);
      assert.equal(days[0]?.wei, now);
      assert.deepEqual(reasons, [{ code: 'recentDays', days: era === 'v5.1.4' ? undefined : 10 }]);
      const dates = days.map(({ date }) => date).reverse();
      assert.deepEqual(dates, dates.toSorted());
    }
  });

  it('is not the whole of it at the end of a list while the explorer has not indexed every block', async () => {
    localnet.explorer.setRest({ indexedBlocks: 0.5 });
    try {
      const { history } = await openExplorerPorts(localnet.rpcUrl);
      const list = history.transfers(alice);
      await list.next();
      assert.deepEqual([list.isAtEnd, list.reasons], [false, []]);
      while (!list.isAtEnd) await list.next();
      assert.deepEqual(list.reasons, [{ code: 'indexing', ratio: 0.5 }]);
      const { reasons } = await history.coinBalancesByDay(alice);
      assert.deepEqual(
        reasons.map(({ code }) => code),
        ['recentDays', 'indexing'],
      );
    } finally {
      localnet.explorer.setRest({});
    }
  });

  it('asks for a page again that failed, and goes on behind it', async () => {
    const item = (n: number) => ({
      ...{ transaction_hash: `0x${n.toString(16).padStart(64, '0')}`, block_number: n, log_index: 0 },
      ...{ from: { hash: alice }, to: { hash: alice }, token: { address_hash: alice, type: 'ERC-20' } },
      total: { value: '1', decimals: null },
    });
    let failed = false;
    const { ports } = await openExplorer(({ pathname, searchParams }) => {
      if (!pathname.endsWith('/token-transfers')) return undefined;
      if (!searchParams.has('index')) return { body: { items: [item(2)], next_page_params: { index: 1 } } };
      if (failed) return { body: { items: [item(1)], next_page_params: null } };
      failed = true;
      return { status: 403, body: {} };
    });
    const list = ports.history.transfers(alice);
    await list.next();
    await assert.rejects(list.next(), { kind: 'forbidden' });
    assert.equal(list.isAtEnd, false);
    await list.next();
    assert.deepEqual([list.rows.length, list.isAtEnd], [2, true]);
  });
});
