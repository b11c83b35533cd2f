import { isAppError } from '../base/errors.ts';
import { sanitizeText } from '../base/text.ts';
import { asList, asRecord, compareValues, isRecord, type PlainRecord } from '../base/values.ts';
import { parseJsonText } from '../project/readers/jsonScan.ts';

/** With what a contract was compiled, and from what. */
export interface CompilerMetadata {
  /** Values by the name in standard JSON, such as `optimizer.runs`; `compiler` for the version. */
  readonly settings: ReadonlyMap<string, string>;
  /** The keccak256 of each source by its path; empty if unknown. */
  readonly sources: ReadonlyMap<string, string>;
  /** The ABI as JSON; undefined if unknown. */
  readonly abi: readonly unknown[] | undefined;
}

/** A setting of two builds, side by side. */
export interface ComparedSetting {
  readonly name: string;
  /** Undefined if it is not set, and its default is unknown. */
  readonly local: string | undefined;
  readonly deployed: string | undefined;
  readonly isSame: boolean;
  /** Whether both have the default of the compiler. */
  readonly isDefault: boolean;
}

/** A setting of the compiler. Its value is undefined where the compiler has its default. */
export interface SettingDifference {
  /** As standard JSON names it, such as `optimizer.runs`; `compiler` for its version. */
  readonly name: string;
  readonly local: string | undefined;
  readonly deployed: string | undefined;
}

const MAX_METADATA_CHARS = 8 * 1024 * 1024;
const MAX_VALUE_CHARS = 2_000;
const MAX_SOURCES = 1_000;
const MAX_SETTINGS = 100;

/** What solc does if a setting is not there. https://docs.soliditylang.org/en/latest/using-the-compiler.html */
const DEFAULTS: ReadonlyMap<string, string> = new Map([
  ['optimizer.enabled', 'false'],
  ['optimizer.runs', '200'],
  ['viaIR', 'false'],
  ['metadata.bytecodeHash', 'ipfs'],
  ['metadata.appendCBOR', 'true'],
]);

/** Not about how the code is made. */
const SKIPPED: ReadonlySet<string> = new Set(['compilationTarget', 'outputSelection']);

/**
 * Reads the metadata of a contract, which solc writes as text, or a part of it: `compiler` and `settings`. Undefined if it
 * is no such object.
 *
 * https://docs.soliditylang.org/en/latest/metadata.html
 *
 * @example
 * parseCompilerMetadata('{"compiler":{"version":"0.8.30"},"settings":{"viaIR":true}}')?.settings.get('viaIR') // 'true'
 */
export function parseCompilerMetadata(metadata: unknown): CompilerMetadata | undefined {
  const json = typeof metadata === 'string' ? parseBounded(metadata) : metadata;
  if (!isRecord(json)) return undefined;
  const { version } = asRecord(json.compiler);
  if (typeof version !== 'string' && !isRecord(json.settings)) return undefined;
  const settings = new Map<string, string>();
  if (typeof version === 'string') settings.set('compiler', sanitizeText(version, MAX_VALUE_CHARS));
  for (const [name, value] of Object.entries(asRecord(json.settings))) {
    if (!SKIPPED.has(name)) addSetting(settings, sanitizeText(name), value);
  }
  const sources = new Map<string, string>();
  const listed = Object.entries(asRecord(json.sources));
  // A shortened list could match another build, too.
  for (const [path, source] of listed.length > MAX_SOURCES ? [] : listed) {
    const { keccak256 } = asRecord(source);
    if (typeof keccak256 === 'string') sources.set(sanitizeText(path, 300), keccak256.toLowerCase());
  }
  const { abi } = asRecord(json.output);
  return { settings, sources, abi: Array.isArray(abi) ? asList(abi) : undefined };
}

function parseBounded(text: string): unknown {
  if (text.length > MAX_METADATA_CHARS) return undefined;
  try {
    return parseJsonText(text);
  } catch (error) {
    if (!isAppError(error, 'badInput')) throw error;
    return undefined;
  }
}

