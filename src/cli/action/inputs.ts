import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError, badInput, listUrlVariables, sanitizeText } from '../../core/index.ts';
import { type CommandLine, parseCommandLine } from '../commandLine.ts';
import type { Env } from '../terminal.ts';

const FAIL_ON = ['incomplete', 'difference', 'never'] as const;
type FailOn = (typeof FAIL_ON)[number];

export interface ActionInputs {
  readonly line: CommandLine;
  readonly failOn: FailOn;
}

/** The value of an input of action.yml. The runner keeps hyphens in the names of its variables. */
export function readInput(name: string, env: Env): string {
  return env[`INPUT_${name.toUpperCase()}`]?.trim() ?? '';
}

/**
 * Reads the inputs as options of `check`.
 *
 * @throws AppError `badInput` with a message that names the input.
 */
export function readInputs(env: Env): ActionInputs {
  const read = (name: string) => readInput(name, env);
  const strict = read('strict').toLowerCase();
  if (!['', 'true', 'false'].includes(strict)) throw badInput('strict', 'strict must be true or false.');
  const failOn = FAIL_ON.find((value) => value === (read('fail-on') || 'incomplete'));
  if (!failOn) throw badInput('fail-on', `fail-on must be one of: ${FAIL_ON.join(', ')}.`);
  const files = read('files')
    .split('\n')
    .map((file) => file.trim())
    .filter((file) => file !== '');
  const options = [
    formatOption('rpc', read('rpc-url')),
    ...['rpc-key-env', 'rpc-key-in', 'chain-id', 'dir', 'timeout'].map((name) =>
      formatOption(name, read(name)),
    ),
    strict === 'true' ? '--strict' : '',
  ].filter((option) => option !== '');
  return { line: parseCommandLine(['check', ...options, '--', ...files]), failOn };
}

function formatOption(name: string, value: string): string {
  return value === '' ? '' : `--${name}=${value}`;
}

/** Names inputs in a message about options of the command line. */
export function toInputError({ kind, message, details }: AppError): AppError {
  const named = message.replace(/--([a-z]+(?:-[a-z]+)*)/g, (_, name: string) =>
    name === 'rpc' ? 'rpc-url' : name,
  );
  return new AppError(kind, named, details);
}

/** The values of variables that the inputs name as secret. */
export function listSecrets(env: Env): readonly string[] {
  const names = [readInput('rpc-key-env', env), ...listUrlVariables(readInput('rpc-url', env))];
  return names.flatMap((name) => {
    const value = name === '' ? undefined : env[name];
    return value?.trim() ? [value, value.trim()] : [];
  });
}

/** Finds the folder that relative paths start from. @throws AppError `badInput` if it is not a folder. */
export async function findWorkingDirectory(env: Env): Promise<string> {
  const folder = readInput('working-directory', env) || '.';
  const found = await realpath(resolve(env.GITHUB_WORKSPACE || '.', folder)).catch(() => undefined);
  if (found !== undefined && (await stat(found)).isDirectory()) return found;
  const message = `working-directory ${sanitizeText(folder, 200)} is not a folder of the repository. Check out the repository first.`;
  throw badInput('working-directory', message);
}
