import { type ExportFormat, encodeLogs, type Log } from '../../src/core/index.ts';

/** The whole file that these pages of logs make. */
export async function encodeFile(
  format: ExportFormat,
  pages: readonly (readonly Log[])[],
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of encodeLogs(format, toAsyncIterable(pages))) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}

export async function* toAsyncIterable<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}
