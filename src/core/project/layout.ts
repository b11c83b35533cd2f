import { parse, TomlError } from 'smol-toml';
import { badInput, isAppError } from '../base/errors.ts';
import { sanitizeText } from '../base/text.ts';
import { parseAddress } from '../eth/hex.ts';
import type { LabelFacts } from './readers/facts.ts';

type TomlTable = Readonly<Record<string, unknown>>;

/** Characters. The largest real one is a few kilobytes; the parser may take a time that grows with the text. */
const MAX_TOML_CHARS = 256 * 1_024;
/** Of arrays and inline tables in one another; real ones have two. */
const MAX_TOML_DEPTH = 32;
/** Real projects have up to twenty. */
const MAX_PROFILES = 100;
/** Of one list: libraries, remappings. */
const MAX_STRINGS = 1_000;
/** A file of 256 KiB has no more than 5,000. */
const MAX_LABELS = 5_000;
const MAX_LABEL_CHARS = 128;

/**
 * A `foundry.toml` as plain data.
 *
 * @throws AppError `badInput` for text that is no TOML, with the line at fault.
 */
export function parseFoundryToml(text: string): TomlTable {
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
    throw badInput('foundry.toml', `Line ${cause.line}: ${sanitizeText(reason, 200)}`);
  }
}

/** The profile that the others build on: `[profile.default]`, or `[default]` as Foundry took it before 2022. */
function getDefaultProfile(toml: TomlTable): TomlTable {
  return { ...asTable(toml.default), ...asTable(asTable(toml.profile).default) };
}

/** All profiles, the default one first. */
function listProfiles(toml: TomlTable): readonly TomlTable[] {
  const { default: _, ...others } = asTable(toml.profile);
  return [getDefaultProfile(toml), ...Object.values(others).slice(0, MAX_PROFILES).map(asTable)];
}

/**
 * The names that a `foundry.toml` gives to addresses: `[tracing.labels]`, and `[labels]` of older releases, at the top and in
 * each profile; the address is the key. https://github.com/foundry-rs/foundry/tree/master/crates/config
 */
export function readLabels(toml: TomlTable): readonly LabelFacts[] {
  const found = new Map<string, LabelFacts>();
  for (const holder of [toml, ...listProfiles(toml)]) {
    for (const table of [asTable(holder.labels), asTable(asTable(holder.tracing).labels)]) {
      for (const [key, value] of Object.entries(table)) {
        const address = parseAddress(key);
        const name = typeof value === 'string' ? sanitizeText(value, MAX_LABEL_CHARS) : '';
        if (address && name && found.size < MAX_LABELS) {
          found.set(`${address} ${name}`, { address, name, chainId: undefined });
        }
      }
    }
  }
  return [...found.values()];
}

/** Texts of a setting that is one text or a list of them. */
function readStrings(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((text) => typeof text === 'string').slice(0, MAX_STRINGS);
}

function asTable(value: unknown): TomlTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as TomlTable) : {};
}

/** What no path of a project is longer than: it is cut nowhere, but left out. */
const MAX_PATH_CHARS = 1_024;

/**
 * A path as a configuration file writes it, in one form: '/' between its parts, none of them empty or `.`, `..` kept where
 * it leads out of the project. Undefined for what is no path: empty, too long, or with a variable in it, which would
 * have to be resolved outside of the file.
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
 * Whether `path` lies in `folder`; the empty folder is the root of the project.
 *
 * @example isPathWithin('out/Token.sol/Token.json', 'out') // true
 */
export function isPathWithin(path: string, folder: string): boolean {
  return folder === '' || (path.startsWith(folder) && path[folder.length] === '/');
}

/**
 * `path`, which is relative to `folder`.
 *
 * @example joinPath('', 'out') // 'out'
 */
export function joinPath(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}

/** The name of a file without its folders. */
export function getBaseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The folder in which a file is; empty for the root. */
export function getFolder(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/**
 * Where a project keeps what: folders from its root, '/'-separated, without a slash at the end; the empty one is the
 * root itself, and one that begins with `..` or `/` lies outside. Of several profiles all that any of them names.
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
  /** Those of `remappings.txt` first. */
  readonly remappings: readonly Remapping[];
  /** Of `foundry.toml`; `readFacts` gives them too, as the facts of that file. */
  readonly labels: readonly LabelFacts[];
  /** Why `foundry.toml` was not read, in which case the folders are those that Foundry takes without one. */
  readonly problem: string | undefined;
}

/** The files of a project's root that say how it is laid out, and which tools it is for. */
export interface LayoutFiles {
  readonly foundryToml?: string | undefined;
  readonly remappingsTxt?: string | undefined;
  /** Whether there is a `hardhat.config` of any kind; it is a program, so what it says is not known. */
  readonly hardhat?: boolean;
  /** Whether there is a `truffle-config.js` or `truffle.js`. */
  readonly truffle?: boolean;
}

