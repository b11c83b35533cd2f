import assert from 'node:assert/strict';
import { createExportRecord, encodeLogs, exportFormats, type LogFilter } from '../../../../src/core/index.ts';
import { createLog } from '../../../support/anyLogs.ts';
import { encodeFile, toAsyncIterable } from '../../../support/exportFiles.ts';

const log = createLog(7, { topics: [`0x${'ab'.repeat(32)}`] });

describe('formats of exports', () => {
  for (const { id, label, extension, columns, purpose } of exportFormats) {
    it(`write ${label}, and tell all that is recorded and shown of it`, async () => {
      const file = Buffer.from(await encodeFile(id, [[log]])).toString('latin1');
      assert.deepEqual(
        columns().filter((column) => !file.includes(column)),
        [],
      );
      assert.match(extension, /^[a-z0-9]+$/);
      assert.match(purpose, /^[A-Z]/);
    });
  }

  it('have each a name and an extension of their own', () => {
    for (const key of ['id', 'label', 'extension'] as const) {
      assert.equal(new Set(exportFormats.map((format) => format[key])).size, exportFormats.length);
    }
  });

  it('refuse one that is not among them by the name of the field', () => {
    const unknown = 'xlsx' as 'csv';
    assert.throws(() => encodeLogs(unknown, toAsyncIterable([])), {
      kind: 'badInput',
      message: 'Not an export format. Use csv, json, ndjson or parquet.',
    });
  });
});

const address = `0x${'ab'.repeat(20)}` as const;
const topic = `0x${'cd'.repeat(32)}` as const;
const filter: LogFilter = {
  addresses: [address],
  topics: [[topic], null, [topic]],
  fromBlock: 2n ** 53n,
  toBlock: 'latest',
};

function recordOf(format: 'csv' | 'ndjson', asked = filter) {
  return createExportRecord({
    format,
    rows: 12,
    filter: asked,
    network: {
      id: 'mine',
      name: 'Mine',
      chainId: 11297108109,
      rpcUrl: 'https://rpc.example/v3/k3y?token=s3cret',
    },
    verdict: {
      state: 'uncertain',
      reasons: [{ code: 'reorg', block: 7n }],
      fromBlock: 2n ** 53n,
      toBlock: 2n ** 53n + 1n,
      head: 2n ** 53n + 1n,
      order: 'oldestFirst',
      readThrough: 2n ** 53n + 1n,
      rows: 12,
      requests: 3,
    },
    startedAt: 0,
    finishedAt: 1500,
    version: '1.2.3',
  });
}

describe('record of an export', () => {
  it('tells what was asked, whom, and what the answer is worth', () => {
    assert.deepEqual(recordOf('ndjson'), {
      format: 'ndjson',
      columns: [
        'address',
        'blockHash',
        'blockNumber',
        'data',
        'logIndex',
        'topics',
        'transactionHash',
        'transactionIndex',
      ],
      rows: 12,
      query: {
        address: [address],
        topics: [[topic], null, [topic]],
        fromBlock: '0x20000000000000',
        toBlock: 'latest',
      },
      network: { id: 'mine', name: 'Mine', chainId: 11297108109, rpcOrigin: 'https://rpc.example' },
      fromBlock: '9007199254740992',
      toBlock: '9007199254740993',
      head: '9007199254740993',
      order: 'oldestFirst',
      readThrough: '9007199254740993',
      verdict: {
        state: 'uncertain',
        reasons: [
          'The chain was reorganized at block 7 during the query, so later logs may have changed. Run the query again.',
        ],
      },
      requests: 3,
      startedAt: '1970-01-01T00:00:00.000Z',
      finishedAt: '1970-01-01T00:00:01.500Z',
      generator: { name: 'Chainside', version: '1.2.3' },
    });
  });

  it('has the numbers that bounds stood for which count from the latest block', () => {
    const relative: LogFilter = { ...filter, fromBlock: 'latest-1', toBlock: 'latest-0' };
    const { query } = JSON.parse(JSON.stringify(recordOf('csv', relative)));
    assert.deepEqual([query.fromBlock, query.toBlock], ['0x20000000000000', '0x20000000000001']);
  });

  it('is not made of a format that there is not', () => {
    const unknown = 'xlsx' as 'csv';
    assert.throws(() => recordOf(unknown), { kind: 'badInput', message: /^Not an export format/ });
  });

  it('has nothing of an endpoint that could hold a key', () => {
    assert.doesNotMatch(JSON.stringify(recordOf('csv')), /k3y|s3cret|v3/);
  });
});
