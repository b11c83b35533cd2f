import { parse, TomlError } from 'smol-toml';
import { badInput, isAppError } from '../base/errors.ts';
import { sanitizeName } from '../base/names.ts';
import { createMessage, foreign } from '../base/text.ts';
import { parseAddress } from '../eth/hex.ts';
import type { LabelFacts } from './readers/facts.ts';

/** Characters. Real files are a few kilobytes; the time of the parser may grow with the text. */
const MAX_TOML_CHARS = 256 * 1_024;
/** Nested arrays and inline tables; real files have two levels. */
const MAX_TOML_DEPTH = 32;
/** Real projects have up to twenty. */
const MAX_PROFILES = 100;
/** Of remappings in a profile. */
const MAX_STRINGS = 1_000;
/** Of a kind, of all profiles: each file is compared with all of them, and each import is looked for in all libraries. */
const MAX_FOLDERS = 50;
/** A file of 256 KiB holds no more than 5,000. */
const MAX_LABELS = 5_000;
const MAX_LABEL_CHARS = 128;
/** A longer path is invalid; it is never truncated. */
const MAX_PATH_CHARS = 1_024;
/** More than any project has; each import is compared with all of them. */
const MAX_REMAPPINGS = 1_000;
/** Characters: hundreds of times a real one. */
const MAX_REMAPPINGS_FILE_CHARS = 256 * 1_024;

type TomlTable = Readonly<Record<string, unknown>>;

/** A `foundry.toml`: its text, or its tables with those that it extends. */
export type FoundryToml = string | TomlTable;

/**
 * The folders of a project, relative to its root, '/'-separated, without a trailing slash. The empty folder is the root
 * itself; one that begins with `..` or `/` is outside. If profiles differ, the folders of all of them.
 */
export interface ProjectLayout {
  readonly src: readonly string[];
  readonly test: readonly string[];
  readonly script: readonly string[];
  /** Where compilers write artifacts. */
  readonly out: readonly string[];
  readonly libs: readonly string[];
  readonly broadcast: readonly string[];
  readonly cache: readonly string[];
  /** Those of `remappings.txt` come first. */
  readonly remappings: readonly Remapping[];
  /** From `foundry.toml` and what it extends; `readFacts` returns them too, as the facts of that file. */
  readonly labels: readonly LabelFacts[];
  /** Why `foundry.toml` could not be read; the folders are then Foundry's defaults. */
  readonly error: string | undefined;
  /** What of it is left out. */
  readonly limit?: string | undefined;
}

/** An import that begins with `prefix` refers to a file below `target`; only in files below `context`, if set. */
export interface Remapping {
  readonly context: string | undefined;
  /** As written in imports: `@openzeppelin/`. */
  readonly prefix: string;
  /** From the root of the project, without a trailing slash. */
  readonly target: string;
}

interface LayoutFiles {
  readonly foundryToml?: FoundryToml | undefined;
  readonly remappingsTxt?: string | undefined;
  /** Whether there is a `hardhat.config` of any kind. It is a program, so its settings are unknown. */
  readonly hardhat?: boolean;
  /** Whether there is a `truffle-config.js` or `truffle.js`. */
  readonly truffle?: boolean;
  /** Whether Ape, which needs no configuration, compiles into `.build`. */
  readonly ape?: boolean;
}

/**
 * Derives the layout of a project. Never throws: `error` is that of an invalid `foundry.toml`. Paths with
 * environment variables are dropped. Without any tool, the folders of all tools apply.
 *
 * @example parseLayout({ foundryToml: '[profile.default]\nout = "build"' }).out // ['build']
 */
