import assert from 'node:assert/strict';
import {
  type Address,
  createLogStore,
  createRowSequence,
  systemClock,
} from '../../../../../src/core/index.ts';
import { createLogFilter } from '../../../../../src/core/logs/query/filter.ts';
import { RowReader } from '../../../../../src/features/logs/decoded/rowReader.ts';
import { formatGroups } from '../../../../../src/features/logs/groups/formatGroups.ts';
import { listGroupOffers, suggestGrouping } from '../../../../../src/features/logs/groups/groupOffers.ts';
import { GroupView } from '../../../../../src/features/logs/groups/groupView.ts';
import type { GroupColumnId } from '../../../../../src/features/logs/protocol/groups.ts';
import { loadedArrangement, RowView } from '../../../../../src/features/logs/results/rowView.ts';
import type { LogDecoding } from '../../../../../src/host/logDecoding.ts';
import { explainTableFilter } from '../../../../../src/host/tableFilter.ts';
import type { RowsFormat } from '../../../../../src/messaging/rowSelection.ts';
import { createOfflineDecoding, lookupOf } from '../../../../support/decodingStubs.ts';
import { eventOf, logOfEvent } from '../../../../support/eventLogs.ts';
import { anyNetwork, l10n, rowTimes } from '../../../../support/stubs.ts';

const TRANSFER = 'event Transfer(address indexed from, address indexed to, uint256 value)';
const transfer = eventOf(TRANSFER);
const TOKEN: Address = `0x${'5f'.repeat(20)}`;
const account = (digit: number): Address => `0x${`${digit}`.repeat(40)}`;
const DAY_MS = 86_400_000;
const UNIT = 10n ** 6n;

/** @param others events that the query may find beside transfers. */
function createGroups(others: readonly string[] = []) {
  const meaning: LogDecoding = {
    ...createOfflineDecoding(lookupOf(TRANSFER, ...others)),
    nameOf: (address) => (address === account(7) ? 'Treasury' : undefined),
    findAddressesByName: (text) => ('treasury'.includes(text.toLowerCase()) ? [account(7)] : []),
    unitsOf: () => ({ symbol: 'USD', decimals: 6 }),
  };
  const reader = new RowReader(meaning, l10n, rowTimes());
  const filter = createLogFilter({
    ...{ addresses: [TOKEN], fromBlock: 0n, toBlock: 'latest' },
    topics: others.length > 0 ? [] : [[transfer.topic0]],
  });
  reader.queried = { network: anyNetwork(1), filter } as unknown as NonNullable<RowReader['queried']>;
  const store = createLogStore();
  const sequence = createRowSequence(store, 'oldestFirst');
  const rows = new RowView(store, {
    ...{ clock: systemClock, onDidChange: () => undefined },
    knowledge: (of) => reader.createKnowledge(of),
  });
  const requested: bigint[] = [];
  const view = new GroupView({
    ...{ rows, reader, clock: systemClock, onDidChange: () => undefined, isPaused: () => false },
    results: { resultId: 'one', rows: store, sequence },
    toMessage: (error) => (error instanceof Error ? error.message : String(error)),
    async fetchTimes(blocks) {
      requested.push(...blocks);
      return new Map(
        blocks.map((block) => [
          block,
          { time: Math.floor(Number(block) / 100) * DAY_MS, source: 'eth_getBlockByNumber' },
        ]),
      );
    },
  });
  return {
    ...{ view, rows, store, requested },
    append(...transfers: readonly (readonly [block: number, to: number, value: bigint])[]): void {
      store.append(
        transfers.map(([block, to, value]) => ({
          ...logOfEvent(transfer, [account(1), account(to), value], { address: TOKEN, block: BigInt(block) }),
          blockHash: `0x${String(block).padStart(64, '0')}` as const,
        })),
      );
      rows.sync(store, sequence);
    },
    async shown(...columns: readonly GroupColumnId[]): Promise<readonly string[]> {
      await view.ready();
      const { reader: groups } = view.shown ?? assert.fail(view.error);
      return view
        .listGroups(0, 100)
        .map((group) => columns.map((column) => groups.cell(group, column).text).join(' '));
    },
    async text(format: RowsFormat): Promise<string> {
      await view.ready();
      const { shown: groups, reader: groupReader } = view.shown ?? assert.fail(view.error);
      const options = { clock: systemClock, signal: new AbortController().signal };
      const parts: string[] = [];
      const table = { groups, reader: groupReader };
      for await (const part of formatGroups(format, table, options)) parts.push(part);
      return parts.join('');
    },
  };
}

