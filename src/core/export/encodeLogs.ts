import type { Log } from '../logs/query/log.ts';
import { encodeCsv } from './csv.ts';
import { encodeJson, encodeNdjson } from './json.ts';

export const exportFormats = ['csv', 'json', 'ndjson', 'parquet'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/**
 * The bytes of a file with these logs, in chunks as the logs come. What is held at a time is bounded, however many
 * logs there are. What `rows` throws is passed on; ending the loop early ends `rows`.
 */
export async function* encodeLogs(
  format: ExportFormat,
  rows: AsyncIterable<readonly Log[]>,
): AsyncGenerator<Uint8Array> {
  switch (format) {
    case 'csv':
      return yield* encodeCsv(rows);
    case 'json':
      return yield* encodeJson(rows);
    case 'ndjson':
      return yield* encodeNdjson(rows);
    case 'parquet': {
      // Loaded when it is asked for: it is a quarter of the size of all the rest.
      const { encodeParquet } = await import('./parquet.ts');
      return yield* encodeParquet(rows);
    }
  }
}