/**
 * The layout of a project. Never throws: a broken `foundry.toml` is told in `problem`. Variables of the environment are
 * not resolved; a path with one is left out. With no tool at all the folders of all tools are taken.
 *
 * @example parseLayout({ foundryToml: '[profile.default]\nout = "build"' }).out // ['build']
 */
export function parseLayout(files: LayoutFiles): ProjectLayout {
  const { toml, problem } = readToml(files.foundryToml);
  const any = files.foundryToml === undefined && !files.hardhat && !files.truffle;
  const foundry = any || files.foundryToml !== undefined;
  const hardhat = any || files.hardhat === true;
  const truffle = any || files.truffle === true;
  const profiles = listProfiles(toml);
  const common = getDefaultProfile(toml);
  /** What profiles name, what Foundry takes where the default one names none, and what other tools take. */
  const folders = (setting: string, ofFoundry: string, others: readonly (string | false)[]) => {
    const named = profiles.flatMap((profile) => readStrings(profile[setting]));
    const written = [...named, foundry && common[setting] === undefined && ofFoundry, ...others];
    const tidy = written.map((folder) => (folder === false ? undefined : normalizePath(folder)));
    return [...new Set(tidy.filter((folder) => folder !== undefined))];
  };
  const older = hardhat || truffle;
  return {
    src: folders('src', 'src', [older && 'contracts']),
    test: folders('test', 'test', [older && 'test']),
    script: folders('script', 'script', [hardhat && 'scripts']),
    out: folders('out', 'out', [hardhat && 'artifacts', truffle && 'build/contracts']),
    libs: folders('libs', 'lib', [older && 'node_modules']),
    broadcast: folders('broadcast', 'broadcast', []),
    cache: folders('cache_path', 'cache', [hardhat && 'cache']),
    remappings: remappingsIn(profiles, files.remappingsTxt),
    labels: readLabels(toml),
    problem,
  };
}

function readToml(text: string | undefined): { toml: TomlTable; problem: string | undefined } {
  try {
    return { toml: text === undefined ? {} : parseFoundryToml(text), problem: undefined };
  } catch (error) {
    if (!isAppError(error, 'badInput')) throw error;
    return { toml: {}, problem: error.message };
  }
}

function remappingsIn(profiles: readonly TomlTable[], txt: string | undefined): readonly Remapping[] {
  const lines = txt === undefined ? [] : parseRemappingLines(txt);
  const texts = profiles.flatMap((profile) => readStrings(profile.remappings));
  return [...lines, ...parseRemappings(texts)].slice(0, MAX_REMAPPINGS);
}

/** An import that begins with `prefix` means the file below `target`, in the files below `context` if there is one. */
interface Remapping {
  readonly context: string | undefined;
  /** As it stands in imports: `@openzeppelin/`. */
  readonly prefix: string;
  /** From the root of the project, without a slash at its end. */
  readonly target: string;
}

/** More than any project has; each import is held against all of them. */
const MAX_REMAPPINGS = 1_000;

/**
 * A remapping as the compiler takes it, `context:prefix=target`; undefined if it is none.
 * https://docs.soliditylang.org/en/latest/path-resolution.html#import-remapping
 *
 * @example parseRemapping('@oz/=lib/oz/contracts/') // { context: undefined, prefix: '@oz/', target: 'lib/oz/contracts' }
 */
export function parseRemapping(text: string): Remapping | undefined {
  const line = text.trim();
  const equals = line.indexOf('=');
  if (equals <= 0) return undefined;
  const target = normalizePath(line.slice(equals + 1).trim());
  const left = line.slice(0, equals).trim();
  const colon = left.indexOf(':');
  const prefix = left.slice(colon + 1);
  if (target === undefined || prefix === '') return undefined;
  return { context: colon > 0 ? normalizePath(left.slice(0, colon)) : undefined, prefix, target };
}

/** The remappings of a `remappings.txt`, one a line; lines that are none are passed over. */
function parseRemappingLines(text: string): readonly Remapping[] {
  return parseRemappings(text.slice(0, MAX_REMAPPINGS_FILE_CHARS).split('\n'));
}

/** Those of `texts` that are remappings, up to {@link MAX_REMAPPINGS}. */
function parseRemappings(texts: readonly string[]): readonly Remapping[] {
  const found: Remapping[] = [];
  for (const text of texts) {
    const remapping = parseRemapping(text);
    if (remapping) found.push(remapping);
    if (found.length === MAX_REMAPPINGS) break;
  }
  return found;
}

/** Characters: hundreds of times what a real one has. */
const MAX_REMAPPINGS_FILE_CHARS = 256 * 1_024;