describe('groups of the rows of a panel', () => {
  const toAndValue = { by: ['to'], sum: 'value' };

  it('have sums in units, the first and last amount, names and shares', async () => {
    const { view, append, shown } = createGroups();
    append([1, 2, 3n * UNIT], [2, 7, 5n * UNIT], [3, 2, UNIT], [4, 7, UNIT]);
    view.choose(toAndValue);
    assert.deepEqual(await shown('group0', 'sum', 'count', 'share', 'first', 'last', 'lastBlock'), [
      'Treasury 6.00 USD 2 60.0% 5.00 USD 1.00 USD 4',
      '0x2222…2222 4.00 USD 2 40.0% 3.00 USD 1.00 USD 3',
    ]);
  });

  it('are sorted by each column, and filtered by text and by numbers as they are shown', async () => {
    const { view, append, shown } = createGroups();
    append([1, 2, 3n * UNIT], [2, 7, 5n * UNIT], [3, 3, UNIT], [4, 3, 1n]);
    view.choose(toAndValue);
    const arrange = (filter: string, column?: GroupColumnId, descending = false) => {
      view.arrange({ filter, sort: column && { column, descending } });
      return shown('group0');
    };
    const [two, three] = ['0x2222…2222', '0x3333…3333'];
    assert.deepEqual(await arrange('', 'sum'), [three, two, 'Treasury']);
    assert.deepEqual(await arrange('', 'count', true), [three, 'Treasury', two]);
    assert.deepEqual(await arrange('', 'group0', true), ['Treasury', three, two]);
    assert.deepEqual(await arrange('treas'), ['Treasury']);
    assert.deepEqual(await arrange('to:Treasury'), ['Treasury']);
    assert.deepEqual(await arrange(account(3)), [three]);
    assert.deepEqual(await arrange('sum>=3 count=1'), ['Treasury', two]);
    assert.deepEqual(await arrange('sum<2'), [three]);
    append([5, 4, 10n ** 24n + 1n]);
    assert.deepEqual(await arrange('sum=1000000000000000000.000000'), []);
    assert.deepEqual(await arrange('sum=1000000000000000000.000001'), ['0x4444…4444']);
    assert.deepEqual(await arrange('sum=1000000000000000000000001'), ['0x4444…4444']);
    assert.deepEqual(await arrange('sum>1000000000000000000'), ['0x4444…4444']);
    assert.deepEqual(await arrange('sum>-0.5 sum<-.1'), []);
    assert.deepEqual(await arrange('nobody'), []);
    assert.deepEqual(await arrange('sum >= 3 count = 1'), ['0x4444…4444', 'Treasury', two]);
    assert.deepEqual(await arrange('to : Treasury'), ['Treasury']);
    assert.deepEqual(await arrange('to != Treasury count = 1'), ['0x4444…4444', two]);
    assert.deepEqual((await arrange('count >')).length, 4);
    assert.deepEqual(await arrange('amount > 5'), []);
    assert.deepEqual(await arrange('sum > 1e18'), ['0x4444…4444']);
    assert.deepEqual(await arrange('sum => 1_000_000'), ['0x4444…4444']);
    assert.deepEqual(await arrange('to > Treasury'), []);
    const { columns } = view.shown?.reader ?? assert.fail();
    assert.deepEqual(explainTableFilter('amount > 5 count > 9 nobody', columns, l10n), [
      'No field is called amount. Fields: to, Sum, Count, Share, Minimum, Maximum, First, Last, FirstBlock, LastBlock',
    ]);
    assert.deepEqual(explainTableFilter('sum > 1k to:Treasury count > 1e3 last <', columns, l10n), [
      'sum is a number, and 1k is not. For a range, enter sum>=100 sum<=200.',
    ]);
  });

  it('follow rows that come later, and only count those that pass the filter of rows', async () => {
    const { view, rows, append, shown, store } = createGroups();
    append([1, 2, 3n]);
    view.choose({ by: ['to'] });
    assert.deepEqual(await shown('count', 'share'), ['1 100.0%']);
    append([2, 2, 3n], [3, 7, 4n]);
    assert.deepEqual(await shown('count'), ['2', '1']);
    rows.arrange({ filter: 'to:Treasury' });
    await rows.ready();
    assert.deepEqual(await shown('group0'), ['Treasury']);
    rows.arrange(loadedArrangement);
    const isInGroup = view.shown?.groups.createRowTest(0);
    rows.arrange({ filter: '', within: isInGroup });
    await rows.ready();
    assert.deepEqual([rows.length, rows.at(0)?.number, store.length], [1, 2, 3]);
    rows.sync(createLogStore());
    assert.equal(rows.requested.within, undefined);
  });

  it('of days take the times of few blocks, each once', async () => {
    const { view, append, shown, requested } = createGroups();
    append([10, 2, 1n], [20, 2, 1n], [30, 2, 1n], [110, 2, 1n]);
    view.choose({ by: ['day'] });
    assert.deepEqual(await shown('group0', 'count'), ['1970-01-01 3', '1970-01-02 1']);
    append([120, 2, 1n]);
    assert.deepEqual(await shown('count'), ['3', '2']);
    assert.equal(new Set(requested).size, requested.length);
    view.choose({ by: ['block:100'] });
    assert.deepEqual(await shown('group0', 'count'), ['0 – 99 3', '100 – 199 2']);
  });

  it('are tables with exact values, and JSON as on the command line', async () => {
    const { view, append, text } = createGroups();
    append([1, 7, 3n * UNIT]);
    view.choose(toAndValue);
    assert.equal(
      await text('csv'),
      'to,Sum,Count,Minimum,Maximum,First,Last,First block,Last block\r\n' +
        `0x${'7'.repeat(40)},3000000,1,3000000,3000000,3000000,3000000,1,1\r\n`,
    );
    assert.match(await text('markdown'), /\| Treasury \| 3\.00 USD \| 1 \| 100\.0% \|/);
    assert.deepEqual(JSON.parse(await text('json')), {
      ...{ group: { to: account(7) }, count: '1', sum: '3000000', min: '3000000', max: '3000000' },
      ...{ firstBlock: '1', lastBlock: '1', first: '3000000', last: '3000000' },
    });
  });

  it('are of a parameter by its exact name, of anonymous events too, and name an empty text', async () => {
    const upper = 'event Upper(uint256 Value, string note)';
    const hidden = 'event Hidden(address indexed to, uint256 value) anonymous';
    const { view, append, store, rows, shown } = createGroups([upper, hidden]);
    append([1, 2, 5n]);
    store.append([
      logOfEvent(eventOf(upper), [100n, ''], { address: TOKEN, block: 2n }),
      logOfEvent(eventOf(hidden), [account(2), 7n], { address: TOKEN, block: 3n }),
      logOfEvent(eventOf(hidden), [account(3), 1n], { address: TOKEN, block: 4n }),
    ]);
    rows.sync(store, createRowSequence(store, 'oldestFirst'));
    view.choose({ by: ['to'], sum: 'value' });
    assert.deepEqual(await shown('group0', 'count'), ['0x2222…2222 2', '0x3333…3333 1']);
    assert.equal(view.shown?.groups.at(0).totals?.sum, 12n);
    view.choose({ by: [], sum: 'Value' });
    assert.deepEqual(await shown('sum', 'count'), ['100 1']);
    view.choose({ by: ['note'] });
    assert.deepEqual(await shown('group0', 'count'), ['(empty) 1']);
    view.choose({ by: ['event'] });
    assert.deepEqual(await shown('group0', 'count'), ['Hidden 2', 'Transfer 1', 'Upper 1']);
  });

  it('have no units where an event means another number, unless events are apart', async () => {
    const rated = 'event Rated(address indexed to, uint256 value)';
    const { view, append, store, rows, shown } = createGroups([rated]);
    append([1, 2, 5n * UNIT]);
    store.append([logOfEvent(eventOf(rated), [account(2), 7n], { address: TOKEN, block: 2n })]);
    rows.sync(store, createRowSequence(store, 'oldestFirst'));
    view.choose({ by: ['to'], sum: 'value' });
    assert.deepEqual(await shown('sum', 'max'), ['5,000,007 5,000,000']);
    view.choose({ by: ['event'], sum: 'value' });
    assert.deepEqual(await shown('group0', 'sum'), ['Transfer 5.00 USD', 'Rated 7']);
  });

  it('say what is wrong with a field, until another one is chosen', async () => {
    const { view, append, shown } = createGroups();
    append([1, 7, 3n]);
    view.choose({ by: ['recipient'] });
    await view.ready();
    assert.match(view.error ?? '', /no parameter|has a parameter recipient\. Use one of from, to, value/);
    view.choose({ by: ['to'] });
    assert.deepEqual(await shown('group0'), ['Treasury']);
    assert.equal(view.error, undefined);
  });

  it('are offered by what the event has, first by who got how much', () => {
    const odd = eventOf('event Odd(uint256 day, address indexed who)');
    const choice = { by: ['gone'] };
    const verdict = { fromBlock: 0n, toBlock: 2500n };
    const { fields, sums } = listGroupOffers([odd], { choice, verdict, l10n });
    const values = fields.map(({ value }) => value).join(' ');
    assert.equal(values, 'args.day who address event day block block:10 block:100 block:1000 gone');
    assert.deepEqual(sums, [{ value: 'args.day', label: 'day' }]);
    assert.deepEqual(
      suggestGrouping(transfer, () => false),
      { by: ['to'], sum: 'value' },
    );
    assert.deepEqual(
      suggestGrouping(transfer, (index) => index === 1),
      { by: ['from'], sum: 'value' },
    );
    assert.deepEqual(
      suggestGrouping(undefined, () => false),
      { by: ['event'] },
    );
  });
});
