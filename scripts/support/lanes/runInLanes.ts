import type { ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import { failedRun } from '../../../test/support/runMocha.ts';
import { startProcess, stopProcess } from '../childProcess.ts';
import { fromRoot, projectRoot } from '../paths.ts';
import type { FileRun } from '../retry.ts';
import type { LaneOrder, LaneReport, LaneStart } from './messages.ts';

export interface LaneRun {
  readonly start: Omit<LaneStart, 'live'>;
  readonly files: readonly string[];
  /** Files that run side by side. */
  readonly lanes: number;
  /** For the command line of each process, which its tests read. */
  readonly args?: readonly string[];
}

/**
 * Runs test files side by side, each in a process that has servers and a browser of its own, and prints what each file
 * says in one piece. Ends with what came of each file that ran; the last one of a process that broke off has failed.
 */
export async function runInLanes(run: LaneRun, resources: AsyncDisposableStack): Promise<readonly FileRun[]> {
  // The longest first, so that none is left alone at the end.
  const left = run.files.toSorted((a, b) => statSync(b).size - statSync(a).size);
  const count = Math.min(run.lanes, left.length);
  const start = { ...run.start, live: count === 1 };
  const args = run.args ?? [];
  const runs = await Promise.all(
    Array.from({ length: count }, (_, index) => runLane({ start, left, index, args, resources })),
  );
  return runs.flat();
}

interface Lane {
  readonly start: LaneStart;
  /** Files that no lane has taken yet. */
  readonly left: string[];
  readonly index: number;
  readonly args: readonly string[];
  readonly resources: AsyncDisposableStack;
}

async function runLane({ start, left, index, args, resources }: Lane): Promise<readonly FileRun[]> {
  const flags = ['--disable-warning=ExperimentalWarning'];
  const script = fromRoot('scripts', 'support', 'lanes', 'lane.ts');
  const child = startProcess(process.execPath, [...flags, script, ...args], {
    cwd: projectRoot,
    env: { ...process.env, CHAINSIDE_LANE: `${start.kind}-${index}` },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  resources.defer(() => stopProcess(child));
  const runs: FileRun[] = [];
  let file: string | undefined;
  let ended = false;
  const give = (order: LaneOrder) => child.connected && child.send(order);
  child.on('message', (report: LaneReport) => {
    if ('words' in report) {
      ended = true;
      if (report.words !== '') console.log(report.words);
      return;
    }
    if ('run' in report && file !== undefined) {
      runs.push({ file, ...report.run });
      const ran = report.run.passed + report.run.failed > 0;
      if (ran && report.output !== '') console.log(report.output);
    }
    const next = left.shift();
    file = next ?? file;
    give(next === undefined ? { end: true } : { file: next });
  });
  give({ start });
  const code = await endOf(child);
  if (code === 0 && ended) return runs;
  console.error(`A process of the tests ended with ${code}.`);
  // Of the last file that it took: also what ends badly behind a test is a failure.
  return file === undefined
    ? runs
    : [...runs, { file, ...failedRun('broke off', `its process ended with ${code}`) }];
}

/** Exit code of a process, or the signal that ended it. */
function endOf(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 1));
  });
}
