import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Log } from '../logs/log.ts';
import {
  type BatchSize,
  createTableColumns,
  type ExportColumn,
  type ExportDecoding,
  type ExportRow,
  toBatches,
  toExportRows,
} from './columns.ts';

/**
 * Logs as Apache Parquet, compressed with Snappy, in row groups that bound the memory. Integers are signed 64-bit,
 * since Spark has no unsigned ones; hex and integers that may be larger are text (UTF-8); a missing topic is null.
 * Decoded columns follow those of the log. `createMetadata` gives the metadata of the file, as JSON under `chainside`.
 *
 * @example for await (const chunk of encodeParquet(rows)) await file.write(chunk);
 */
export async function* encodeParquet(
  rows: AsyncIterable<readonly Log[]>,
  decoding?: ExportDecoding,
  createMetadata?: () => object,
): AsyncGenerator<Uint8Array> {
  const columns = createTableColumns(decoding);
  const bytes = new ByteWriter();
  const file = new ParquetWriter({
    writer: bytes,
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.map(({ name, type }) => ({ name, ...physicalTypes[type] })),
    ],
  });
  for await (const logs of toBatches(rows, rowGroupSize)) {
    const decoded = toExportRows(logs, decoding);
    file.write({
      columnData: columns.map((column) => toColumnData(column, decoded)),
      rowGroupSize: logs.length,
    });
    yield takeWritten(bytes);
  }
  if (createMetadata) file.kvMetadata = [{ key: 'chainside', value: JSON.stringify(createMetadata()) }];
  file.finish();
  yield takeWritten(bytes);
}

/**
 * Small, since encoding a row group blocks the thread: for some 50 ms. Below 5,000 rows DuckDB reads several times
 * slower, according to its guide on file formats.
 */
const rowGroupSize: BatchSize = { rows: 5000, dataLength: 8 << 20 };

const textType = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;
const physicalTypes = {
  integer: { type: 'INT64', repetition_type: 'REQUIRED' },
  hex: { ...textType, repetition_type: 'REQUIRED' },
  optionalText: { ...textType, repetition_type: 'OPTIONAL' },
  optionalInteger: { type: 'INT64', repetition_type: 'OPTIONAL' },
  optionalBoolean: { type: 'BOOLEAN', repetition_type: 'OPTIONAL' },
} as const;

/** Minimum and maximum help a reader to skip row groups by block. Hashes and addresses have no order to profit from. */
function toColumnData({ name, type, value }: ExportColumn, rows: readonly ExportRow[]) {
  if (type !== 'integer') return { name, data: rows.map(value), statistics: false };
  return { name, data: rows.map((row) => BigInt(value(row) ?? 0)) };
}

/**
 * The bytes written since the last call. The writer's `offset` continues to count, as positions in the file need it.
 */
function takeWritten(writer: ByteWriter): Uint8Array {
  const chunk = new Uint8Array(writer.getBuffer());
  writer.index = 0;
  return chunk;
}
