import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { EventEmitter } from 'vscode';
import { type Address, createChainClient, type FetchLike } from '../../../../../src/core/index.ts';
import { BalanceCache } from '../../../../../src/features/addresses/balances/balanceCache.ts';
import {
  createBalanceReader,
  type NativeBalanceRead,
} from '../../../../../src/features/addresses/balances/balanceReader.ts';
import {
  createVisibleRows,
  followBlocks,
} from '../../../../../src/features/addresses/balances/visibleRows.ts';
import type { WatchedView } from '../../../../../src/features/addresses/values/watchedViews.ts';
import { getAvailableValue } from '../../../../../src/host/loading.ts';
import type { Session } from '../../../../../src/host/session/session.ts';
import type { SettingsService } from '../../../../../src/host/settings/settings.ts';
import { createManualClock } from '../../../../support/clocks.ts';

const ETHER = 10n ** 18n;
const watched = Array.from({ length: 50 }, (_, i): Address => `0x${(i + 1).toString(16).padStart(40, '0')}`);
const [first = '0x'] = watched;

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly string[];
}

/** The watched addresses in a view that can be seen, each with one ether at block 100, and the endpoint behind it. */
async function createFollower() {
  const clock = createManualClock();
  const requests: (readonly Call[])[] = [];
  const endpoint = { wei: ETHER, down: false, hold: undefined as Promise<void> | undefined };
  const fetch: FetchLike = async (_, { body }) => {
    const calls: readonly Call[] = [JSON.parse(body ?? '')].flat();
    requests.push(calls);
    const { wei } = endpoint;
    await endpoint.hold;
    if (endpoint.down) throw new TypeError('fetch failed');
    return Response.json(calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: `0x${wei.toString(16)}` })));
  };
  const client = createChainClient({ url: 'http://node.example', fetch, clock });
  const replaced = new EventEmitter<void>();
  const session = {
    connection: { client, signal: new AbortController().signal },
    onDidChange: replaced.event,
  } as unknown as Session;

  const headChanged = new EventEmitter<void>();
  const headState: { head?: { block: bigint }; error?: unknown } = { head: { block: 100n } };
  const places: Record<string, boolean> = {};
  const head = {
    state: headState,
    onDidChange: headChanged.event,
    setVisible: (place: string, inSight: boolean) => {
      places[place] = inSight;
    },
  };
  const readHead = async () => ({ block: headState.head?.block ?? 0n, firstSeenElapsed: 0 });
  const reader = createBalanceReader({
    ...{ session, clock, readHead },
    settings: {} as SettingsService,
  });

  const drawn: Address[] = [];
  const figures = new BalanceCache<Address, NativeBalanceRead>({
    clock,
    amountOf: ({ balance }) => (balance.state === 'known' ? balance.wei : undefined),
    onChange: (address) => drawn.push(address),
  });
  const seen = new EventEmitter<void>();
  const sight = { view: true, window: true, onDidChange: seen.event };
  const views: WatchedView[] = [];
  const refreshed: string[] = [];
  const inSight = { accounts: watched as readonly Address[], holders: [], showsValues: false };
  const follows = followBlocks({
    ...{ head, visibility: sight, reader, session, clock, visibleRows: inSight },
    balances: {
      onDidChange: () => ({ dispose: () => undefined }),
      settledNatives: (addresses) => addresses.filter((address) => figures.get(address).state !== 'loading'),
      setNative: (address, answer) => figures.set(address, answer),
      showAges: () => figures.showAges(),
    },
    watchedTokens: {
      cached: () => [],
      loadMissing: async () => undefined,
      showAges: () => undefined,
      set: async () => undefined,
    },
    values: {
      get settled() {
        return views;
      },
      refresh: (due) => due.map(async ({ id }) => void refreshed.push(id)),
      onDidChange: () => ({ dispose: () => undefined }),
      showAges: () => undefined,
    },
  });

  /** Lets everything run that waits for nothing but its turn. */
  async function settle(): Promise<void> {
    for (let turn = 0; turn < 50; turn++) await setImmediate();
  }
  async function mined(block: bigint): Promise<void> {
    headState.head = { block };
    delete headState.error;
    headChanged.fire();
    await settle();
  }
  async function lost(): Promise<void> {
    headState.error = new Error('gone');
    headChanged.fire();
    await settle();
  }
  /** Has the endpoint answer no more until what is returned is called. */
  function hold(): () => Promise<void> {
    let release = () => {};
    endpoint.hold = new Promise<void>((resolve) => {
      release = resolve;
    });
    return async () => {
      endpoint.hold = undefined;
      release();
      await settle();
    };
  }
  async function look(where: Partial<Pick<typeof sight, 'view' | 'window'>>): Promise<void> {
    Object.assign(sight, where);
    seen.fire();
    await settle();
  }

  const read = reader.readBatch({ natives: watched, tokens: [] });
  await Promise.all(
    watched.map((address, at) => figures.load(address, () => read.natives[at] ?? Promise.reject())),
  );
  requests.length = 0;
  drawn.length = 0;
  const wei = (address: Address) => {
    const balance = getAvailableValue(figures.get(address))?.balance;
    return balance?.state === 'known' ? balance.wei : balance?.state;
  };
  return {
    ...{ clock, endpoint, requests, drawn, figures, reader, places, follows, inSight, wei },
    ...{ mined, lost, look, hold, settle, replaced, views, refreshed },
  };
}

