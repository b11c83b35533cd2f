import assert from 'node:assert/strict';
import { EventEmitter } from 'vscode';
import type { Address, Erc20Balance, Price } from '../../../../../src/core/index.ts';
import type { AddressBook } from '../../../../../src/features/addresses/addressBook.ts';
import type {
  BalanceReader,
  NativeBalanceRead,
} from '../../../../../src/features/addresses/balances/balanceReader.ts';
import { createHoverReader } from '../../../../../src/features/addresses/hover/hoverReader.ts';
import type { AddressIdentityCache } from '../../../../../src/features/addresses/identityCache.ts';
import type { Session } from '../../../../../src/host/session/session.ts';
import type { SettingsService } from '../../../../../src/host/settings/settings.ts';
import { createTestClock } from '../../../../support/clocks.ts';

const HOLDER: Address = `0x${'71'.repeat(20)}`;
const TOKEN: Address = `0x${'72'.repeat(20)}`;
const signal = new AbortController().signal;

/** A reader of hovers over answers that a test changes. */
function openReader(price: Price = 'free') {
  const changes = new EventEmitter<void>();
  const asked: string[] = [];
  const world = {
    native: async (): Promise<NativeBalanceRead> => ({
      ...{ balance: { state: 'known', wei: 7n }, head: { block: 5n, firstSeenElapsed: 0 }, readAt: 1 },
    }),
    erc20: async (): Promise<Erc20Balance> => ({ state: 'known', amount: 9n, symbol: 'SEA', decimals: 6 }),
    glance: async () => {},
    hoverTokens: 'ask',
    tokensFrom: 'auto',
    tokens: [TOKEN] as Address[],
    projectTokens: [] as Address[],
  };
  const client = {
    fetchErc20Balance: (contract: Address) => {
      asked.push(`erc20 ${contract}`);
      return world.erc20();
    },
  };
  const session = {
    connection: { client, signal: new AbortController().signal },
    onDidChange: changes.event,
    onDidChangeSources: new EventEmitter<void>().event,
    provider: async () => ({ state: 'ready', provider: { offers: { tokenBalances: price } } }),
  };
  const book = {
    ready: Promise.resolve(),
    get tokens() {
      return world.tokens;
    },
  };
  const settings = {
    get current() {
      return { hoverTokens: world.hoverTokens, tokensFrom: world.tokensFrom };
    },
  };
  const reader = {
    native: () => world.native(),
    tokens: async () => {
      asked.push('tokens');
      return { state: 'ready', balances: { tokens: [] } };
    },
  };
  const clock = createTestClock();
  const hovers = createHoverReader({
    session: session as unknown as Session,
    settings: settings as SettingsService,
    book: book as unknown as AddressBook,
    reader: reader as unknown as BalanceReader,
    projectTokens: { list: () => world.projectTokens, find: async () => world.projectTokens },
    identities: { glance: () => world.glance() } as unknown as AddressIdentityCache,
    clock,
  });
  return {
    ...{ hovers, world, asked, changes, clock, session },
    read: () => hovers.read(HOLDER, { signal }),
  };
}

