import assert from 'node:assert/strict';
import { EventEmitter } from 'vscode';
import { createBalanceReader } from '../../../../../src/features/addresses/balances/balanceReader.ts';
import type { Session } from '../../../../../src/host/session/session.ts';
import type { SettingsService } from '../../../../../src/host/settings/settings.ts';
import { createTestClock, type TestClock } from '../../../../support/clocks.ts';
import { type DataApiTest, HOLDER, responseWithItems, withDataApi } from '../../../../support/dataApi.ts';

const HELD = { contract_address: `0x${'72'.repeat(20)}`, balance: '1', nft_data: [{ token_id: '7' }] };

/** A reader over a data API, which answers as of the time of the clock. */
function withReader(
  task: (
    reader: ReturnType<typeof createBalanceReader>,
    api: DataApiTest & { readonly clock: TestClock },
  ) => Promise<void>,
): Promise<void> {
  const clock = createTestClock();
  return withDataApi(
    () => responseWithItems([HELD], { updated_at: null }),
    async (api) => {
      const session = {
        connection: { signal: new AbortController().signal },
        onDidChange: new EventEmitter<void>().event,
        provider: async () => ({ state: 'ready', provider: api.client }),
      } as unknown as Session;
      const settings = { current: { quoteCurrency: 'USD' } } as SettingsService;
      const readHead = async () => ({ block: 1n, firstSeenElapsed: 0 });
      const reader = createBalanceReader({ session, settings, clock, readHead });
      await task(reader, { ...api, clock });
      reader.dispose();
    },
    { clock },
  );
}

describe('Reader of balances', () => {
  for (const question of ['tokens', 'holdings'] as const) {
    it(`keeps ${question} once, so that an answer is never older than it says`, () =>
      withReader(async (reader, { clock, requests }) => {
        const readAt = async () => {
          const figure = await reader[question](HOLDER);
          assert.ok(figure.state === 'ready');
          return ('balances' in figure ? figure.balances : figure.holdings.balances).readAt;
        };
        const first = await readAt();
        assert.equal(first, clock.now());
        await clock.sleep(14_900);
        assert.equal(await readAt(), first);
        await clock.sleep(14_000);
        assert.equal(await readAt(), clock.now());
        assert.equal(requests.length, 2);
      }));
  }

  it('passes a kept answer over when it is to be fresh', () =>
    withReader(async (reader, { clock, requests }) => {
      await reader.tokens(HOLDER);
      await clock.sleep(1_000);
      const figure = await reader.tokens(HOLDER, { fresh: true });
      assert.ok(figure.state === 'ready');
      assert.deepEqual([figure.balances.readAt, requests.length], [clock.now(), 2]);
    }));

  it('sends one request for many who ask at once', () =>
    withReader(async (reader, { requests }) => {
      await Promise.all(Array.from({ length: 20 }, () => reader.holdings(HOLDER)));
      assert.equal(requests.length, 1);
    }));
});
