import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

const alive = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of alive) signalGroup(child, 'SIGKILL');
});

/** Starts a program that `stopProcess` ends together with all that it has started itself. */
export function startProcess(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): ChildProcess {
  const child = spawn(command, args, { ...options, detached: process.platform !== 'win32' });
  alive.add(child);
  child.once('exit', () => alive.delete(child));
  child.once('error', () => alive.delete(child));
  return child;
}

/** Asks a process and its children to end, and ends them by force after `graceMs`. */
export async function stopProcess(child: ChildProcess, graceMs = 3000): Promise<void> {
  if (!alive.has(child)) return;
  const ended = once(child, 'exit');
  signalGroup(child, 'SIGTERM');
  const force = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
  await ended;
  clearTimeout(force);
  signalGroup(child, 'SIGKILL');
}

/** Runs a program to its end and returns what it printed; fails with its words when it fails. */
export async function run(
  command: string,
  args: readonly string[],
  { input, ...options }: SpawnOptions & { readonly input?: string } = {},
): Promise<string> {
  const child = startProcess(command, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin?.end(input);
  const output = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const code = await exitCode(child, 'close');
  if (code !== 0) {
    const words = [output.stderr, output.stdout].map((text) => text.trim()).filter((text) => text !== '');
    throw new Error(`${[command, ...args].join(' ')} ended with ${code}:\n${words.join('\n')}`);
  }
  return output.stdout;
}

/** Runs a program with this terminal as its own, Ctrl-C included, and returns its exit code. */
export async function runInTerminal(command: string, args: readonly string[]): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit' });
  const kill = () => child.kill();
  process.once('exit', kill);
  try {
    return await exitCode(child, 'exit');
  } finally {
    process.off('exit', kill);
  }
}

function exitCode(child: ChildProcess, event: 'exit' | 'close'): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once(event, (code: number | null) => resolve(code ?? 1));
  });
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // The group has ended already.
  }
}
