import assert from 'node:assert/strict';
import {
  builtInNetworks,
  createExportDecoding,
  createLogStore,
  type Log,
  loadStandardLookup,
  parseLogFilter,
  systemClock,
  toAbiWord,
  toChecksumAddress,
} from '../../../../../src/core/index.ts';
import {
  type ExportableResult,
  type ExportScope,
  type ExportTimes,
  haveTimes,
  suggestExportName,
  type TimesChoice,
} from '../../../../../src/features/logs/export/exportRows.ts';
import { writeExport } from '../../../../../src/features/logs/export/writeExport.ts';
import { RowView } from '../../../../../src/features/logs/results/rowView.ts';
import { eventOf } from '../../../../support/eventLogs.ts';
import { parseCsv } from '../../../../support/exportFiles.ts';
import { bareLog, verdictOf } from '../../../../support/stubs.ts';

const TRANSFER = eventOf('event Transfer(address indexed from, address indexed to, uint256 value)').topic0;
const TOKEN = `0x${'5f'.repeat(20)}` as const;
const [network] = builtInNetworks;

function logAt(block: number, value: bigint): Log {
  const topics = [TRANSFER, toAbiWord(TOKEN), toAbiWord(TOKEN)];
  return bareLog({ address: TOKEN, topics, data: toAbiWord(value), blockNumber: BigInt(block) });
}

async function answerOf(logs: readonly Log[]) {
  const store = createLogStore();
  store.append(logs);
  const rows = new RowView(store, { clock: systemClock, onDidChange: () => undefined });
  const filter = parseLogFilter({ address: TOKEN, topics: [TRANSFER] });
  const lookup = await loadStandardLookup();
  const answer: ExportableResult = {
    network: network ?? assert.fail(),
    client: { openLogQuery: () => assert.fail('The query is asked again.') },
    filter,
    rows: store,
    verdict: verdictOf({ toBlock: 598n, head: 600n, rows: logs.length }),
    decoding: createExportDecoding({ filter, chainId: 1, lookup, first: logs[0], nameOf: () => 'HUSD' }),
  };
  return { answer, rows };
}