describe('Balances in sight', () => {
  it('come with watched values while these are shown, also without an address', async () => {
    const { mined, look, places, inSight, views, refreshed, requests } = await createFollower();
    inSight.accounts = [];
    await look({});
    assert.equal(places.addresses, false);
    views.push({ id: 'supply', contract: first, declaration: 'function supply()', args: [] });
    await mined(101n);
    assert.deepEqual(refreshed, []);
    inSight.showsValues = true;
    await look({});
    assert.equal(places.addresses, true);
    assert.deepEqual(refreshed, ['supply']);
    await mined(102n);
    assert.deepEqual([refreshed, requests.length], [['supply', 'supply'], 0]);
  });

  it('take one request for a block that is another one, lower ones too, as when a node begins anew', async () => {
    const { mined, requests, endpoint, wei } = await createFollower();
    await mined(100n);
    assert.equal(requests.length, 0);
    endpoint.wei = 2n * ETHER;
    for (const block of [101n, 3n]) {
      requests.length = 0;
      await mined(block);
      assert.deepEqual([requests.length, requests.flat().length], [1, 50]);
      assert.ok(requests.flat().every(({ method }) => method === 'eth_getBalance'));
    }
    assert.ok(watched.every((address) => wei(address) === 2n * ETHER));
  });

  it('are drawn again only where they have changed, with the difference for a moment', async () => {
    const { mined, endpoint, drawn, figures, clock } = await createFollower();
    await mined(101n);
    assert.deepEqual(drawn, []);
    endpoint.wei = ETHER / 2n;
    await mined(102n);
    assert.deepEqual(new Set(drawn), new Set(watched));
    assert.equal(figures.change(first), -ETHER / 2n);
    endpoint.wei = ETHER;
    await mined(103n);
    assert.equal(figures.change(first), ETHER / 2n);
    await clock.pass(7_999);
    assert.equal(figures.change(first), ETHER / 2n);
    drawn.length = 0;
    await clock.pass(1);
    assert.equal(figures.change(first), undefined);
    assert.deepEqual(new Set(drawn), new Set(watched));
  });

  it('are the same figures that a hover has', async () => {
    const { mined, endpoint, reader, requests } = await createFollower();
    endpoint.wei = 7n;
    await mined(101n);
    const { balance } = await reader.native(first);
    assert.deepEqual([balance, requests.length], [{ state: 'known', wei: 7n }, 1]);
  });

  for (const hidden of ['view', 'window'] as const) {
    it(`are left alone while the ${hidden} is out of sight, and are read once when it is back`, async () => {
      const { mined, look, requests, places } = await createFollower();
      assert.equal(places.addresses, true);
      await look({ [hidden]: false });
      await mined(101n);
      await mined(102n);
      assert.deepEqual(requests, []);
      assert.equal(places.addresses, hidden === 'window');
      await look({ [hidden]: true });
      assert.equal(requests.length, 1);
      await look({ [hidden]: true });
      assert.equal(requests.length, 1);
    });
  }

  it('are not asked for while they are folded away, and are once they are not', async () => {
    const { mined, follows, inSight, requests, settle, places } = await createFollower();
    inSight.accounts = [];
    await mined(101n);
    await mined(102n);
    assert.equal(requests.length, 0);
    inSight.accounts = watched.slice(0, 2);
    follows.onUnfold();
    await settle();
    assert.deepEqual([requests.map((calls) => calls.length), places.addresses], [[2], true]);
  });

  it('pass blocks over while a round is under way', async () => {
    const { mined, hold, requests } = await createFollower();
    const answer = hold();
    await mined(101n);
    await mined(102n);
    await mined(103n);
    assert.equal(requests.length, 1);
    await answer();
    assert.equal(requests.length, 2);
  });

  it('leave a slow endpoint alone for as long as it took', async () => {
    const { mined, hold, settle, requests, clock } = await createFollower();
    const answer = hold();
    await mined(101n);
    await clock.pass(3_000);
    await answer();
    await mined(102n);
    await clock.pass(2_999);
    await settle();
    assert.equal(requests.length, 1);
    await clock.pass(1);
    await settle();
    assert.equal(requests.length, 2);
  });

  it('stay as they were where they cannot be read, and are asked for less and less often', async () => {
    const { mined, endpoint, requests, figures, wei, clock, drawn, settle } = await createFollower();
    endpoint.down = true;
    await mined(101n);
    assert.deepEqual([requests.length, figures.get(first).state, wei(first)], [1, 'failed', ETHER]);
    assert.deepEqual(new Set(drawn), new Set(watched));
    await mined(102n);
    assert.equal(requests.length, 1, 'a new block does not ask before it is time');
    const askedAt: number[] = [];
    for (let seconds = 5; seconds <= 60; seconds += 5) {
      drawn.length = 0;
      const before = requests.length;
      await clock.pass(5_000);
      await settle();
      assert.ok(drawn.includes(first), 'the age is drawn again');
      if (requests.length > before) askedAt.push(seconds);
    }
    assert.deepEqual(askedAt, [5, 15, 35, 55]);
    endpoint.down = false;
    endpoint.wei = 3n * ETHER;
    await clock.pass(20_000);
    await settle();
    assert.deepEqual([figures.get(first).state, wei(first)], ['loaded', 3n * ETHER]);
    drawn.length = 0;
    await clock.pass(60_000);
    await settle();
    assert.deepEqual(new Set(drawn), new Set(watched), 'the difference went, and no age is drawn any more');
  });

  it('are asked for once while the endpoint is lost, and at once when it answers again, at the same block too', async () => {
    const { mined, lost, endpoint, requests, figures, clock, settle } = await createFollower();
    endpoint.down = true;
    await lost();
    await lost();
    assert.deepEqual([requests.length, figures.get(first).state], [1, 'failed']);
    await clock.pass(60_000);
    await settle();
    assert.equal(requests.length, 1);
    endpoint.down = false;
    await mined(100n);
    assert.deepEqual([requests.length, figures.get(first).state], [2, 'loaded']);
    endpoint.down = true;
    await lost();
    endpoint.down = false;
    await mined(100n);
    assert.deepEqual([requests.length, figures.get(first).state], [4, 'loaded']);
  });

  it('of another network are none of these', async () => {
    const { mined, hold, figures, replaced, requests } = await createFollower();
    const answer = hold();
    await mined(101n);
    figures.clear();
    replaced.fire();
    await answer();
    assert.equal(figures.get(first).state, 'idle');
    requests.length = 0;
    await mined(7n);
    assert.deepEqual(requests, [], 'the first block of a network finds figures of it');
  });

  it('are not asked for any more once the view is gone', async () => {
    const { mined, follows, requests, places } = await createFollower();
    follows.dispose();
    await mined(101n);
    assert.deepEqual([requests, places.addresses], [[], false]);
  });
});

