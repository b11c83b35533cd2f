import assert from 'node:assert/strict';
import { attachEnums } from '../../../../src/core/abi/enums.ts';
import { parseAbiItem } from '../../../../src/core/abi/item.ts';
import {
  emptyForm,
  type Network,
  type QueryForm,
  type Verdict,
  type VerdictReason,
} from '../../../../src/core/index.ts';
import { getLogLink } from '../../../../src/features/logs/decoded/logDetails.ts';
import {
  formatLoadingProgress,
  formatResultDetails,
  formatRowCount,
  formatStatus,
} from '../../../../src/features/logs/panel/formatStatus.ts';
import {
  formatPanelTitle,
  formatQueryLine,
  formatRangeTitle,
  makeTitlesDistinct,
  type QueryToDescribe,
} from '../../../../src/features/logs/panel/queryTitle.ts';
import { isSameForm, validateQueryForm } from '../../../../src/features/logs/protocol/protocol.ts';
import { loadedArrangement } from '../../../../src/features/logs/results/rowView.ts';
import { bareLog, english, l10n, verdictOf } from '../../../support/stubs.ts';

const TOKEN = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const log = bareLog({ blockNumber: 2n ** 53n - 1n });
const network = { name: 'Palm' } as Network;
const basis = { toBlock: 12_345n, requests: 2 };
const complete = verdictOf(basis);

const noResults = {
  loading: undefined,
  backoff: undefined,
  progress: undefined,
  verdict: undefined,
  sequence: { count: 0 },
  isFollowed: false,
  notice: undefined,
  error: undefined,
  loadedAt: undefined,
  age: 4200,
  network,
};

function texts(over: Partial<Parameters<typeof formatStatus>[0]>) {
  const results = { ...noResults, ...over };
  const { status, rest, tone, age } = formatStatus(results, 'Local', english);
  return { said: `${status} ${rest}`.trim(), tone, age, ...formatResultDetails(results, english) };
}

const more: Verdict = { ...complete, state: 'more', readThrough: 99n };
const reasons = [{ code: 'prunedLogs', block: 3n }] as const;
const doubted: Verdict = { ...complete, state: 'uncertain', reasons };
const failure = new Error('no');

