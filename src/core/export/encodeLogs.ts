import type { Log } from '../logs/query/log.ts';
import type { ExportDecoding } from './exportDecoding.ts';
import { type ExportFormat, formatOf } from './formats.ts';

/**
 * The bytes of a file with these logs, in chunks as the logs come. What is held at a time is bounded, however many
 * logs there are. What `rows` throws is passed on; ending the loop early ends `rows`.
 *
 * @param decoding what the logs say is written beside what they are made of.
 * @throws AppError `badInput` when there is no such format.
 * @example for await (const chunk of encodeLogs('csv', rows)) await file.write(chunk);
 */
export function encodeLogs(
  format: ExportFormat,
  rows: AsyncIterable<readonly Log[]>,
  decoding?: ExportDecoding,
): AsyncGenerator<Uint8Array> {
  return formatOf(format).encode(rows, decoding);
}