describe('Reader of hovers', () => {
  it('keeps what was read for a while, and reads anew when a token is watched', async () => {
    const { read, asked, world, clock } = openReader();
    await read();
    await read();
    assert.deepEqual(asked.filter((each) => each !== 'tokens').length, 1);
    world.tokens = [TOKEN, HOLDER];
    const figures = await read();
    assert.ok(figures?.watched.state === 'ready');
    assert.deepEqual(
      figures.watched.value.map(({ contract }) => contract),
      [TOKEN, HOLDER],
    );
    world.tokens = [];
    assert.deepEqual((await read())?.watched, { state: 'ready', value: [] });
    world.tokens = [TOKEN];
    const before = asked.length;
    await clock.sleep(15_100);
    await read();
    assert.ok(asked.length > before);
  });

  it('reads the tokens of the project too, each once, and leaves out what is none', async () => {
    const { read, asked, world } = openReader();
    const gone: Address = `0x${'33'.repeat(20)}`;
    world.projectTokens = [TOKEN, HOLDER, gone];
    world.erc20 = async () =>
      asked.at(-1) === `erc20 ${gone}`
        ? { state: 'notAToken' }
        : { state: 'known', amount: 9n, symbol: 'SEA', decimals: 6 };
    const figures = await read();
    assert.ok(figures?.watched.state === 'ready');
    assert.deepEqual(
      figures.watched.value.map(({ contract }) => contract),
      [TOKEN, HOLDER],
    );
    assert.equal(asked.filter((each) => each.startsWith('erc20')).length, 3);
  });

  it('reads no tokens of another network than the one whose price was looked up', async () => {
    const { read, asked, world, session } = openReader();
    world.tokens = [];
    const { provider } = session;
    session.provider = async () => {
      session.connection = { ...session.connection, signal: new AbortController().signal };
      replaced.abort();
      return provider();
    };
    const replaced = new AbortController();
    session.connection = { ...session.connection, signal: replaced.signal };
    assert.equal(await read(), undefined);
    assert.deepEqual(asked, []);
  });

  it('keeps the last figures where they cannot be read again, until the network changes', async () => {
    const { read, world, changes, clock } = openReader();
    await read();
    await clock.sleep(15_100);
    const fail = async () => {
      throw new Error('down');
    };
    Object.assign(world, { native: fail, erc20: fail });
    const figures = await read();
    assert.ok(figures?.native.state === 'failed' && figures.watched.state === 'failed');
    assert.deepEqual(figures.native.before?.value.balance, { state: 'known', wei: 7n });
    assert.equal(clock.elapsed() - (figures.native.before?.readElapsed ?? 0), 15_100);
    assert.equal(figures.watched.before?.value.length, 1);
    changes.fire();
    const after = await read();
    assert.ok(after?.native.state === 'failed');
    assert.equal(after.native.before, undefined);
  });

  it('is not done before it is seen at a glance what the address is', async () => {
    const { read, world } = openReader();
    let see = () => {};
    world.glance = () =>
      new Promise((resolve) => {
        see = resolve;
      });
    let isRead = false;
    const reading = read().then(() => {
      isRead = true;
    });
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isRead, false);
    see();
    await reading;
    assert.equal(isRead, true);
  });

  it('takes no credits before the user has chosen to, and asks for what is free', async () => {
    const credits = { unit: 'credits', min: 1, max: 1, per: 'question' } as const;
    for (const price of [credits, 'unpublished'] as const) {
      const { read, world, asked } = openReader(price);
      world.tokens = [];
      const source = async () => (await read())?.provider;
      assert.deepEqual(await source(), { state: 'ready', value: { state: 'undecided', price } });
      world.tokensFrom = 'autoWithoutHovers';
      assert.deepEqual(await source(), { state: 'ready', value: { state: 'hidden' } });
      assert.deepEqual(asked, []);
      world.tokensFrom = 'autoWithHovers';
      await source();
      assert.deepEqual(asked, ['tokens']);
    }
    // The older setting holds where the other one does not say it; a data API that is pinned may be used.
    for (const [tokensFrom, hoverTokens, state] of [
      ['auto', 'hide', 'hidden'],
      ['dataApi', 'hide', 'hidden'],
      ['autoWithHovers', 'hide', 'ready'],
      ['auto', 'show', 'ready'],
      ['dataApi', 'ask', 'ready'],
    ] as const) {
      const { read, world } = openReader(credits);
      Object.assign(world, { tokensFrom, hoverTokens });
      const provider = (await read())?.provider;
      assert.equal(provider?.state === 'ready' && provider.value.state, state, tokensFrom + hoverTokens);
    }
    const { read, asked } = openReader('free');
    await read();
    assert.ok(asked.includes('tokens'));
  });

  it('knows the units of a token once it has been read', async () => {
    const { read, hovers, world } = openReader();
    assert.equal(hovers.unitsOf(TOKEN), undefined);
    await read();
    assert.equal(hovers.unitsOf(TOKEN)?.decimals, 6);
    world.tokens = [];
    assert.equal(hovers.unitsOf(HOLDER), undefined);
  });
});
