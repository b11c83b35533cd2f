import { existsSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cost } from '../../test/support/costs.ts';
import { countLine, parseCounts, type TestCounts } from '../../test/support/runMocha.ts';
import { startProcess, stopProcess } from './childProcess.ts';
import { cacheFolder, fromRoot } from './paths.ts';

/** A script of the tests, and what it may take. */
export interface Stage {
  readonly script: string;
  readonly options?: readonly string[];
  /** The test files to run; all by default. */
  readonly files?: readonly string[];
  /** Seconds of processor time on the machine that the budgets are made for. */
  readonly budget: number;
  /** Seconds of processor time that a test of this level may take. */
  readonly perTest?: number;
  /** Whether its files that fail run once more, in fresh windows: passing then is reported, and is a bug. */
  readonly isRetried?: boolean;
}

export interface StageResult {
  readonly stage: Stage;
  readonly code: number;
  readonly counts: TestCounts;
  /** A line for each failure: `FILE › TEST (ERROR)`. */
  readonly failures: readonly string[];
  /** The failures of a first run, if all files that failed passed in a second. */
  readonly flaky?: readonly string[];
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly files: readonly Required<Cost>[];
}

export function stageName({ script, options = [], files = [] }: Stage): string {
  return [script, ...options, ...files].join(' ');
}

/** What the line of a failure in the output of a stage begins with. */
export const FAILED_MARK = 'FAILED: ';

/** Runs a script to its end, and prints its output if it failed; `.cache/logs` has the output of each. */
export async function runStage(stage: Stage, resources: AsyncDisposableStack): Promise<StageResult> {
  const { script, options = [], files = [] } = stage;
  const name = stageName(stage);
  console.log(`▶ ${name}`);
  const started = performance.now();
  const logs = join(cacheFolder, 'logs');
  await mkdir(logs, { recursive: true });
  const costs = join(logs, `${script}.costs.jsonl`);
  rmSync(costs, { force: true });
  const args = [...process.execArgv, fromRoot('scripts', `${script}.ts`), ...options, ...files];
  const child = startProcess(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CHAINSIDE_COSTS: costs },
  });
  resources.defer(() => stopProcess(child));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? 1)));
  await writeFile(join(logs, `${script}.log`), output);
  const seconds = (performance.now() - started) / 1000;
  const found = parseCounts(output);
  const line = `${code === 0 ? '✔' : '✘'} ${name} (${seconds.toFixed(0)} s)${found ? `: ${countLine(found)}` : ''}`;
  console.log(code === 0 ? line : `\n${output.trim()}\n\n${line}`);
  const { passed, failed } = found ?? { passed: 0, failed: 0 };
  const marked = output.split('\n').filter((text) => text.startsWith(FAILED_MARK));
  return {
    stage,
    code,
    // A stage can also fail without a failed test: a lint finding, a crash. That must not read as success.
    counts: { passed, failed: code === 0 ? failed : Math.max(failed, 1) },
    failures: marked.map((text) => text.slice(FAILED_MARK.length)),
    seconds,
    ...readCosts(costs, child.pid),
  };
}

/**
 * Runs a stage, and its files that failed once more where it may. Files that pass then are flaky: the result has passed,
 * and has their failures in `flaky`.
 */
export async function runWithRetry(
  stage: Stage,
  run: (stage: Stage) => Promise<StageResult>,
): Promise<StageResult> {
  const first = await run(stage);
  const files = [...new Set(first.failures.map(fileOf))].filter((file) => file !== '');
  if (!stage.isRetried || files.length === 0) return first;
  const second = await run({ ...stage, files });
  const hasPassed = second.code === 0;
  return {
    ...first,
    code: second.code,
    counts: hasPassed ? { passed: first.counts.passed + first.counts.failed, failed: 0 } : first.counts,
    failures: hasPassed ? [] : [...first.failures, ...second.failures],
    ...(hasPassed && { flaky: first.failures }),
    seconds: first.seconds + second.seconds,
    processorSeconds: first.processorSeconds + second.processorSeconds,
  };
}

/** The file of a failure's line. */
export function fileOf(failure: string): string {
  return failure.split(' › ')[0] ?? '';
}

/** The costs that processes have recorded in `file`; `pid` is the process of the whole stage. */
export function readCosts(
  file: string,
  pid: number | undefined,
): Pick<StageResult, 'processorSeconds' | 'files'> {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const costs = lines.map((line) => JSON.parse(line) as Cost & { readonly pid: number });
  // A file with several suites has a record of each.
  const files = new Map<string, Required<Cost>>();
  for (const { file, tests, seconds, processorSeconds } of costs) {
    if (file === undefined) continue;
    const sum = files.get(file) ?? { file, tests: 0, seconds: 0, processorSeconds: 0 };
    files.set(file, {
      file,
      tests: sum.tests + tests,
      seconds: sum.seconds + seconds,
      processorSeconds: sum.processorSeconds + processorSeconds,
    });
  }
  const whole = costs.find((cost) => cost.file === undefined && cost.pid === pid);
  return { files: [...files.values()], processorSeconds: whole?.processorSeconds ?? 0 };
}
