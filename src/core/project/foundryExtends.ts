import { badInput, isAppError } from '../base/errors.ts';
import { sanitizeText } from '../base/text.ts';
import { isRecord } from '../base/values.ts';
import { type FoundryToml, getFolder, joinPath, normalizePath, parseFoundryToml } from './layout.ts';

/** Files that extend each other; Foundry itself takes two. */
const MAX_EXTENDED_FILES = 8;
/** Tables in tables; the parser takes no more. */
const MAX_TABLE_DEPTH = 32;

interface FoundryConfig {
  /** Of the file and all that it extends; the text of the file itself if it is invalid. */
  readonly toml: FoundryToml;
  /** Why a file that it extends is not read, in one line. */
  readonly error: string | undefined;
}

/**
 * Reads a `foundry.toml` with the files that its profiles extend, as Foundry does since 1.4: `extends = "PATH"`, or
 * `extends = { path = "PATH", strategy = "extend-arrays" }`. Its own values win; lists are joined, those of the extended
 * file first, unless the strategy is another. https://getfoundry.sh/config/overview
 *
 * @param path from the root of the workspace, outside of which nothing is read.
 * @param read undefined if the file does not exist.
 * @example const { toml } = await readFoundryConfig('foundry.toml', text, read); parseLayout({ foundryToml: toml }).src;
 */
export async function readFoundryConfig(
  path: string,
  text: string,
  read: (path: string) => Promise<string | undefined>,
): Promise<FoundryConfig> {
  const visited = new Set([path]);
  let error: string | undefined;

  async function extend(own: Table, folder: string): Promise<Table> {
    let merged = own;
    for (const { path: written, strategy } of listExtended(own)) {
      const base = await readBase(written, folder);
      if (base) merged = mergeTables(base, merged, strategy);
    }
    return merged;
  }

  async function readBase(written: string, folder: string): Promise<Table | undefined> {
    const shown = sanitizeText(written, 200);
    const target = normalizePath(written.startsWith('/') ? written : joinPath(folder, written));
    const refuse = (reason: string) => {
      error ??= `It extends ${shown}, which ${reason}.`;
      return undefined;
    };
    if (target === undefined) return refuse('is not a path');
    if (/^(?:\/|[A-Za-z]:)/.test(target) || target.split('/')[0] === '..') {
      return refuse('is outside of the workspace and not read');
    }
    if (visited.has(target)) return refuse('extends it in turn, or is extended twice');
    if (visited.size >= MAX_EXTENDED_FILES) return refuse('is one file too many');
    visited.add(target);
    const content = await read(target);
    if (content === undefined) return refuse('does not exist');
    try {
      return await extend(parseFoundryToml(content), getFolder(target));
    } catch (cause) {
      if (!isAppError(cause, 'badInput')) throw cause;
      return refuse(`is invalid: ${cause.message.replace(/\.$/, '')}`);
    }
  }

  try {
    const toml = await extend(parseFoundryToml(text), getFolder(path));
    return { toml, error };
  } catch (cause) {
    if (!isAppError(cause, 'badInput')) throw cause;
    return { toml: text, error: undefined };
  }
}

type Table = Readonly<Record<string, unknown>>;
type Strategy = 'extend-arrays' | 'replace-arrays';

/** What the profiles extend, each file once. */
function listExtended(toml: Table): readonly { readonly path: string; readonly strategy: Strategy }[] {
  const profiles = isRecord(toml.profile) ? Object.values(toml.profile) : [];
  const found = new Map<string, Strategy>();
  for (const profile of [toml.default, ...profiles]) {
    const value = isRecord(profile) ? profile.extends : undefined;
    const { path, strategy } = isRecord(value) ? value : { path: value, strategy: undefined };
    if (typeof path !== 'string' || found.has(path)) continue;
    // With `no-collision`, Foundry refuses files that set the same value.
    const joins = strategy === undefined || strategy === 'extend-arrays';
    found.set(path, joins ? 'extend-arrays' : 'replace-arrays');
  }
  return [...found].map(([path, strategy]) => ({ path, strategy }));
}

function mergeTables(base: Table, own: Table, strategy: Strategy, depth = 0): Table {
  if (depth > MAX_TABLE_DEPTH) throw badInput('foundry.toml', 'It is nested too deep.');
  const merged: Record<string, unknown> = Object.assign(Object.create(null), base);
  for (const [name, value] of Object.entries(own)) {
    const inherited = merged[name];
    if (isRecord(inherited) && isRecord(value)) {
      merged[name] = mergeTables(inherited, value, strategy, depth + 1);
    } else if (strategy === 'extend-arrays' && Array.isArray(inherited) && Array.isArray(value)) {
      merged[name] = [...inherited, ...value];
    } else merged[name] = value;
  }
  return merged;
}
