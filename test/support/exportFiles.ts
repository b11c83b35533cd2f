import { type ExportDecoding, type ExportFormat, encodeLogs, type Log } from '../../src/core/index.ts';

/** The whole file that these pages of logs make. */
export async function encodeFile(
  format: ExportFormat,
  pages: readonly (readonly Log[])[],
  decoding?: ExportDecoding,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of encodeLogs(format, toAsyncIterable(pages), decoding)) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}

export async function* toAsyncIterable<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

/** Reads CSV by the grammar of RFC 4180, strictly: what is not of it is an error. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const records: string[][] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  let record: string[] = [];
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const match = cell.exec(text);
    if (!match) throw new Error(`Not CSV at character ${at}.`);
    record.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === ',') continue;
    records.push(record);
    record = [];
  }
  if (record.length > 0) throw new Error('The last line has no end.');
  return records;
}
