import { AppError, badInput, listUrlVariables, sanitizeText } from '../../core/index.ts';
import { type CommandLine, parseCommandLine } from '../commandLine.ts';

const FAIL_ON = ['incomplete', 'difference', 'never'] as const;
type FailOn = (typeof FAIL_ON)[number];

export interface ActionInputs {
  readonly line: CommandLine;
  readonly failOn: FailOn;
}

/** The value of an input of action.yml. The runner keeps hyphens in the names of its variables. */
export function readInput(name: string): string {
  return process.env[`INPUT_${name.toUpperCase()}`]?.trim() ?? '';
}

/**
 * Reads the inputs as options of `check`.
 *
 * @throws AppError `badInput` with a message that names the input.
 */
export function readInputs(): ActionInputs {
  const strict = readInput('strict').toLowerCase();
  if (!['', 'true', 'false'].includes(strict)) throw badInput('strict', 'strict must be true or false.');
  const failOn = FAIL_ON.find((value) => value === (readInput('fail-on') || 'incomplete'));
  if (!failOn) throw badInput('fail-on', `fail-on must be one of: ${FAIL_ON.join(', ')}.`);
  const files = readInput('files')
    .split('\n')
    .map((file) => file.trim())
    .filter((file) => file !== '');
  const options = [
    formatOption('rpc', readInput('rpc-url')),
    ...['rpc-key-env', 'rpc-key-in', 'chain-id', 'dir', 'timeout'].map((name) =>
      formatOption(name, readInput(name)),
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
export function listSecrets(): readonly string[] {
  const names = [readInput('rpc-key-env'), ...listUrlVariables(readInput('rpc-url'))];
  return names.flatMap((name) => {
    const value = name === '' ? undefined : process.env[name];
    return value?.trim() ? [value, value.trim()] : [];
  });
}

/** Goes to the folder that paths start from. */
export function enterWorkingDirectory(): void {
  const folder = readInput('working-directory') || '.';
  try {
    process.chdir(process.env.GITHUB_WORKSPACE || '.');
    process.chdir(folder);
  } catch {
    const message = `working-directory ${sanitizeText(folder, 200)} is not a folder of the repository. Check out the repository first.`;
    throw badInput('working-directory', message);
  }
}