/** `optimizer` and `metadata` are objects of settings; other values are written as JSON. */
function addSetting(settings: Map<string, string>, name: string, value: unknown): void {
  if (settings.size >= MAX_SETTINGS || value === undefined || value === null) return;
  if (isRecord(value) && (name === 'optimizer' || name === 'metadata')) {
    for (const [inner, each] of Object.entries(value)) addSetting(settings, `${name}.${inner}`, each);
    return;
  }
  const isEmpty = isRecord(value)
    ? Object.keys(value).length === 0
    : Array.isArray(value) && value.length === 0;
  if (isEmpty) return;
  const text = typeof value === 'string' ? value : formatValue(value);
  settings.set(sanitizeText(name, 100), sanitizeText(text, MAX_VALUE_CHARS));
}

/** Lists without order, such as remappings, are sorted; so are the members of objects. */
function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).sort(compareValues).join(', ');
  return JSON.stringify(value, (_, inner) => (isRecord(inner) ? sortMembers(inner) : inner)) ?? '';
}

function sortMembers(record: PlainRecord): PlainRecord {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => compareValues(a, b)));
}

/**
 * The settings of two builds side by side, those that differ first. A setting that is missing has its default. The commit
 * in a compiler's version counts only if both have one.
 *
 * @example compareSettings(new Map([['viaIR', 'true']]), new Map()).map(({ name, isSame }) => [name, isSame]) // [['viaIR', false], ['optimizer.enabled', true], ['optimizer.runs', true], ['metadata.bytecodeHash', true], ['metadata.appendCBOR', true]]
 */
export function compareSettings(
  local: CompilerMetadata['settings'],
  deployed: CompilerMetadata['settings'],
): readonly ComparedSetting[] {
  const isVyper = [local, deployed].some((settings) => settings.has('optimize'));
  const names = new Set([...local.keys(), ...deployed.keys(), ...(isVyper ? [] : DEFAULTS.keys())]);
  const compared = [...names].map((name): ComparedSetting => {
    const preset = DEFAULTS.get(name);
    const [one, other] = [local.get(name) ?? preset, deployed.get(name) ?? preset];
    const isSame = name === 'compiler' ? isSameCompiler(one, other) : one === other;
    return { name, local: one, deployed: other, isSame, isDefault: isSame && one === preset };
  });
  return [...compared.filter(({ isSame }) => !isSame), ...compared.filter(({ isSame }) => isSame)];
}

/**
 * The settings of two builds that differ, as they are written: undefined where the compiler has its default.
 *
 * @example
 * const [local, deployed] = [{ settings: new Map([['viaIR', 'true']]) }, { settings: new Map() }];
 * listSettingDifferences(local, deployed).map(({ name, deployed: value }) => [name, value]); // [['viaIR', undefined]]
 */
export function listSettingDifferences(
  { settings: local }: Pick<CompilerMetadata, 'settings'>,
  { settings: deployed }: Pick<CompilerMetadata, 'settings'>,
): readonly SettingDifference[] {
  return compareSettings(local, deployed).flatMap(({ name, isSame }) =>
    isSame ? [] : { name, local: local.get(name), deployed: deployed.get(name) },
  );
}

/** `0.8.30+commit.73712a01`, also written with a leading `v` and a suffix of the platform. */
function isSameCompiler(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const [a, b] = [one, other].map(
    (text) => /^v?(\d+\.\d+\.\d+[\w.-]{0,40})(?:\+commit\.([0-9a-f]+))?/.exec(text) ?? [],
  );
  if (a?.[1] === undefined || a[1] !== b?.[1]) return one === other;
  return a[2] === undefined || b[2] === undefined || a[2].startsWith(b[2]) || b[2].startsWith(a[2]);
}

/**
 * Whether two builds have the same sources, whatever their paths are: by the hash of each. False if a build does not list
 * its sources.
 *
 * @example
 * const [one, other] = [parseCompilerMetadata(local), parseCompilerMetadata(deployed)];
 * one && other && hasSameSources(one, other);
 */
export function hasSameSources(
  { sources: one }: Pick<CompilerMetadata, 'sources'>,
  { sources: other }: Pick<CompilerMetadata, 'sources'>,
): boolean {
  const [a, b] = [one, other].map((sources) => [...sources.values()].sort(compareValues).join());
  return one.size > 0 && a === b;
}