async function written(
  answer: ExportableResult,
  scope: 'filtered' | 'loaded',
  times?: TimesChoice,
): Promise<{ readonly blocks: string; readonly times: string; readonly record: ExportRecord }> {
  const texts = ['', ''];
  const files = texts.map((_, index) => ({
    write: async (bytes: Uint8Array) => {
      texts[index] += new TextDecoder().decode(bytes);
    },
  }));
  const [file = assert.fail(), record = assert.fail()] = files;
  await writeExport({
    ...{
      result: answer,
      choice: { format: 'csv', scope, ...(times && { times }) },
      version: '1.0.0',
      clock: systemClock,
    },
    files: { files: [file, record], commit: async () => undefined, discard: async () => undefined },
    ...{ signal: new AbortController().signal, onProgress: () => undefined },
  });
  const [, ...lines] = parseCsv(texts[0] ?? '');
  return {
    blocks: lines.map(([block]) => block).join(),
    times: lines.map(([, time]) => time).join(),
    record: JSON.parse(texts[1] ?? ''),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: it is JSON
type ExportRecord = any;

/**
 * Times that the endpoint tells, of blocks up to `known` without a question; `asked` has the blocks of each question.
 */
function timesUpTo(known: number, tells = true): ExportTimes & { readonly asked: bigint[][] } {
  const asked: bigint[][] = [];
  return {
    ...{ asked, canRead: true, getBatchSize: async () => 100 },
    timeOf: ({ time, blockNumber }) =>
      time ?? (blockNumber <= known ? Number(blockNumber) * 1000 : undefined),
    async read(logs) {
      const blocks = logs.map(({ blockNumber }) => blockNumber);
      asked.push(blocks);
      if (!tells) return undefined;
      const told = blocks.filter((block) => block !== 13n);
      return new Map(
        told.map((block) => [block, { time: Number(block) * 1000, source: 'eth_getBlockByNumber' }]),
      );
    },
  };
}

describe('export of rows with their times', () => {
  it('asks for those that are not known, each block once and a bounded number at a time', async () => {
    const logs = Array.from({ length: 400 }, (_, place) => logAt(Math.floor(place / 2), 1n));
    const { answer } = await answerOf(logs);
    const times = timesUpTo(9);
    const { times: column, record } = await written({ ...answer, times }, 'loaded', 'read');
    assert.deepEqual(
      times.asked.map(({ length }) => length),
      [100, 90],
    );
    assert.equal(new Set(times.asked.flat()).size, 190);
    const cells = column.split(',');
    assert.deepEqual([cells[0], cells[399]], ['1970-01-01T00:00:00Z', '1970-01-01T00:03:19Z']);
    assert.deepEqual([cells[26], record.times], ['', { without: 2, readBy: ['eth_getBlockByNumber'] }]);
    assert.deepEqual(record.columns.slice(0, 2), ['block_number', 'block_timestamp']);
  });

  it('has those that are known without a question, or none', async () => {
    const { answer } = await answerOf([logAt(1, 1n), logAt(2, 2n)]);
    const times = timesUpTo(1);
    const known = await written({ ...answer, times }, 'loaded', 'known');
    assert.deepEqual(
      [known.times, known.record.times],
      ['1970-01-01T00:00:01Z,', { without: 1, readBy: [] }],
    );
    const { record } = await written({ ...answer, times }, 'loaded', 'none');
    assert.deepEqual([record.times, record.columns.includes('block_timestamp')], [undefined, false]);
    assert.deepEqual(times.asked, []);
  });

  it('asks no more once it has heard that nothing tells', async () => {
    const { answer } = await answerOf(Array.from({ length: 300 }, (_, block) => logAt(block, 1n)));
    const times = timesUpTo(-1, false);
    const { record } = await written({ ...answer, times }, 'loaded', 'read');
    assert.deepEqual([times.asked.length, record.times.without], [1, 300]);
  });

  it('looks at few rows before it says whether all are timed', () => {
    const rowsOf = (logs: readonly Log[]) => ({
      length: logs.length,
      slice: (start: number, count: number) => logs.slice(start, start + count),
    });
    const plain = { timeOf: ({ time }: Log) => time };
    const timed = Array.from({ length: 5000 }, (_, block) => ({ ...logAt(block, 1n), time: 0 }));
    assert.equal(haveTimes(rowsOf(timed), plain), true);
    assert.equal(haveTimes(rowsOf([...timed, logAt(9, 1n)]), plain), false);
    assert.equal(haveTimes(rowsOf(timed.slice(0, 2)), plain), true);
    assert.equal(haveTimes(rowsOf([]), plain), false);
  });
});

describe('export of the rows of a panel', () => {
  it('writes the filtered rows as they are shown, and says by what and in which order', async () => {
    const { answer, rows } = await answerOf([
      logAt(1, 0xbeefcafen),
      logAt(2, 0xb2n),
      logAt(3, 0xbeefcafen),
      logAt(4, 0xbeefcafen),
    ]);
    rows.arrange({ filter: 'beefcafe', sort: { column: 'block', descending: true } });
    await rows.ready();
    const filtered = { rows: rows.asShown, filter: 'beefcafe', sort: { by: 'block', descending: true } };
    // What is shown is arranged otherwise before it is written.
    rows.arrange({ filter: '' });
    const { blocks, record } = await written({ ...answer, filtered }, 'filtered');
    assert.equal(blocks, '4,3,1');
    assert.deepEqual(record.filtered, { by: 'beefcafe', of: 4 });
    assert.deepEqual([record.rows, record.rowOrder], [3, { by: 'block', descending: true }]);
  });

  it('writes all that is loaded in the order in which it was read, and says which that is', async () => {
    const oldest = await answerOf([logAt(1, 1n), logAt(2, 2n), logAt(9, 3n)]);
    const one = await written(oldest.answer, 'loaded');
    assert.deepEqual([one.blocks, one.record.rowOrder], ['1,2,9', { by: 'block', descending: false }]);
    assert.equal(one.record.filtered, undefined);
    const newest = await answerOf([logAt(9, 1n), logAt(2, 2n), logAt(1, 3n)]);
    const other = await written(newest.answer, 'loaded');
    assert.deepEqual([other.blocks, other.record.rowOrder], ['9,2,1', { by: 'block', descending: true }]);
    assert.equal((await written((await answerOf([])).answer, 'loaded')).record.rowOrder, undefined);
  });

  it('is named after the contract, the event and the blocks', async () => {
    const { answer } = await answerOf([logAt(1, 1n)]);
    const csv = { extension: 'csv', scope: 'loaded' } as const;
    assert.equal(suggestExportName(answer, csv), 'HUSD-Transfer-0-598.csv');
    assert.equal(
      suggestExportName(answer, { ...csv, scope: 'filtered' }),
      'HUSD-Transfer-0-598-filtered.csv',
    );
    const nameOf = (scope: ExportScope, isRead: boolean) => {
      const reasons = isRead ? [{ code: 'startsLater', block: 7n } as const] : [];
      const verdict = verdictOf({ ...answer.verdict, isRead, reasons });
      return suggestExportName({ ...answer, verdict }, { ...csv, scope });
    };
    assert.equal(nameOf('loaded', false), 'HUSD-Transfer-0-598-partial.csv');
    assert.equal(nameOf('filtered', false), 'HUSD-Transfer-0-598-filtered-partial.csv');
    assert.equal(nameOf('loaded', true), 'HUSD-Transfer-0-598-uncertain.csv');
    assert.equal(nameOf('whole', false), 'HUSD-Transfer-0-598.csv');
    const nameless = { ...answer, decoding: undefined };
    assert.equal(
      suggestExportName(nameless, csv),
      `${toChecksumAddress(TOKEN).slice(0, 10)}-0xddf252ad-0-598.csv`,
    );
    const anything = parseLogFilter({});
    assert.equal(suggestExportName({ ...nameless, filter: anything }, csv), 'logs-mainnet-0-598.csv');
  });
});
