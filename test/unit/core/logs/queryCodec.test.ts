import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChainsideLogFilter } from '../../../../src/api.d.ts';
import {
  type AppError,
  createExportRecord,
  createVerdict,
  type Hex,
  type LogFilter,
  logFilterToJson,
  parseLogFilter,
  parseQueryArguments,
  parseQueryDefinition,
  parseQueryForm,
  queryFormSchema,
  toQueryForm,
} from '../../../../src/core/index.ts';
import { createLogFilter } from '../../../../src/core/logs/query/filter.ts';
import type { LogQueryArguments } from '../../../../src/manifest.ts';

const hex = (bytes: number): fc.Arbitrary<Hex> =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((array): Hex => `0x${Buffer.from(array).toString('hex')}`);

/** Any filter there can be, with blocks up to `highest`; `relative` ones too, whose bounds count from the latest block. */
function filters(highest: bigint, relative = true): fc.Arbitrary<LogFilter> {
  const tag = fc.constantFrom('earliest' as const, 'latest' as const);
  const height = fc.bigInt({ min: 0n, max: highest });
  const belowLatest = fc
    .bigInt({ min: 1n, max: 10n ** 19n - 1n })
    .map((blocks) => `latest-${blocks}` as const);
  const ago = fc.tuple(fc.bigInt({ min: 0n, max: 999_999_999n }), fc.constantFrom('s', 'm', 'h', 'd', 'w'));
  const before = ago.map(([count, unit]) => `-${count}${unit as 'd'}` as const);
  const moment = fc
    .date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
    .map((date) => date.toISOString().replace('.000Z', 'Z') as `${string}T${string}Z`);
  const block = fc.oneof(tag, height, ...(relative ? [belowLatest, before, moment] : []));
  return fc
    .record({
      addresses: fc.array(hex(20), { maxLength: 4 }),
      topics: fc.array(fc.option(fc.array(hex(32), { minLength: 1, maxLength: 3 })), { maxLength: 4 }),
      fromBlock: block,
      toBlock: block,
    })
    .filter((filter) => isFilter(filter))
    .map(createLogFilter);
}

function isFilter(filter: LogFilter): boolean {
  try {
    return Boolean(createLogFilter(filter));
  } catch {
    return false;
  }
}

const anyFilter = filters(2n ** 64n - 1n);
/** Block numbers that are written in decimal have at most 19 digits. */
const decimalFilter = filters(10n ** 19n - 1n);

describe('query codec', () => {
  it('reads the JSON of a filter as the same filter', () => {
    fc.assert(
      fc.property(anyFilter, (filter) => {
        const json: unknown = JSON.parse(JSON.stringify(logFilterToJson(filter)));
        assert.deepEqual(parseLogFilter(json), filter);
      }),
    );
  });

  it('reads what the API for other extensions is given, with blocks as integers, as the same filter', () => {
    fc.assert(
      fc.property(decimalFilter, (filter) => {
        const { addresses: address, ...others } = filter;
        const given: ChainsideLogFilter = { address, ...others };
        assert.deepEqual(parseLogFilter(given), filter);
      }),
    );
  });

  it('reads the query in the record of an export as the same filter', () => {
    fc.assert(
      fc.property(filters(2n ** 64n - 1n, false), (filter) => {
        const { query } = JSON.parse(JSON.stringify(recordOf(filter)));
        assert.deepEqual(parseLogFilter(query), filter);
      }),
    );
  });

  it('reads the JSON of a filter as arguments that fill in the form of the same filter', () => {
    fc.assert(
      fc.property(anyFilter, (filter) => {
        const given: LogQueryArguments = logFilterToJson(filter);
        const { form, run } = parseQueryArguments(given);
        const stored = queryFormSchema.parse(JSON.parse(JSON.stringify(form)));
        assert.deepEqual([parseQueryForm(stored), run], [{ filter }, false]);
      }),
    );
  });

  it('ends with a filter or an error that names a field, whatever it is given', () => {
    const names = ['address', 'event', 'topics', 'fromBlock', 'toBlock', 'run'];
    const text = fc.constantFrom(
      '',
      '0x',
      '0x12',
      `0x${'ab'.repeat(32)}`,
      `0x${'ab'.repeat(20)}`,
      'Paused()',
    );
    const value = fc.oneof(text, fc.array(fc.oneof(text, fc.array(text))), fc.integer(), fc.anything());
    const query = fc.dictionary(fc.constantFrom(...names), value);
    for (const read of [parseLogFilter, parseQueryArguments]) {
      fc.assert(
        fc.property(fc.oneof(query, fc.anything()), (given) => {
          try {
            read(given);
          } catch (error) {
            const { kind, details, message } = error as AppError;
            assert.equal(kind, 'badInput');
            assert.equal(typeof details.field, 'string');
            assert.notEqual(message, '');
          }
        }),
      );
    }
  });

  it('tells all that is wrong with a form, each by its field', () => {
    const form = {
      ...toQueryForm({ address: '0x1', topics: ['Paused('] }),
      topic2: 'x',
      toBlock: '-1',
    };
    const { errors = [] } = parseQueryForm(form);
    assert.deepEqual(
      errors.map(({ details }) => details.field),
      ['address', 'event', 'topic2', 'toBlock'],
    );
  });

  it('takes an event and an address for a topic where people type, and not in JSON', () => {
    const address = `0x${'ab'.repeat(20)}`;
    const topics = [['Paused()'], [address]];
    assert.deepEqual(parseQueryForm(toQueryForm({ topics })).filter?.topics, [
      ['0x9e87fac88ff661f02d44f95383c817fece4bce600a3dab7a54406878b965e752'],
      [`0x${'0'.repeat(24)}${'ab'.repeat(20)}`],
    ]);
    for (const topic of ['Paused()', address]) {
      assert.throws(() => parseLogFilter({ topics: [topic] }), {
        kind: 'badInput',
        message: 'Not a topic. Enter 0x and 64 hex digits (32 bytes).',
      });
    }
  });

  it('refuses values without content, which would match anything', () => {
    const event = 'Paid(address indexed by)';
    const empty = [
      ...[{ address: '' }, { address: [' '] }, { address: ' ,; ' }, { address: '[]' }, { toBlock: '' }],
      ...[{ topics: [''] }, { topics: [[]] }, { topics: [null, ','] }, { event, args: { by: [] } }],
    ];
    for (const query of empty) {
      for (const read of [parseLogFilter, parseQueryArguments, parseQueryDefinition]) {
        assert.throws(() => read(query), { kind: 'badInput' }, JSON.stringify(query));
      }
    }
    assert.throws(() => parseLogFilter({ event, args: { by: ';' } }), { message: /^Not an address/ });
  });

  it('takes an empty event for none', () => {
    assert.equal(parseQueryArguments({ event: '', topics: ['0x12'] }).form.event, '0x12');
  });
});

function recordOf(filter: LogFilter) {
  const blocks = {
    fromBlock: 0n,
    toBlock: 0n,
    head: 0n,
    order: 'oldestFirst',
    readThrough: undefined,
  } as const;
  return createExportRecord({
    format: 'csv',
    rows: 0,
    filter,
    network: { id: 'mine', name: 'Mine', chainId: 1, rpcUrl: 'https://rpc.example' },
    verdict: createVerdict({ isRead: true, reasons: [], ...blocks, rows: 0, requests: 1 }),
    startedAt: 0,
    finishedAt: 0,
    version: '1.2.3',
  });
}
