import assert from 'node:assert/strict';
import {
  createLogStore,
  type Hex,
  type Log,
  parseLogFilter,
  systemClock,
  toChecksumAddress,
} from '../../../../../src/core/index.ts';
import { RowReader } from '../../../../../src/features/logs/decoded/rowReader.ts';
import { formatRowsToCopy } from '../../../../../src/features/logs/export/exportRows.ts';
import type { LogDecoding } from '../../../../../src/host/logDecoding.ts';
import { MAX_COPIED_ROWS } from '../../../../../src/host/tableText.ts';
import type { RowsFormat } from '../../../../../src/messaging/rowSelection.ts';
import { createOfflineDecoding, lookupOf } from '../../../../support/decodingStubs.ts';
import { eventOf, logOfEvent } from '../../../../support/eventLogs.ts';
import { parseCsv } from '../../../../support/exportFiles.ts';
import { anyNetwork, l10n, rowTimes } from '../../../../support/stubs.ts';

const NOTE = 'event Note(address indexed by, uint256 amount, string text)';
const TREASURY = `0x${'70'.repeat(20)}` as const;
const OTHER = '0x000000000000000000000000000000000000dEaD';

const meaning: LogDecoding = {
  ...createOfflineDecoding(lookupOf(NOTE)),
  nameOf: (address) => (address === TREASURY ? 'Treasury | main' : undefined),
};

function note(by: string, amount: bigint, text: string): Log {
  return logOfEvent(eventOf(NOTE), [by.toLowerCase(), amount, text], { block: 7n });
}

async function copied(
  format: RowsFormat,
  logs: readonly Log[],
  topics: readonly Hex[] = [eventOf(NOTE).topic0],
): Promise<string | undefined> {
  const reader = new RowReader(meaning, l10n, rowTimes(new Map([[7n, 1_767_323_045_000]])));
  const address = logs[0]?.address;
  reader.queried = {
    filter: parseLogFilter({ address, topics: topics.length === 0 ? [] : [[...topics]] }),
    network: anyNetwork(1),
    client: { url: '' } as never,
  };
  const store = createLogStore();
  store.append(logs);
  const rows = { count: logs.length, logAt: store.get, table: reader.createTable(store) };
  return formatRowsToCopy(format, rows, { clock: systemClock, signal: new AbortController().signal });
}