const [alice, bob, carol]: readonly Address[] = ['11', '22', '33'].map(
  (byte): Address => `0x${byte.repeat(20)}`,
);
assert.ok(alice && bob && carol);

/** What is in sight, and what was asked to be loaded for it. */
function createRows() {
  const loaded: (readonly Address[])[] = [];
  const inSight = createVisibleRows({
    balances: {
      load: async (address) => void loaded.push([address]),
      loadNatives: async (addresses) => void loaded.push(addresses),
    },
    watchedTokens: { load: async () => undefined },
    identities: { load: async () => undefined, loadListed: async () => undefined },
    values: { load: async () => void loaded.push([]) },
  });
  return { inSight, loaded };
}

describe('What is in sight of addresses', () => {
  it('is what is listed, each once, and what is open, wherever it stands', () => {
    const { inSight, loaded } = createRows();
    inSight.listed('watched', [alice, bob]);
    inSight.listed('recent', [bob]);
    inSight.opened(`workspace/file:///a/b.sol/${carol}`, carol);
    inSight.opened(`watched/${alice}`, alice);
    assert.deepEqual(inSight.accounts, [alice, bob, carol]);
    assert.deepEqual(inSight.holders, [carol, alice]);
    assert.deepEqual(loaded, [[alice, bob], [bob], [carol], [alice]]);
  });

  it('is not what is folded away, itself or with what it stands in', () => {
    const { inSight } = createRows();
    inSight.listed('watched', [alice]);
    inSight.opened(`watched/${alice}`, alice);
    inSight.opened(`workspace/file:///a/b.sol/${carol}`, carol);
    inSight.fold(`watched/${alice}`);
    assert.deepEqual([inSight.accounts, inSight.holders], [[alice, carol], [carol]]);
    inSight.fold('workspace');
    assert.deepEqual([inSight.accounts, inSight.holders], [[alice], []]);
    inSight.fold('watched');
    assert.deepEqual([inSight.accounts, inSight.holders], [[], []]);
    assert.equal(inSight.unfold('workspace'), true);
    assert.equal(inSight.unfold('workspace'), false);
    assert.deepEqual([inSight.accounts, inSight.holders], [[carol], [carol]]);
  });

  it('has the watched values, unless they are folded away', () => {
    const { inSight, loaded } = createRows();
    assert.equal(inSight.showsValues, false);
    inSight.listedValues('values');
    assert.deepEqual([inSight.showsValues, loaded], [true, [[]]]);
    inSight.fold('values');
    assert.equal(inSight.showsValues, false);
    inSight.unfold('values');
    assert.equal(inSight.showsValues, true);
  });

  it('is not what has left its group, though nobody has folded it', () => {
    const { inSight } = createRows();
    inSight.listed('watched', [alice, bob]);
    inSight.opened(`watched/${bob}`, bob);
    inSight.listed('watched', [alice]);
    assert.deepEqual([inSight.accounts, inSight.holders], [[alice], []]);
  });
});
