import { setPriority } from 'node:os';
import { parseCounts, type TestCounts } from '../../test/support/runMocha.ts';
import { startProcess, stopProcess } from './childProcess.ts';
import { failureReports } from './failureReports.ts';
import { fromRoot } from './paths.ts';

/** A script, with its arguments. */
export type Stage = readonly [string, ...string[]];

export interface StageResult {
  readonly name: string;
  readonly state: 'ended' | 'stopped';
  readonly code: number;
  readonly counts: TestCounts;
  /** What its failed tests say. */
  readonly failures: readonly string[];
}

/** A third of the usual share: a lower one gets next to nothing on a machine with other work. */
const LOW_PRIORITY = 5;

export interface StageOptions {
  readonly resources: AsyncDisposableStack;
  readonly signal: AbortSignal;
  /** `low` goes behind the others. */
  readonly priority?: 'low' | undefined;
}

/** Runs a script to its end, or until `signal` stops it, and then prints in one piece what it said. */
export async function runStage(
  [script, ...options]: Stage,
  { resources, signal, priority }: StageOptions,
): Promise<StageResult> {
  const name = [script, ...options].join(' ');
  console.log(`▶ ${name}`);
  const started = Date.now();
  const args = ['--disable-warning=ExperimentalWarning', fromRoot('scripts', `${script}.ts`), ...options];
  const child = startProcess(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  resources.defer(() => stopProcess(child));
  if (priority === 'low' && child.pid !== undefined) setPriority(child.pid, LOW_PRIORITY);
  const stop = () => void stopProcess(child);
  signal.addEventListener('abort', stop, { once: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? 1)));
  signal.removeEventListener('abort', stop);
  const state = signal.aborted ? 'stopped' : 'ended';
  const mark = state === 'stopped' ? '■' : code === 0 ? '✔' : '✘';
  const line = `${mark} ${name} (${((Date.now() - started) / 1000).toFixed(0)} s)`;
  // What was stopped because another failed would only hide that one.
  console.log(state === 'stopped' ? line : `\n${output.trim()}\n${line}\n`);
  if (state === 'stopped') return { name, state, code, counts: { passed: 0, failed: 0 }, failures: [] };
  const counts = parseCounts(output) ?? { passed: 0, failed: 0 };
  return { name, state, code, counts, failures: failureReports(output) };
}
