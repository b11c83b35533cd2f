import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { encodeParquet } from '../../../../src/core/export/parquet.ts';
import type { Log } from '../../../../src/core/index.ts';
import { anyPages, createLog } from '../../../support/anyLogs.ts';
import { encodeFile, toAsyncIterable } from '../../../support/exportFiles.ts';

function expectedRow(log: Log) {
  return {
    block_number: log.blockNumber,
    block_hash: log.blockHash,
    transaction_hash: log.transactionHash,
    transaction_index: BigInt(log.transactionIndex),
    log_index: BigInt(log.logIndex),
    address: log.address,
    topic0: log.topics[0] ?? null,
    topic1: log.topics[1] ?? null,
    topic2: log.topics[2] ?? null,
    topic3: log.topics[3] ?? null,
    data: log.data,
  };
}

describe('Parquet of logs', () => {
  it('gives an independent reader every log exactly, in order', async () => {
    await fc.assert(
      fc.asyncProperty(anyPages, async (pages) => {
        const { buffer } = await encodeFile('parquet', pages);
        assert.deepEqual(await parquetReadObjects({ file: buffer }), pages.flat().map(expectedRow));
      }),
    );
  });

  it('has types that every reader knows', async () => {
    const { buffer } = await encodeFile('parquet', []);
    const [, ...columns] = parquetMetadata(buffer).schema;
    const types = columns.map(({ name, type, converted_type, repetition_type }) =>
      [name, type, converted_type, repetition_type].filter(Boolean).join(' '),
    );
    assert.deepEqual(types, [
      'block_number INT64 REQUIRED',
      'block_hash BYTE_ARRAY UTF8 REQUIRED',
      'transaction_hash BYTE_ARRAY UTF8 REQUIRED',
      'transaction_index INT64 REQUIRED',
      'log_index INT64 REQUIRED',
      'address BYTE_ARRAY UTF8 REQUIRED',
      'topic0 BYTE_ARRAY UTF8 OPTIONAL',
      'topic1 BYTE_ARRAY UTF8 OPTIONAL',
      'topic2 BYTE_ARRAY UTF8 OPTIONAL',
      'topic3 BYTE_ARRAY UTF8 OPTIONAL',
      'data BYTE_ARRAY UTF8 REQUIRED',
    ]);
  });

  it('holds no more than a row group, whatever the number of logs', async () => {
    let given = 0;
    let written = 0;
    let mostHeld = 0;
    async function* pages() {
      for (let page = 0; page < 30; page++) {
        yield Array.from({ length: 1000 }, (_, row) => createLog(page * 1000 + row));
        given += 1000;
        mostHeld = Math.max(mostHeld, given - written);
      }
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of encodeParquet(pages())) {
      chunks.push(chunk);
      written = chunks.length * 5000;
    }
    assert.equal(given, 30_000);
    assert.ok(mostHeld <= 5000, `${mostHeld} logs were held at a time`);
    const file = new Uint8Array(Buffer.concat(chunks)).buffer;
    const groups = parquetMetadata(file).row_groups.map(({ num_rows }) => num_rows);
    assert.deepEqual(groups, Array(6).fill(5000n));
    const rows = await parquetReadObjects({ file, columns: ['block_number'] });
    assert.deepEqual(
      rows.map(({ block_number }) => block_number),
      Array.from({ length: 30_000 }, (_, row) => BigInt(row)),
    );
  });

  it('ends a row group early where logs are large', async () => {
    const large = Array.from({ length: 50 }, (_, row) =>
      createLog(row, { data: `0x${'ff'.repeat(500_000)}` }),
    );
    let chunks = 0;
    for await (const _ of encodeParquet(toAsyncIterable([large]))) chunks++;
    assert.ok(chunks >= 5, `${chunks} chunks`);
  });
});
