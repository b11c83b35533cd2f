import type { ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import { relative } from 'node:path';
import type { TestCounts } from '../../../test/support/runMocha.ts';
import { startProcess, stopProcess } from '../childProcess.ts';
import { fromRoot, projectRoot } from '../paths.ts';
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
 * says in one piece. Ends with the sum; a lane that breaks off is a failure.
 */
export async function runInLanes(run: LaneRun, resources: AsyncDisposableStack): Promise<TestCounts> {
  // The longest first, so that none is left alone at the end.
  const left = run.files.toSorted((a, b) => statSync(b).size - statSync(a).size);
  const count = Math.min(run.lanes, left.length);
  const start = { ...run.start, live: count === 1 };
  const args = run.args ?? [];
  const counts = await Promise.all(
    Array.from({ length: count }, (_, index) => runLane({ start, left, index, args, resources })),
  );
  return counts.reduce((sum, each) => ({
    passed: sum.passed + each.passed,
    failed: sum.failed + each.failed,
  }));
}

interface Lane {
  readonly start: LaneStart;
  /** Files that no lane has taken yet. */
  readonly left: string[];
  readonly index: number;
  readonly args: readonly string[];
  readonly resources: AsyncDisposableStack;
}

async function runLane({ start, left, index, args, resources }: Lane): Promise<TestCounts> {
  const flags = ['--disable-warning=ExperimentalWarning'];
  const script = fromRoot('scripts', 'support', 'lanes', 'lane.ts');
  const child = startProcess(process.execPath, [...flags, script, ...args], {
    cwd: projectRoot,
    env: { ...process.env, CHAINSIDE_LANE: `${start.kind}-${index}` },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  resources.defer(() => stopProcess(child));
  const sum = { passed: 0, failed: 0 };
  let running: string | undefined;
  const give = (order: LaneOrder) => child.connected && child.send(order);
  const next = () => {
    running = left.shift();
    give(running === undefined ? { end: true } : { file: running });
  };
  child.on('message', (report: LaneReport) => {
    if ('words' in report) {
      if (report.words !== '') console.log(report.words);
      return;
    }
    if ('counts' in report) {
      sum.passed += report.counts.passed;
      sum.failed += report.counts.failed;
      const ran = report.counts.passed + report.counts.failed > 0;
      if (ran && report.output !== '') console.log(report.output.trimEnd());
    }
    next();
  });
  give({ start });
  const code = await exitCode(child);
  if (code === 0 && running === undefined) return sum;
  const what = running === undefined ? 'before or after its files' : `in ${relative(projectRoot, running)}`;
  console.error(`A process of the tests ended with ${code}, ${what}.`);
  return { ...sum, failed: sum.failed + 1 };
}

function exitCode(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
