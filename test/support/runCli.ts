import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fromRoot } from '../../scripts/support/paths.ts';

export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program that tests start: its bundle, or its sources where no script has made that. */
export const headlessMain = process.env.CHAINSIDE_HEADLESS ?? fromRoot('src', 'cli', 'main.ts');

/**
 * Runs the headless runner with `args` to its end; `env` is all of its environment that names a proxy. With `closes`
 * nobody reads its output.
 */
export async function runCli(
  args: readonly string[],
  {
    env = {},
    input = '',
    closes = false,
  }: {
    readonly env?: Readonly<Record<string, string>>;
    readonly input?: string;
    readonly closes?: boolean;
  } = {},
): Promise<CliRun> {
  const inherited = Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', headlessMain, ...args], {
    env: { ...Object.fromEntries(inherited), ...env },
  });
  child.stdin.end(input);
  if (closes) child.stdout.destroy();
  const [stdout, stderr, [code]] = await Promise.all([
    closes ? '' : text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}
