import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../scripts/support/childProcess.ts';
import { fromRoot } from '../scripts/support/paths.ts';
import { hold, removeFolder } from '../scripts/support/script.ts';
import { exportFormats } from '../src/core/index.ts';
import type { Benchmark, Row } from './support/benchmark.ts';
import type { ExportedMillion } from './support/exportMillion.ts';
import { serveChain } from './support/serverProcess.ts';
import { milliseconds } from './support/timings.ts';

const LOGS = 1_000_000;
const MIB = 1024 * 1024;

/** A query of a million logs straight into a file, in each format. */
export const exportLogs: Benchmark = {
  name: 'export',
  isSlow: true,
  async run(resources) {
    const { address, urlAt } = await serveChain(resources, LOGS, [0]);
    const folder = await hold(resources, mkdtemp(join(tmpdir(), 'chainside-bench-')), removeFolder);
    const measure = async (format: string) => {
      const file = join(folder, `logs.${format}`);
      const program = fromRoot('bench', 'support', 'exportMillion.ts');
      const args = ['--disable-warning=ExperimentalWarning', program, urlAt(0), address, file, format];
      const exported: ExportedMillion = JSON.parse(await run(process.execPath, args));
      await rm(file);
      if (exported.rows !== LOGS || exported.state !== 'complete') {
        throw new Error(`Exported ${exported.rows} of ${LOGS} logs: ${exported.state}.`);
      }
      return exported;
    };
    const floor = await measure('none');
    const rows: Row[] = [exportRow('load only', floor, floor)];
    for (const { id } of exportFormats) rows.push(exportRow(id, await measure(id), floor));
    return [
      {
        title: `Export of ${LOGS.toLocaleString('en')} logs, query and all`,
        how:
          'Each in a process of its own, which asks a server in another one and holds no rows. Peak memory is that of\n' +
          'the whole process, Node included.',
        columns: ['', 'time', 'to load only', 'rows/s', 'file', 'peak memory'],
        rows,
      },
    ];
  },
};

function exportRow(what: string, exported: ExportedMillion, floor: ExportedMillion): Row {
  const { ms, bytes, peakBytes } = exported;
  const rowsPerSecond = Math.round((LOGS / ms) * 1000);
  const ratio = ms / floor.ms;
  return {
    cells: [
      ...[what, milliseconds(ms), `${ratio.toFixed(2)}×`, rowsPerSecond.toLocaleString('en')],
      ...[`${Math.round(bytes / MIB)} MiB`, `${Math.round(peakBytes / MIB)} MiB`],
    ],
    figures: { what, ms, ratio, rowsPerSecond, bytes, peakBytes },
  };
}
