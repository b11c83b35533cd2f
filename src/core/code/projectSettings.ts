import { createMessage, foreign, type Message } from '../base/text.ts';
import { asList, asRecord, isRecord, type PlainRecord } from '../base/values.ts';
import { readFoundryConfig } from '../project/foundryExtends.ts';
import { joinPath, parseRemapping, type Remapping } from '../project/layout.ts';
import { decodeFileText, type ProjectFiles } from '../project/projectFiles.ts';
import { parseJsonText } from '../project/readers/jsonScan.ts';
import {
  isModuleObject,
  isModuleTemplate,
  type ModuleValue,
  readModuleExpressions,
} from '../project/readers/moduleExpressions.ts';
import type { ContractBuild } from '../traces/readBuilds.ts';
import { parseCompilerMetadata } from './compilerSettings.ts';

export type ProjectConfigFiles = Pick<ProjectFiles, 'list' | 'read'>;

/** How a build's settings compare with the project's. */
interface SettingChanges {
  /** Which setting is another one now. */
  readonly changed?: Message;
  /** Why it is not known whether the project compiles with these settings. */
  readonly unknown?: Message;
}

/** Bytes. */
const MAX_CONFIG_BYTES = 256 * 1024;
/** Of a profile or compiler, with those of single files. */
const MAX_CANDIDATES = 100;

/** What a project compiles with; undefined where it leaves that to the tool. */
interface WantedSettings {
  /** Of Foundry. */
  readonly profile?: string;
  /** `0.8.30`. */
  readonly compiler?: string | undefined;
  readonly isOptimized?: boolean | undefined;
  readonly runs?: number | undefined;
  readonly evmVersion?: string | undefined;
  readonly isViaIr?: boolean | undefined;
}

/**
 * Compares a build's settings with `foundry.toml` or `hardhat.config`, which is not run: the release of solc, the optimizer
 * and its runs, the EVM version, via-IR, and remappings of Foundry. A setting that the project does not name is not
 * compared where releases of the tool have different defaults.
 *
 * @example const { changed, unknown } = await compareWithConfig(build, files);
 */
export async function compareWithConfig(
  { contract: { project }, tool, metadata }: Pick<ContractBuild, 'contract' | 'tool' | 'metadata'>,
  files: ProjectConfigFiles,
): Promise<SettingChanges> {
  const built = parseCompilerMetadata(metadata)?.settings;
  if (!built || tool === undefined) return {};
  const readText = async (path: string) => {
    const bytes = await files.read(path, MAX_CONFIG_BYTES);
    return bytes && decodeFileText(bytes);
  };
  if (tool === 'hardhat') {
    const config = (await files.list(project)).find(({ name }) => /^hardhat\.config\.[cm]?[jt]s$/.test(name));
    const text = config && (await readText(joinPath(project, config.name)));
    return text === undefined ? {} : compareCandidates(built, readHardhatSettings(text));
  }
  const path = joinPath(project, 'foundry.toml');
  const text = await readText(path);
  if (text === undefined) return {};
  const { toml, error } = await readFoundryConfig(path, text, readText);
  if (typeof toml === 'string' || error !== undefined) return { unknown: NOT_KNOWN };
  const candidates = listProfiles(toml).flatMap(([profile, table]) => listFoundrySettings(profile, table));
  const compared = compareCandidates(built, candidates);
  if (compared.changed) return compared;
  const remappings = [
    ...((await readText(joinPath(project, 'remappings.txt'))) ?? '').split('\n'),
    ...listProfiles(toml).flatMap(([, table]) => asList(table.remappings).map(String)),
  ];
  const moved = findMovedRemapping(metadata, remappings);
  return moved ? { changed: moved } : compared;
}

const NOT_KNOWN = createMessage('Whether compiler settings have changed since the build is not known.');

