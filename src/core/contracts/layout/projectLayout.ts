import { isAppError } from '../../base/errors.ts';
import type { LabelFacts } from '../facts.ts';
import {
  defaultProfileOf,
  labelsOf,
  parseFoundryToml,
  profilesOf,
  type TomlTable,
  textsOf,
} from './foundryToml.ts';
import { tidyPath } from './paths.ts';
import { MOST_REMAPPINGS, type Remapping, readRemappingLines, remappingsOf } from './remappings.ts';

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
 * @example readLayout({ foundryToml: '[profile.default]\nout = "build"' }).out // ['build']
 */
export function readLayout(files: LayoutFiles): ProjectLayout {
  const { toml, problem } = readToml(files.foundryToml);
  const any = files.foundryToml === undefined && !files.hardhat && !files.truffle;
  const foundry = any || files.foundryToml !== undefined;
  const hardhat = any || files.hardhat === true;
  const truffle = any || files.truffle === true;
  const profiles = profilesOf(toml);
  const common = defaultProfileOf(toml);
  /** What profiles name, what Foundry takes where the default one names none, and what other tools take. */
  const folders = (setting: string, ofFoundry: string, others: readonly (string | false)[]) => {
    const named = profiles.flatMap((profile) => textsOf(profile[setting]));
    const written = [...named, foundry && common[setting] === undefined && ofFoundry, ...others];
    const tidy = written.map((folder) => (folder === false ? undefined : tidyPath(folder)));
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
    labels: labelsOf(toml),
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
  const lines = txt === undefined ? [] : readRemappingLines(txt);
  const texts = profiles.flatMap((profile) => textsOf(profile.remappings));
  return [...lines, ...remappingsOf(texts)].slice(0, MOST_REMAPPINGS);
}
