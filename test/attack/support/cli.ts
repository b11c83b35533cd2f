import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { cacheFolder, fromRoot } from '../../../scripts/support/paths.ts';
import { removeFolder } from '../../../scripts/support/script.ts';
import { assertWithinBounds } from './bounds.ts';
import { campaign } from './campaign.ts';

export interface CliRun {
  readonly code: number | null;
  /** Standard output, a value a line. */
  readonly values: readonly Readonly<Record<string, unknown>>[];
  readonly output: string;
  readonly words: string;
}

export interface CliOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The most characters of standard error. */
  readonly maxWords?: number;
}

const LIMIT_MS = 40_000;

let last = '';
let watch: Promise<string> | undefined;

/** What watches the runner from inside, in a form that every Node loads. */
async function bundleWatch(): Promise<string> {
  const outfile = join(cacheFolder, 'watchCli.mjs');
  const entryPoints = [fromRoot('test/attack/support/watchCli.ts')];
  await build({ entryPoints, outfile, bundle: true, format: 'esm', platform: 'node', target: 'node20' });
  return pathToFileURL(outfile).href;
}

/** How the last run of a test ended and what it said at the end, for the report of a failure. */
export function formatLastRun(): string {
  return last;
}

export function forgetLastRun(): void {
  last = '';
}

/**
 * Runs the headless runner in a folder of its own, watched from inside. Fails where it would steer the terminal, says much,
 * or goes beyond the bounds.
 */
export async function runCli(
  args: readonly string[],
  { input = '', env = {}, maxWords = 8000 }: CliOptions = {},
): Promise<CliRun> {
  const folder = await mkdtemp(join(tmpdir(), 'chainside-attack-'));
  const strainFile = join(folder, 'strain.json');
  const started = performance.now();
  const main = process.env.CHAINSIDE_HEADLESS ?? fromRoot('src', 'cli', 'main.ts');
  watch ??= bundleWatch();
  const child = spawn(campaign.node, ['--import', await watch, main, ...args], {
    cwd: folder,
    env: { ...process.env, ...env, CHAINSIDE_STRAIN_FILE: strainFile },
  });
  // A runner that does not end is ended, so that the next attack is not disturbed.
  const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  try {
    child.stdin.on('error', () => undefined).end(input);
    const [output, words, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    const seconds = (performance.now() - started) / 1000;
    last = [
      `The runner, started with ${args.join(' ')}, ended with ${code ?? child.signalCode}.`,
      `At the end of its output:\n${output.slice(-1500)}`,
      `At the end of its words:\n${words.slice(-1500)}`,
    ].join('\n');
    if (child.signalCode === 'SIGKILL') throw new Error(`It did not end within ${LIMIT_MS / 1000} s.`);
    const strain = JSON.parse(await readFile(strainFile, 'utf8'));
    const values = output
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    assert.ok(!steersTerminal(output) && !steersTerminal(words), 'Something would steer the terminal.');
    assert.ok(words.length < maxWords, `${words.length} characters of words`);
    assertWithinBounds({ seconds, ...strain }, args[0]);
    return { code, values, output, words };
  } finally {
    clearTimeout(limit);
    await removeFolder(folder);
  }
}

/** Whether a text has what steers a terminal or the direction of reading; line breaks are the runner's own. */
function steersTerminal(text: string): boolean {
  return /[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/u.test(text.replaceAll('\n', ''));
}