describe('status line', () => {
  for (const [said, over, wanted] of [
    ['Complete · 1 log to block 12,345', { verdict: complete, sequence: { count: 1 } }, 'complete'],
    [
      'Complete so far · 0 logs to block 12,345 of 20,000',
      { verdict: verdictOf({ ...basis, requestedTo: 20_000n }) },
      'unreached',
    ],
    ['Partial: blocks 0 to 99 of 12,345 · 2 logs', { verdict: more, sequence: { count: 2 } }, 'more'],
    ['Partial: blocks 7 to 99 of 7 to 12,345 · 0 logs', { verdict: { ...more, fromBlock: 7n } }, 'more'],
    [
      'Partial: blocks 99 to 12,345 of 0 to 12,345 · 0 logs',
      { verdict: { ...more, order: 'newestFirst' } },
      'more',
    ],
    ['Partial · 0 logs', { verdict: { ...more, readThrough: undefined } }, 'more'],
    [
      'Range not reached yet · latest block 12,345',
      { verdict: verdictOf({ ...basis, fromBlock: 20_000n, readThrough: undefined }) },
      'unreached',
    ],
    ['Cancelled · 0 logs blocks 0 to 99 of 12,345', { verdict: more, notice: 'cancelled' }, 'cancelled'],
    ['Stopped by an error · 0 logs blocks 0 to 99 of 12,345', { verdict: more, error: failure }, 'failed'],
    // While it is followed, it is asked again.
    [
      'Retrying · complete to block 12,345 · 0 logs',
      { verdict: complete, isFollowed: true, error: failure },
      'failed',
    ],
    [
      'Retrying · may be incomplete · 0 logs to block 12,345',
      { verdict: doubted, isFollowed: true, error: failure },
      'failed',
    ],
    ['Run the query to load logs from Local.', { network: undefined }, 'plain'],
    ['Querying Palm…', { loading: 'first' }, 'plain'],
    ['Loading all logs from Palm…', { loading: 'all', verdict: complete }, 'plain'],
  ] as const) {
    it(`says: ${said}`, () => {
      const told = texts(over);
      assert.deepEqual([told.said, told.tone], [said, wanted]);
    });
  }

  it('says how long ago that was, and of a range above the head that it is', () => {
    assert.equal(texts({ verdict: complete }).age, 4200);
    const ends = texts({ verdict: verdictOf({ ...basis, requestedTo: 20_000n }) });
    assert.match(ends.notes.join(' '), /range ends after the latest block, 12,345/);
    const starts = texts({ verdict: verdictOf({ ...basis, fromBlock: 20_000n, readThrough: undefined }) });
    assert.match(starts.notes.join(), /starts after the latest block, 12,345/);
    assert.match(texts({ network: undefined, notice: 'moved' }).said, /^Moved to Local\. Run the query/);
  });

  it('says until when it waits and for what, also before anything came', () => {
    const endsAt = new Date(2026, 10, 21, 14, 3, 9).getTime();
    const waiting = { endsAt, byServer: true };
    assert.match(
      texts({
        loading: 'all',
        backoff: waiting,
        progress: { blocksDone: 3n, blocks: 10n, msLeft: undefined },
      }).said,
      /^Loading all logs from Palm: 30% of the blocks read\. The server requested a pause\. Retrying at 14:03:09\.$/,
    );
    assert.match(
      texts({ loading: 'first', backoff: { endsAt, byServer: false } }).said,
      /^Querying Palm… The server failed\. Retrying at 14:03:09\.$/,
    );
    assert.match(
      texts({ loading: 'next', backoff: waiting, verdict: complete }).said,
      /page… The server requested a pause\. Retrying at .*\. 0 logs/,
    );
  });

  it('gives every reason for doubt in words', () => {
    const codes = [
      'blockNotWhole',
      'endlessBlock',
      'forkRows',
      'headWentBack',
      'otherRows',
      'questionIgnored',
      'reorg',
      'serverChanged',
      'serversDiffer',
      'shortPages',
    ] as const;
    const reasons: VerdictReason[] = codes.map((code) => ({ code, block: 1234n }));
    const { said, reasons: words } = texts({ verdict: { ...complete, state: 'uncertain', reasons } });
    assert.equal(said, 'May be incomplete · 0 logs to block 12,345');
    assert.equal(new Set(words).size, codes.length);
    assert.match(words[0] ?? '', /^Block 1,234 .*missing\. Use /);
  });

  it('tells once what is true of many blocks', () => {
    const reasons = Array.from({ length: 15 }, (_, block): VerdictReason => {
      return { code: 'shortPages', block: BigInt(block) };
    });
    const { reasons: words } = texts({ verdict: { ...complete, state: 'uncertain', reasons } });
    assert.equal(words.length, 1);
    assert.match(
      words[0] ?? '',
      /in block 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 3 more\. This server version/,
    );
    const counted = [{ ...reasons[0], code: 'shortPages', more: 400 } as const, ...reasons.slice(1)];
    const { reasons: longer } = texts({ verdict: { ...complete, state: 'uncertain', reasons: counted } });
    assert.match(longer[0] ?? '', /10, 11 and 403 more\. This server version/);
  });

  it('says while all is loaded how far that is, anew at each tenth only', () => {
    const at = (blocksDone: bigint) =>
      texts({
        loading: 'all',
        verdict: complete,
        progress: { blocksDone, blocks: 1000n, msLeft: undefined },
      });
    assert.equal(at(470n).said, 'Loading all logs from Palm: 40% of the blocks read.');
    assert.equal(at(499n).said, at(400n).said);
    assert.deepEqual([at(470n).tone, at(470n).age, at(470n).facts], ['plain', undefined, []]);
  });

  it('names no network before one is chosen', () => {
    const results = { ...noResults, network: undefined };
    for (const notice of [undefined, 'restored'] as const) {
      const { status } = formatStatus({ ...results, notice }, undefined, english);
      assert.equal(status, 'Run the query to select a network and load its logs.');
    }
  });
});

