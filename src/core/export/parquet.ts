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
 * Small, since a row group is encoded in one go, in which nothing else runs on this thread: some 50 ms. Below 5,000
 * rows DuckDB reads several times slower, as its guide on file formats says.
 */
const rowGroup: BatchSize = { rows: 5000, dataLength: 8 << 20 };

/**
 * Logs as Apache Parquet, compressed with Snappy, in row groups that bound the memory it takes. Integers are signed
 * 64-bit, since Spark has no unsigned ones; hex is text (UTF-8), as are integers that may be larger; an absent topic is
 * null. With a decoding, what the logs say stands behind what they are made of.
 *
 * @example for await (const chunk of encodeParquet(rows)) await file.write(chunk);
 */
export async function* encodeParquet(
  rows: AsyncIterable<readonly Log[]>,
  decoding?: ExportDecoding,
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
  for await (const logs of toBatches(rows, rowGroup)) {
    const decoded = toExportRows(logs, decoding);
    file.write({
      columnData: columns.map((column) => columnOf(column, decoded)),
      rowGroupSize: logs.length,
    });
    yield taken(bytes);
  }
  file.finish();
  yield taken(bytes);
}

const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;
const physicalTypes = {
  integer: { type: 'INT64', repetition_type: 'REQUIRED' },
  hex: { ...text, repetition_type: 'REQUIRED' },
  optionalText: { ...text, repetition_type: 'OPTIONAL' },
  optionalInteger: { type: 'INT64', repetition_type: 'OPTIONAL' },
  optionalBoolean: { type: 'BOOLEAN', repetition_type: 'OPTIONAL' },
} as const;

/** Least and greatest value help a reader to skip row groups by block; hashes and addresses lie all over. */
function columnOf({ name, type, value }: ExportColumn, rows: readonly ExportRow[]) {
  if (type !== 'integer') return { name, data: rows.map(value), statistics: false };
  return { name, data: rows.map((row) => BigInt(value(row) ?? 0)) };
}

/** What has been written since the last time. The writer's `offset` counts on, as places in the file need it. */
function taken(writer: ByteWriter): Uint8Array {
  const chunk = new Uint8Array(writer.getBuffer());
  writer.index = 0;
  return chunk;
}
