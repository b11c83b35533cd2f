// Runs a query to its end straight into a file, in a process of its own, so that its peak memory is that of the
// export. Arguments: URL, ADDRESS, FILE and a format, or `none` to read the rows and drop them. Prints JSON.
import { open } from 'node:fs/promises';
import { type ExportFormat, encodeLogs, type Log } from '../../src/core/index.ts';
import { openQuery } from './chainside.ts';
import { timed } from './stats.ts';

export interface ExportedMillion {
  readonly rows: number;
  readonly state: string;
  readonly ms: number;
  readonly bytes: number;
  /** Most memory that the process has held, Node's own included. */
  readonly peakBytes: number;
}

async function exportAll(url: string, address: string, file: string, format: ExportFormat | 'none') {
  const query = openQuery(url, { address });
  let rows = 0;
  async function* pages(): AsyncGenerator<readonly Log[]> {
    for await (const { logs } of query.rest()) {
      rows += logs.length;
      yield logs;
    }
  }
  let bytes = 0;
  const ms = await timed(async () => {
    await using target = await open(file, 'w');
    if (format === 'none') {
      for await (const _page of pages());
      return;
    }
    for await (const chunk of encodeLogs(format, pages())) {
      await target.writeFile(chunk);
      bytes += chunk.byteLength;
    }
  });
  const state = query.verdict?.state ?? 'none';
  const exported: ExportedMillion = {
    rows,
    state,
    ms,
    bytes,
    peakBytes: process.resourceUsage().maxRSS * 1024,
  };
  return exported;
}

const [url, address, file, format] = process.argv.slice(2);
if (url === undefined || address === undefined || file === undefined || format === undefined) {
  throw new Error('Usage: node exportMillion.ts URL ADDRESS FILE FORMAT');
}
console.log(JSON.stringify(await exportAll(url, address, file, format as ExportFormat | 'none')));
