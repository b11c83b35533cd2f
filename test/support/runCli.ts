import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fromRoot } from '../../scripts/support/paths.ts';
import type { ProgramInputs } from '../../src/cli/context.ts';
import { run } from '../../src/cli/run.ts';
import type { FetchLike } from '../../src/core/index.ts';

export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface CliOptions {
  /** All of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Readable;
  /** Whether the outputs are terminals. */
  readonly isTerminal?: boolean;
  readonly signal?: AbortSignal;
  /** By default undici. */
  readonly fetch?: FetchLike;
  /** Is called for each text on standard error. */
  readonly onMessage?: (text: string) => void;
}

/** Runs the command line in this process. */
export function runCli(args: readonly string[], options?: CliOptions): Promise<CliRun> {
  return runInMemory((program) => run(args, program), options);
}

/** Runs a program with streams in memory. */
export async function runInMemory(
  runProgram: (program: ProgramInputs) => Promise<number>,
  { env = {}, input = '', isTerminal = false, onMessage, ...options }: CliOptions = {},
): Promise<CliRun> {
  const stdin = typeof input === 'string' ? Readable.from([Buffer.from(input)]) : input;
  const stdout = Object.assign(new PassThrough(), { isTTY: isTerminal });
  const stderr = Object.assign(new PassThrough(), { isTTY: isTerminal });
  if (onMessage) stderr.on('data', (chunk) => onMessage(String(chunk)));
  const printed = Promise.all([text(stdout), text(stderr)]);
  const { signal } = new AbortController();
  const code = await runProgram({ stdin, stdout, stderr, env, signal, version: '9.8.7', ...options });
  stdout.end();
  stderr.end();
  const [output, messages] = await printed;
  return { code, stdout: output, stderr: messages };
}

/** The JSON that an output has on each line. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at what they expect.
export function parseLines(output: string): any[] {
  return output.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

/** The program that tests start: its bundle, or its sources where no script has made that. */
export const headlessMain = process.env.CHAINSIDE_HEADLESS ?? fromRoot('src', 'cli', 'main.ts');

/** Starts the command line in a process of its own, which has signals and pipes; `env` is all that names a proxy. */
export function startCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcessWithoutNullStreams {
  const inherited = Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name));
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', headlessMain, ...args], {
    env: { ...Object.fromEntries(inherited), ...env },
  });
}