export function parseLayout(files: LayoutFiles): ProjectLayout {
  const { toml, error } = readToml(files.foundryToml);
  const noTool = files.foundryToml === undefined && !files.hardhat && !files.truffle;
  const foundry = noTool || files.foundryToml !== undefined;
  const hardhat = noTool || files.hardhat === true;
  const truffle = noTool || files.truffle === true;
  const profiles = listProfiles(toml);
  const defaultProfile = getDefaultProfile(toml);
  /** The folders in the profiles, Foundry's default if the default profile has none, and those of other tools. */
  const folders = (setting: string, foundryDefault: string, others: readonly (string | false)[]) => {
    const named = profiles.flatMap((profile) => readStrings(profile[setting]));
    const all = [...named, foundry && defaultProfile[setting] === undefined && foundryDefault, ...others];
    const normalized = all.map((folder) => (folder === false ? undefined : normalizePath(folder)));
    const different = [...new Set(normalized.filter((folder) => folder !== undefined))];
    if (different.length <= MAX_FOLDERS) return different;
    limited.push(setting);
    // The tools add their own folders at the end.
    return [...different.slice(0, MAX_FOLDERS - 4), ...different.slice(-4)];
  };
  const limited: string[] = [];
  const isJsTool = hardhat || truffle;
  const layout = {
    src: folders('src', 'src', [isJsTool && 'contracts']),
    test: folders('test', 'test', [isJsTool && 'test']),
    script: folders('script', 'script', [hardhat && 'scripts']),
    out: folders('out', 'out', [
      hardhat && 'artifacts',
      truffle && 'build/contracts',
      files.ape === true && '.build',
    ]),
    libs: folders('libs', 'lib', [isJsTool && 'node_modules']),
    broadcast: folders('broadcast', 'broadcast', []),
    cache: folders('cache_path', 'cache', [hardhat && 'cache']),
    remappings: listRemappings(profiles, files.remappingsTxt),
    labels: readLabels(toml),
    error,
  };
  if (limited.length === 0) return layout;
  const limit = `It names more than ${MAX_FOLDERS} folders for ${limited.join(', ')}. Some are not used. Name fewer.`;
  return { ...layout, limit };
}

function readToml(foundryToml: FoundryToml = {}): { toml: TomlTable; error: string | undefined } {
  try {
    return { toml: parseFoundryToml(foundryToml), error: undefined };
  } catch (error) {
    if (!isAppError(error, 'badInput')) throw error;
    return { toml: {}, error: error.message };
  }
}

function listRemappings(profiles: readonly TomlTable[], txt: string | undefined): readonly Remapping[] {
  const lines = txt === undefined ? [] : parseRemappingLines(txt);
  const texts = profiles.flatMap((profile) => readStrings(profile.remappings));
  return [...lines, ...parseRemappings(texts)].slice(0, MAX_REMAPPINGS);
}

/**
 * Parses a remapping of the compiler, `context:prefix=target`; undefined if it is malformed.
 * https://docs.soliditylang.org/en/latest/path-resolution.html#import-remapping
 *
 * @example parseRemapping('@oz/=lib/oz/contracts/') // { context: undefined, prefix: '@oz/', target: 'lib/oz/contracts' }
 */
export function parseRemapping(text: string): Remapping | undefined {
  const line = text.trim();
  const equals = line.indexOf('=');
  if (equals <= 0) return undefined;
  const target = normalizePath(line.slice(equals + 1).trim());
  const source = line.slice(0, equals).trim();
  const colon = source.indexOf(':');
  const prefix = source.slice(colon + 1);
  if (target === undefined || prefix === '') return undefined;
  return { context: colon > 0 ? normalizePath(source.slice(0, colon)) : undefined, prefix, target };
}

/** Parses a `remappings.txt`, one remapping a line; malformed lines are ignored. */
function parseRemappingLines(text: string): readonly Remapping[] {
  return parseRemappings(text.slice(0, MAX_REMAPPINGS_FILE_CHARS).split('\n'));
}

/** The valid remappings of `texts`, up to {@link MAX_REMAPPINGS}. */
function parseRemappings(texts: readonly string[]): readonly Remapping[] {
  const found: Remapping[] = [];
  for (const text of texts) {
    const remapping = parseRemapping(text);
    if (remapping) found.push(remapping);
    if (found.length === MAX_REMAPPINGS) break;
  }
  return found;
}

