import { appendFileSync, readFileSync } from 'node:fs';

/** What running a test file, or a whole stage, took. */
export interface Cost {
  /** Path of the test file; absent for the whole stage. */
  readonly file?: string;
  readonly tests: number;
  readonly seconds: number;
  /** Seconds of processor time of the process, and of its children that have ended. */
  readonly processorSeconds: number;
}

/** File that collects the costs of a stage, a line each; nobody reads them where it is not set. */
const costsFile = process.env.CHAINSIDE_COSTS;

let last = readUsage();

/** Has the next record begin here. */
export function startCosts(): void {
  last = readUsage();
}

/** Records what was used since the last record. */
export function recordFileCost(file: string, tests: number): void {
  const now = readUsage();
  append({
    file,
    tests,
    seconds: now.seconds - last.seconds,
    processorSeconds: now.processor - last.processor,
  });
  last = now;
}

/** Records all that this process has used. */
export function recordStageCost(): void {
  append({ tests: 0, seconds: process.uptime(), processorSeconds: readUsage().processor });
}

function append(cost: Cost): void {
  if (costsFile !== undefined)
    appendFileSync(costsFile, `${JSON.stringify({ ...cost, pid: process.pid })}\n`);
}

function readUsage() {
  const { user, system } = process.cpuUsage();
  return { seconds: performance.now() / 1000, processor: (user + system) / 1e6 + readChildSeconds() };
}

/** From proc_pid_stat(5), which counts in hundredths of a second; 0 on other systems than Linux. */
function readChildSeconds(): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15)
    .map(Number);
  return (user + system) / 100;
}