/** The build has the settings of one candidate. The first is that of the default profile. */
function compareCandidates(
  built: ReadonlyMap<string, string>,
  candidates: readonly WantedSettings[],
): SettingChanges {
  const [first] = candidates;
  if (!first) return { unknown: NOT_KNOWN };
  const differences = candidates.slice(0, MAX_CANDIDATES).map((wanted) => findDifference(built, wanted));
  const same = candidates[differences.indexOf(undefined)];
  if (same && same.profile === first.profile) return {};
  if (same) {
    const reason =
      'The build has the settings of the profile {0}, not of default. Which profile counts is not known.';
    return { unknown: createMessage(reason, foreign(same.profile ?? '', 100)) };
  }
  // Of several compilers, that of the build has the setting that changed.
  const [name, before, now] = differences.find((one) => one?.[0] !== 'compiler') ?? differences[0] ?? [];
  return { changed: describeChange(name ?? '', before, now) };
}

const describeChange = (name: string, before: unknown, now: unknown) =>
  createMessage(
    '{0} has changed since the build, from {1} to {2}. Compile again.',
    ...[name, before, now].map((text) => foreign(String(text), 200)),
  );

type Difference = readonly [name: string, built: string, wanted: string];

function findDifference(
  built: ReadonlyMap<string, string>,
  { compiler, isOptimized, runs, evmVersion, isViaIr }: WantedSettings,
): Difference | undefined {
  const version = /^v?(\d+\.\d+\.\d+)/.exec(built.get('compiler') ?? '')?.[1];
  const enabled = built.get('optimizer.enabled') ?? 'false';
  const hasDetails = built.has('optimizer.details');
  const isRun = enabled === 'true' || hasDetails;
  const since = EVM_SINCE[evmVersion ?? ''];
  // Foundry lowers a version that the compiler does not know.
  const isKnown = since !== undefined && version !== undefined && compareVersions(version, since) >= 0;
  const pairs: readonly (readonly [string, string | undefined, unknown])[] = [
    ['compiler', version, compiler],
    ['optimizer.enabled', enabled, hasDetails ? undefined : isOptimized],
    ['optimizer.runs', built.get('optimizer.runs') ?? '200', isRun ? runs : undefined],
    ['evmVersion', built.get('evmVersion'), isKnown ? evmVersion : undefined],
    ['viaIR', built.get('viaIR') ?? 'false', isViaIr],
  ];
  for (const [name, one, other] of pairs) {
    if (one !== undefined && other !== undefined && one !== String(other)) return [name, one, String(other)];
  }
  return undefined;
}

/** The first solc for which Foundry takes a version. https://github.com/foundry-rs/compilers */
const EVM_SINCE: Readonly<Record<string, string>> = {
  ...{ byzantium: '0.4.21', constantinople: '0.4.22', petersburg: '0.5.5', istanbul: '0.5.14' },
  ...{ berlin: '0.8.5', london: '0.8.7', paris: '0.8.18', shanghai: '0.8.20', cancun: '0.8.24' },
  ...{ prague: '0.8.27', osaka: '0.8.29' },
};