describe('copied rows', () => {
  it('are a table of exact values for spreadsheets', async () => {
    const text =
      (await copied('tsv', [note(TREASURY, 1250n, 'a\tb'), note(OTHER, 1n, '=HYPERLINK("x")')])) ?? '';
    const [header, first, second] = text.split('\r\n');
    assert.equal(header, 'Block\tTime\tby\tamount\ttext\tTransaction\tIndex');
    assert.match(first ?? '', /^7\t2026-01-02T03:04:05Z\t0x7070\w{36}\t1250\t"a\tb"\t0x9{64}\t3$/);
    assert.match(
      second ?? '',
      new RegExp(`^7\t2026-01-02T03:04:05Z\t${OTHER}\t1\t"'=HYPERLINK\\(""x""\\)"\t`),
    );
  });

  it('are CSV of the columns that are shown', async () => {
    const hostile = 'a,"b"\r\n SUM(1)';
    const [header, row] = parseCsv((await copied('csv', [note(OTHER, 10n ** 30n, hostile)])) ?? '');
    assert.deepEqual(header, ['Block', 'Time', 'by', 'amount', 'text', 'Transaction', 'Index']);
    assert.deepEqual(row?.slice(0, 5), ['7', '2026-01-02T03:04:05Z', OTHER, `1${'0'.repeat(30)}`, hostile]);
  });

  it('are a Markdown table of what is shown, whatever stands in a cell', async () => {
    const text = await copied('markdown', [
      note(TREASURY, 1250n, 'x | y `code`\n[a](https://evil) <b> $1$ @all'),
      note(OTHER, 1n, 'plain words, 1.5'),
    ]);
    const lines = text?.split('\n') ?? [];
    assert.equal(lines[0], '| Block | Time | by | amount | text | Transaction | Index |');
    assert.equal(lines[1], '| ---: | --- | --- | ---: | --- | --- | ---: |');
    assert.equal(lines.length, 5);
    assert.ok(
      lines[2]?.startsWith('| 7 | 2026-01-02T03:04:05Z | Treasury \\| main | 1,250 | x \\| y \\`code\\`'),
      lines[2],
    );
    assert.ok(lines[2]?.includes('\\(`https://evil`\\)') && lines[2].includes('`@all`'), lines[2]);
    assert.doesNotMatch(lines[2]?.replaceAll(/\\.|`[^`]+`/g, '') ?? '', /[`[\]<>$@]/);
    assert.equal(lines[2]?.replaceAll(/\\./g, '').split('|').length, 9);
    assert.ok(
      lines[3]?.startsWith(`| 7 | 2026-01-02T03:04:05Z | ${OTHER} | 1 | plain words, 1.5 | 0x99`),
      lines[3],
    );
  });

  it('are JSON with checksummed addresses, exact integers and the time: an object alone, or a list', async () => {
    const one = note(OTHER, 10n ** 30n, 'x');
    const alone = JSON.parse((await copied('json', [one])) ?? '');
    assert.deepEqual(
      [alone.blockNumber, alone.data, alone.timestamp],
      ['0x7', one.data, '2026-01-02T03:04:05Z'],
    );
    assert.deepEqual(
      [alone.address, alone.decoded.event],
      [toChecksumAddress(one.address), 'Note(address,uint256,string)'],
    );
    assert.deepEqual(
      alone.decoded.args.map(({ value }: { readonly value: string }) => value),
      [OTHER, `1${'0'.repeat(30)}`, 'x'],
    );
    const list = JSON.parse((await copied('json', [one, note(OTHER, 2n, 'two')])) ?? '');
    assert.deepEqual(list[0], alone);
    assert.notDeepEqual(list[1], alone);
  });

  it('have full values in the same columns where the query is for any event', async () => {
    const unknown = {
      ...note(OTHER, 1n, ''),
      topics: [`0x${'ab'.repeat(32)}`, `0x${'cd'.repeat(32)}`] as const,
    };
    const logs = [note(OTHER, 1250n, 'one'), unknown];
    const [header, first, second] = parseCsv((await copied('csv', logs, [])) ?? '');
    assert.deepEqual(header, ['Block', 'Time', 'Transaction', 'Index', 'Address', 'Event', 'Arguments']);
    const address = toChecksumAddress(logs[0]?.address ?? '0x');
    assert.deepEqual(first?.slice(0, 6), [
      ...['7', '2026-01-02T03:04:05Z', `0x${'9'.repeat(64)}`, '3', address],
      'Note(address,uint256,string)',
    ]);
    assert.deepEqual(JSON.parse(first?.[6] ?? ''), [
      { name: 'by', type: 'address', value: OTHER },
      { name: 'amount', type: 'uint256', value: '1250' },
      { name: 'text', type: 'string', value: 'one' },
    ]);
    assert.equal(second?.[5], unknown.topics[0]);
    assert.deepEqual(JSON.parse(second?.[6] ?? ''), { topics: [unknown.topics[1]], data: unknown.data });
    const markdown = await copied('markdown', logs, []);
    assert.ok(markdown?.includes(`Note  by ${OTHER}  amount 1,250  text one`), markdown);
  });

  it('are none where there are too many: a part would be taken for all', async () => {
    const one = note(OTHER, 1n, '');
    const most = Array.from({ length: MAX_COPIED_ROWS }, () => one);
    assert.equal((await copied('csv', most))?.split('\r\n').length, MAX_COPIED_ROWS + 2);
    assert.equal(await copied('csv', [...most, one]), undefined);
  });

  it('are none where they are too long for a clipboard', async () => {
    const long = note(OTHER, 1n, 'x'.repeat(900_000));
    assert.notEqual(await copied('tsv', [long, long]), undefined);
    assert.equal(await copied('tsv', [long, long, long, long, long]), undefined);
  });
});
