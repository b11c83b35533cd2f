import type { Log } from '../logs/query/log.ts';
import { decodedColumns } from './decodedColumns.ts';
import type { ExportDecoding } from './exportDecoding.ts';
import { type ExportColumn, type ExportRow, logColumns, timeColumn } from './logColumns.ts';

/**
 * The columns of an exported table, in order.
 *
 * @example tableColumns()[0]?.name // 'block_number'
 */
export function tableColumns(decoding?: ExportDecoding): readonly ExportColumn[] {
  if (!decoding) return logColumns;
  const [block, ...others] = logColumns;
  const made = block && decoding.timed ? [block, timeColumn, ...others] : logColumns;
  return [...made, ...decodedColumns(decoding)];
}

/**
 * Logs with what is known of them.
 *
 * @example exportRows([], undefined) // []
 */
export function exportRows(logs: readonly Log[], decoding: ExportDecoding | undefined): readonly ExportRow[] {
  return logs.map((log) => ({ log, decoded: decoding?.decode(log) }));
}