/**
 * Parses a `foundry.toml`.
 *
 * @throws AppError `badInput` for text that is not TOML, with the line of the error.
 */
export function parseFoundryToml(text: FoundryToml): TomlTable {
  if (typeof text !== 'string') return text;
  if (text.length > MAX_TOML_CHARS) throw badInput('foundry.toml', 'It is larger than 256 KiB.');
  try {
    return parse(text, {
      integersAsBigInt: 'asNeeded',
      maxDepth: MAX_TOML_DEPTH,
      unsafeKeyBehaviour: 'drop',
    });
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw badInput('foundry.toml', 'It is not valid TOML.');
    const [reason = ''] = cause.message.split('\n');
    throw badInput('foundry.toml', createMessage('Line {0}: {1}', cause.line, foreign(reason, 200)));
  }
}

/** The profile that the others extend: `[profile.default]`, or `[default]` in Foundry before 2022. */
function getDefaultProfile(toml: TomlTable): TomlTable {
  return { ...asTable(toml.default), ...asTable(asTable(toml.profile).default) };
}

function listProfiles(toml: TomlTable): readonly TomlTable[] {
  const { default: _, ...others } = asTable(toml.profile);
  return [getDefaultProfile(toml), ...Object.values(others).slice(0, MAX_PROFILES).map(asTable)];
}

/**
 * The names of addresses in a `foundry.toml`: `[tracing.labels]`, and `[labels]` in older releases, at the top level and in
 * each profile; the address is the key. https://github.com/foundry-rs/foundry/tree/master/crates/config
 */
export function readLabels(toml: TomlTable): readonly LabelFacts[] {
  const found = new Map<string, LabelFacts>();
  for (const scope of [toml, ...listProfiles(toml)]) {
    for (const table of [asTable(scope.labels), asTable(asTable(scope.tracing).labels)]) {
      for (const [key, value] of Object.entries(table)) {
        const address = parseAddress(key);
        const name = typeof value === 'string' ? sanitizeName(value, MAX_LABEL_CHARS) : undefined;
        if (address && name && found.size < MAX_LABELS) {
          found.set(`${address} ${name}`, { address, name, chainId: undefined });
        }
      }
    }
  }
  return [...found.values()];
}

/** The strings of a setting that is one string or a list. */
function readStrings(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((text) => typeof text === 'string').slice(0, MAX_STRINGS);
}

function asTable(value: unknown): TomlTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as TomlTable) : {};
}

/**
 * A path of a configuration file in normal form: '/' between its parts, none of them empty or `.`; `..` only where it
 * leads out of the project. Undefined if it is empty, too long, or contains an environment variable, which is not
 * resolved.
 *
 * @example normalizePath('./out//contracts/') // 'out/contracts'
 */
export function normalizePath(written: string): string | undefined {
  if (written.length > MAX_PATH_CHARS || written.includes('$') || written.includes('\0')) return undefined;
  const slashed = written.replaceAll('\\', '/');
  const parts: string[] = [];
  for (const part of slashed.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  const path = parts.join('/');
  if (slashed.startsWith('/')) return `/${path}`;
  return path === '' && slashed !== '.' && slashed !== './' ? undefined : path;
}

/**
 * Whether `path` is in `folder`; the empty folder is the root of the project.
 *
 * @example isPathWithin('out/Token.sol/Token.json', 'out') // true
 */
export function isPathWithin(path: string, folder: string): boolean {
  return folder === '' || (path.startsWith(folder) && path[folder.length] === '/');
}

/**
 * Joins a folder, which may be empty, and a path in it.
 *
 * @example joinPath('', 'out') // 'out'
 */
export function joinPath(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}

export function getBaseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The folder of a file; empty for the root. */
export function getFolder(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