function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map((text) => text.split('.').map(Number));
  for (const part of [0, 1, 2]) {
    const difference = (a?.[part] ?? 0) - (b?.[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The default profile, then the others with what they inherit from it. */
function listProfiles(toml: PlainRecord): readonly (readonly [name: string, table: PlainRecord])[] {
  const { default: preset, ...others } = asRecord(toml.profile);
  const inherited = toSnakeCase({ ...asRecord(toml.default), ...asRecord(preset) });
  return [
    ['default', inherited],
    ...Object.entries(others).map(
      ([name, table]) => [name, { ...inherited, ...toSnakeCase(asRecord(table)) }] as const,
    ),
  ];
}

/** Foundry takes `via-ir` for `via_ir`. */
const toSnakeCase = (table: PlainRecord): PlainRecord =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [name.replaceAll('-', '_'), value]));

/** With those that Foundry uses for single files. https://getfoundry.sh/config/reference/solidity-compiler */
function listFoundrySettings(profile: string, table: PlainRecord): readonly WantedSettings[] {
  const others = asList(table.additional_compiler_profiles).filter(isRecord);
  return [{}, ...others].map((other) => {
    const { solc, solc_version, optimizer, optimizer_runs, evm_version, via_ir } = {
      ...table,
      ...toSnakeCase(other),
    };
    const version = /^=?v?(\d+\.\d+\.\d+)$/.exec(String(solc ?? solc_version))?.[1];
    const runs = optimizer_runs === undefined ? undefined : Number(optimizer_runs);
    // Before 1.0 the optimizer was on by default. Runs turn it on.
    const isOptimized = optimizer ?? (runs === undefined ? undefined : runs > 0);
    return {
      ...{ profile, compiler: version, runs: runs ?? 200, isViaIr: via_ir === true },
      isOptimized: typeof isOptimized === 'boolean' ? isOptimized : undefined,
      evmVersion: typeof evm_version === 'string' ? evm_version.toLowerCase() : undefined,
    };
  });
}

/** Foundry writes all remappings into the metadata; those of the project come before those that it finds. */
function findMovedRemapping(metadata: string | undefined, written: readonly string[]): Message | undefined {
  const { settings } = asRecord(metadata === undefined ? undefined : parseJsonText(metadata));
  const built = asList(asRecord(settings).remappings).flatMap((text) => parseRemapping(String(text)) ?? []);
  const wanted = written.flatMap((text) => parseRemapping(text) ?? []);
  const hasName = (one: Remapping) => (other: Remapping) =>
    one.context === other.context && toFolder(one.prefix) === toFolder(other.prefix);
  for (const rule of built) {
    const rules = wanted.filter(hasName(rule));
    const [now] = rules;
    // Absolute paths are those of the machine that compiled.
    const isAbsolute = [rule, ...rules].some(({ target }) => target.startsWith('/'));
    if (now && !isAbsolute && !rules.some(({ target }) => target === rule.target))
      return describeChange(rule.prefix, rule.target, now.target);
  }
  return undefined;
}

const toFolder = (prefix: string) => prefix.replace(/\/?$/, '/');

/**
 * The compilers of a `hardhat.config`, of all profiles and files: only what it writes as a literal, as a spread may add
 * others. Empty if one of them is not known. https://hardhat.org/docs/reference/configuration
 */
function readHardhatSettings(text: string): readonly WantedSettings[] {
  // Without compilers it has that of the tool.
  if (!text.includes('solidity')) return [{}];
  const { roots, getMember } = readModuleExpressions(text, 'HardhatUserConfig');
  const solidity = roots.map((root) => getMember(root, 'solidity')).find((value) => value !== undefined);
  const found: WantedSettings[] = [];
  return add(solidity) ? found : [];

  /** Whether each compiler is known. */
  function add(value: ModuleValue): boolean {
    const version = isModuleTemplate(value) ? value : getMember(value, 'version');
    if (isModuleTemplate(version)) {
      const settings = isModuleObject(value) ? getMember(value, 'settings') : undefined;
      const compiler = /^\d+\.\d+\.\d+$/.exec(version.template)?.[0];
      if (compiler !== undefined) found.push({ compiler, ...readSettings(settings) });
      return compiler !== undefined && !(isModuleObject(value) && value.has('settings') && !settings);
    }
    const groups = ['compilers', 'overrides', 'profiles'].filter(
      (name) => isModuleObject(value) && value.has(name),
    );
    return groups.length > 0 && groups.every((name) => addAll(getMember(value, name)));
  }

  function addAll(group: ModuleValue): boolean {
    return isModuleObject(group) && [...group.keys()].every((name) => add(getMember(group, name)));
  }

  function readSettings(settings: ModuleValue): WantedSettings {
    const optimizer = getMember(settings, 'optimizer');
    const [enabled, runs] = ['enabled', 'runs'].map((name) => getMember(optimizer, name));
    const [evmVersion, viaIr] = ['evmVersion', 'viaIR'].map((name) => getMember(settings, name));
    return {
      isOptimized: typeof enabled === 'boolean' ? enabled : undefined,
      runs: typeof runs === 'number' ? runs : undefined,
      evmVersion: isModuleTemplate(evmVersion) ? evmVersion.template : undefined,
      isViaIr: typeof viaIr === 'boolean' ? viaIr : undefined,
    };
  }
}
