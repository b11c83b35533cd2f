import { realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { AppError, badInput, englishMessage, listUrlVariables, sanitizeText } from '../../core/index.ts';
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
  if (!failOn) throw badInput('fail-on', englishMessage`fail-on must be one of: ${FAIL_ON.join(', ')}.`);
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

/**
 * Finds the folder that relative paths start from.
 *
 * @throws AppError `badInput` if it is not a folder, or a link in the repository that leads out of it.
 */
export async function findWorkingDirectory(env: Env): Promise<string> {
  const folder = readInput('working-directory', env) || '.';
  const found = await realpath(resolve(getRepository(env), folder)).catch(() => undefined);
  if (found !== undefined && (await stat(found)).isDirectory()) {
    await requireInRepository('working-directory', folder, { folder: getRepository(env), env });
    return found;
  }
  const message = englishMessage`working-directory ${sanitizeText(folder, 200)} is not a folder of the repository. Check out the repository first.`;
  throw badInput('working-directory', message);
}

function getRepository(env: Env): string {
  return resolve(env.GITHUB_WORKSPACE || '.');
}

/**
 * Refuses a path in the repository that leads out of it by a link: whoever sent a pull request may have made it. A path
 * elsewhere is the choice of the workflow.
 *
 * @throws AppError `badInput` that names the input.
 */
export async function requireInRepository(
  input: string,
  path: string | undefined,
  { folder, env }: { readonly folder: string; readonly env: Env },
): Promise<void> {
  if (path === undefined) return;
  const repository = getRepository(env);
  const named = resolve(folder, path);
  const [real, realRepository] = await Promise.all([findRealPath(named), findRealPath(repository)]);
  const isIn = [repository, realRepository].some((root) => isPathIn(named, root));
  if (!isIn || isPathIn(real, realRepository)) return;
  const message = englishMessage`${input} ${sanitizeText(path, 200)} is a link that leads out of the repository. Name the folder itself.`;
  throw badInput(input, message);
}

/** The repository, or for a file elsewhere the nearest folder that exists, and the path from there. */
export async function splitAtRepository(
  file: string,
  env: Env,
): Promise<{ readonly root: string; readonly path: string }> {
  const repository = getRepository(env);
  for (const root of [repository, await findRealPath(repository)])
    if (file !== root && isPathIn(file, root)) return { root, path: relative(root, file) };
  let root = dirname(file);
  while (dirname(root) !== root && !(await stat(root).catch(() => undefined))) root = dirname(root);
  return { root, path: relative(root, file) };
}

/** The path itself where nothing is there. */
async function findRealPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

function isPathIn(path: string, root: string): boolean {
  const way = relative(root, path);
  return !isAbsolute(way) && way.split(sep)[0] !== '..';
}