describe('what is to be known of an answer', () => {
  it('counts requests, and names network, blocks and head', () => {
    const { facts } = texts({ verdict: complete, sequence: { count: 1 }, loadedAt: 0 });
    assert.deepEqual(facts.map(({ name, value }) => `${name}: ${value}`).slice(0, -1), [
      'Network: Palm',
      'Logs: 1',
      'Blocks: 0 to 12,345',
      'Latest block: 12,345 when the query started',
      'Requests: 2, including retries',
    ]);
    assert.match(facts.at(-1)?.value ?? '', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  });

  it('says of every way to stop where it stands and how it goes on', () => {
    for (const [over, note] of [
      [{ verdict: more }, /^All logs in blocks 0 to 99 are loaded\. .*Load All loads the rest/],
      [{ verdict: { ...more, order: 'newestFirst' } }, /^All logs in blocks 99 to 12,345 are loaded\. /],
      [{ verdict: more, notice: 'cancelled' }, /^You cancelled the query\. All logs in blocks 0 to 99 /],
      [{ verdict: more, error: failure }, /^A request failed.*0 to 99 .*Retry/],
      [{ verdict: complete }, /0 to 12,345 are loaded\. The latest block was 12,345/],
      [{ verdict: { ...complete, toBlock: 10n } }, /blocks 0 to 10 are loaded\.$/],
    ] as const)
      assert.match(texts(over).notes[0] ?? '', note);
  });

  it('does not say that all logs are loaded where some may be missing, and says why in sight', () => {
    const partial: Verdict = { ...more, reasons };
    for (const [over, note] of [
      [{ verdict: partial }, /^Blocks 0 to 99 are read\. Load Next Page/],
      [{ verdict: partial, error: failure }, /^A request failed\. Blocks 0 to 99 are read\./],
      [{ verdict: partial, notice: 'cancelled' }, /^You cancelled the query\. Blocks 0 to 99 are read\./],
    ] as const) {
      const { notes, reasons: inSight } = texts(over);
      assert.match(notes.join(' '), note);
      assert.match(inSight.join(), /^The server returns no logs for block 3/);
    }
    const ahead = { ...more, reasons: [{ code: 'endNotReached', block: 12_345n }] } as const;
    assert.match(texts({ verdict: ahead }).notes.join(' '), /^All logs in blocks 0 to 99 are loaded/);
    assert.deepEqual(texts({ verdict: ahead }).reasons, []);
  });

  it('is nothing while it loads or before an answer', () => {
    const nothing = { reasons: [], notes: [], facts: [] };
    for (const over of [{ verdict: more, loading: 'next' as const }, {}]) {
      const { reasons, notes, facts } = texts(over);
      assert.deepEqual({ reasons, notes, facts }, nothing);
    }
  });
});

describe('progress of loading all', () => {
  const words = (msLeft: number | undefined, logs = 2) =>
    formatLoadingProgress(
      { progress: { blocksDone: 1500n, blocks: 6000n, msLeft }, rows: { length: logs } as never },
      english,
    );

  it('counts blocks and logs, and says how long it still takes where that is known', () => {
    assert.deepEqual(words(undefined), { share: 0.25, label: '1,500 of 6,000 blocks, 2 logs' });
    assert.equal(words(undefined, 1)?.label, '1,500 of 6,000 blocks, 1 log');
    assert.match(words(1)?.label ?? '', /, about 1 second left$/);
    assert.match(words(31_000)?.label ?? '', /, about 35 seconds left$/);
    assert.match(words(61_000)?.label ?? '', /, about 2 minutes left$/);
    assert.match(words(3_700_000)?.label ?? '', /, about 2 hours left$/);
  });

  it('is none while nothing of it is known', () => {
    assert.equal(
      formatLoadingProgress({ progress: undefined, rows: { length: 0 } as never }, english),
      undefined,
    );
  });
});

describe('count of rows', () => {
  const count = (over: Partial<Parameters<typeof formatRowCount>[0]>, loaded = 56_789) => {
    const rows = {
      requested: loadedArrangement,
      shown: loadedArrangement,
      isWorking: false,
      length: 1234,
      ...over,
    };
    return formatRowCount(rows, loaded, english);
  };
  const filtered = { filter: 'ab' };

  it('is told of a filter, and what is being done', () => {
    assert.equal(count({}), '');
    assert.equal(count({ requested: filtered, isWorking: true }), 'Filtering…');
    assert.equal(count({ requested: filtered, shown: filtered }), '1,234 of 56,789 match');
    assert.equal(count({ requested: filtered, shown: filtered, isWorking: true }), '1,234 found so far…');
    assert.equal(count({ requested: filtered, shown: filtered, length: 0 }, 0), '');
    const sorted = { filter: '', sort: { column: 'data', descending: false } } as const;
    assert.equal(count({ requested: sorted, isWorking: true }), 'Sorting…');
    assert.equal(count({ requested: sorted, shown: sorted }), '');
  });
});

describe('explorer link', () => {
  it('appends to the path of the explorer', () => {
    assert.equal(
      getLogLink('https://host/chain/', 'transaction', log),
      `https://host/chain/tx/${log.transactionHash}`,
    );
    assert.equal(getLogLink('https://host', 'block', log), 'https://host/block/9007199254740991');
  });

  it('is none without an explorer, or for another scheme', () => {
    assert.equal(getLogLink(undefined, 'address', log), undefined);
    assert.equal(getLogLink('command:evil', 'address', log), undefined);
  });
});

/** A query as a panel has it, with two names. */
function asked(typed: Partial<QueryForm>): QueryToDescribe {
  const form = { ...emptyForm, ...typed };
  const { filter } = validateQueryForm(form);
  if (!filter) return assert.fail('The form cannot be used.');
  const nameOf = (address: string) =>
    address === TOKEN ? 'HUSD' : address === `0x${'ab'.repeat(20)}` ? 'Treasury' : undefined;
  return { form, filter, event: undefined, nameOf };
}

const DECLARED = 'event Transfer(address indexed from, address indexed to, uint256 value)';
const OTHER = `0x${'cd'.repeat(20)}`;

describe('panel title', () => {
  const title = (typed: Partial<QueryForm>) => formatPanelTitle(asked(typed), l10n);

  it('tells panels apart by address, event and values', () => {
    assert.equal(formatPanelTitle(undefined, l10n), 'Logs');
    assert.equal(
      title({ address: TOKEN, event: DECLARED, args: { to: `0x${'ab'.repeat(20)}` } }),
      'HUSD Transfer to Treasury',
    );
    assert.equal(title({ address: OTHER, event: 'Transfer(address)' }), 'Transfer · 0xCdCD…CDcD');
    assert.equal(title({ address: `${TOKEN} ${OTHER}` }), 'HUSD +1 Logs');
    assert.equal(title({ address: OTHER }), 'Logs · 0xCdCD…CDcD');
    const topic = `0x${'33'.repeat(32)}`;
    assert.equal(title({ event: topic }), '0x3333…3333');
    assert.equal(
      title({ event: 'Paused()', topic1: `${topic} 0x${'44'.repeat(32)}` }),
      'Paused topic 1 0x3333…3333 +1',
    );
  });

  it('keeps what tells deployments of one contract apart', () => {
    const query = asked({ address: `${TOKEN} ${OTHER}` });
    const nameOf = (address: string) =>
      address === TOKEN ? 'TransparentUpgradeableProxy@0x12ab34' : 'TransparentUpgradeableProxy';
    const line = formatQueryLine({ ...query, nameOf }, undefined, { l10n, locale: 'en' });
    assert.deepEqual(
      line.slice(0, 2).map(({ strong }) => strong),
      ['TransparentUpgradeableProxy@0x12ab34', 'TransparentUpgradeableProxy'],
    );
  });

  it('names members of enums', () => {
    const given = parseAbiItem('event Given(uint8 indexed role)');
    assert.ok(given?.kind === 'event');
    const places = [[{ path: '0', name: 'Payroll.Role', members: ['Employee', 'Auditor'] }]];
    const event = attachEnums(given, { places, find: () => undefined });
    const query = asked({ event: 'event Given(uint8 indexed role)', args: { role: '1, 7' } });
    assert.equal(formatPanelTitle({ ...query, event }, l10n), 'Given role Auditor +1');
    assert.equal(formatPanelTitle(query, l10n), 'Given role 1 +1');
  });

  it('is short, and one plain line', () => {
    const long = title({
      address: OTHER,
      event: `${'Long'.repeat(20)}(uint256 indexed id)`,
      args: { id: '77' },
    });
    assert.ok(long.length <= 40, long);
    assert.match(long, /…$/);
    const odd = title({ event: 'E(string indexed s)', args: { s: 'two\nlines \u202e' } });
    assert.equal(odd, 'E s two<U+000A>lines <U+202E>');
  });

  it('gets what tells it apart where another panel has the same', () => {
    const named = (range: string) => ({ title: 'Transfer', range });
    assert.deepEqual(makeTitlesDistinct([named(''), { title: 'Logs', range: '' }]), ['Transfer', 'Logs']);
    assert.deepEqual(makeTitlesDistinct([named('0–100'), named('100–latest'), named('')]), [
      'Transfer · 0–100',
      'Transfer · 100–latest',
      'Transfer',
    ]);
    assert.deepEqual(makeTitlesDistinct([named(''), named(''), named('0–1'), named('0–1')]), [
      'Transfer',
      'Transfer (2)',
      'Transfer · 0–1',
      'Transfer · 0–1 (2)',
    ]);
    const chosen = asked({ fromBlock: '7' }).filter;
    assert.deepEqual(
      [formatRangeTitle(chosen, l10n), formatRangeTitle(asked({}).filter, l10n)],
      ['7–latest', ''],
    );
  });
});

describe('line of a query', () => {
  const line = (typed: Partial<QueryForm>, verdict?: Verdict) =>
    formatQueryLine(asked(typed), verdict, english).map(({ before, strong, after }) =>
      [before, strong, after].filter(Boolean).join(' '),
    );

  it('reads part by part, by names', () => {
    const typed = { address: TOKEN, event: DECLARED, args: { to: `0x${'ab'.repeat(20)}, ${OTHER}` } };
    assert.deepEqual(line(typed, complete), [
      'HUSD 0x5FbD…0aa3',
      'Transfer from, to, value',
      'to Treasury, 0xCdCD…CDcD',
      'blocks 0 – 12,345',
      'newest first',
    ]);
  });

  it('says what was not chosen, and the blocks as they were asked for before they are found', () => {
    assert.deepEqual(line({ fromBlock: '20000', order: 'oldestFirst' }), [
      'any address',
      'any event',
      'blocks 20,000 – latest',
      'oldest first',
    ]);
    assert.equal(line({ fromBlock: '-1000' })[2], 'blocks latest-999 – latest');
    const ahead = { ...complete, fromBlock: 20_000n };
    assert.equal(line({ fromBlock: '20000' }, ahead)[2], 'blocks 20,000 – latest');
  });

  it('counts what is too much for a line', () => {
    const many = Array.from({ length: 5 }, (_, index) => `0x${String(index).repeat(40)}`).join(' ');
    assert.deepEqual(line({ address: many }).slice(0, 3), ['0x0000…0000', '0x1111…1111', '+3']);
    const thousands = Array.from({ length: 2000 }, (_, index) => `0x${index.toString(16).padStart(40, '0')}`);
    const long = formatQueryLine(asked({ address: thousands.join(' ') }), undefined, english)[2];
    assert.equal(long?.after, '+1998');
    assert.ok((long.hint?.length ?? 0) < 1000);
  });
});

describe('forms', () => {
  it('are the same where they say the same', () => {
    const form = { ...emptyForm, address: TOKEN, args: { to: '1' } };
    assert.ok(isSameForm(form, { ...form, address: ` ${TOKEN}`, args: { to: '1', from: ' ' } }));
    assert.ok(!isSameForm(form, { ...form, order: 'oldestFirst' }));
    assert.ok(!isSameForm(form, { ...form, args: { to: '2' } }));
  });
});
