import { sha256 } from '@noble/hashes/sha2.js';
import type { Abortable } from '../base/concurrency.ts';
import { createBudget, type TimeSlices } from '../base/timeSlices.ts';
import { asRecord, compareValues, isRecord, type PlainRecord } from '../base/values.ts';
import { readHex } from '../eth/bytes.ts';
import type { CodeMetadata } from './codeMetadata.ts';
import { listSettingDifferences, parseCompilerMetadata, type SettingDifference } from './compilerSettings.ts';

/** One block of IPFS: larger texts are split, and have another hash. */
const MAX_METADATA_BYTES = 256 * 1024;
/** What one search hashes, in texts and in their bytes: about a second. */
const MAX_TRIED_SETTINGS = 15_000;
const MAX_HASHED_BYTES = 64 * 1024 * 1024;

/**
 * Finds the settings of deployed code by its metadata hash. The metadata of a build has hashes of all sources, the
 * settings and the compiler: the text with other settings that has the deployed hash is that of the same sources.
 *
 * @param metadata the text of the local build.
 * @param versions of compilers that the project uses, such as `0.8.26+commit.8a97fa7a`.
 * @returns what differs; empty if the metadata is the same; `stopped` if settings were left out; undefined if none of the
 *   usual settings gives this hash, or the metadata is not of a kind that can be searched.
 * @throws the reason of `signal` when it aborts.
 * @example const settings = await findSettings(build.metadata, { deployed, versions: [] }, { slices });
 */
export async function findSettings(
  metadata: string,
  { deployed, versions }: { readonly deployed: CodeMetadata; readonly versions: readonly string[] },
  { slices, signal }: Abortable & { readonly slices: TimeSlices },
): Promise<readonly SettingDifference[] | 'stopped' | undefined> {
  const parts = splitMetadata(metadata);
  if (!parts || deployed.hash?.kind !== 'ipfs' || metadata.length > MAX_METADATA_BYTES) return undefined;
  const target = deployed.hash.digits.slice(MULTIHASH.length);
  const hashText = createTextHasher();
  const [tries, bytes] = [createBudget(MAX_TRIED_SETTINGS), createBudget(MAX_HASHED_BYTES)];
  for (const candidate of listCandidates(parts, listVersions(parts, deployed, versions))) {
    if (!tries.pay(1) || !bytes.pay(metadata.length)) return 'stopped';
    if (hashText(candidate) === target) {
      const [local, found] = [metadata, candidate.join('')].map(parseCompilerMetadata);
      return local && found && listSettingDifferences(local, found);
    }
    if (slices.isOver()) await slices.rest({ signal });
  }
  return undefined;
}

/** SHA-256 of 32 bytes. */
const MULTIHASH = '1220';

/** The text around the version of the compiler and the settings. */
interface MetadataParts {
  readonly beforeVersion: string;
  readonly version: string;
  readonly afterVersion: string;
  readonly settings: PlainRecord;
  readonly end: string;
}

const SETTINGS = '"settings":';
const SOURCES = ',"sources":{';

/** Undefined if the text is not as solc writes it. */
function splitMetadata(text: string): MetadataParts | undefined {
  const [before, version] = /^\{"compiler":\{"version":"([\w.+-]{5,80})"/.exec(text) ?? [];
  // The last ones: the documentation of a contract may have such a text.
  const to = text.lastIndexOf(SOURCES);
  const from = text.lastIndexOf(SETTINGS, to) + SETTINGS.length;
  if (before === undefined || version === undefined || to < 0 || from < SETTINGS.length) return undefined;
  const written = text.slice(from, to);
  let settings: unknown;
  try {
    settings = JSON.parse(written);
  } catch {
    return undefined;
  }
  if (!isRecord(settings) || formatJson(settings) !== written) return undefined;
  const versionAt = before.length - version.length - 1;
  return {
    ...{ beforeVersion: text.slice(0, versionAt), version, settings, end: text.slice(to) },
    afterVersion: text.slice(versionAt + version.length, from),
  };
}

/** As solc writes JSON: members in order, without spaces. */
function formatJson(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    isRecord(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => compareValues(a, b)))
      : inner,
  );
}

function listVersions(
  { version }: MetadataParts,
  { compiler }: CodeMetadata,
  versions: readonly string[],
): readonly string[] {
  const isDeployed = (each: string) =>
    compiler === undefined || each === compiler || each.startsWith(`${compiler}+`);
  const known = [version, ...versions, ...listReleases()].filter(isDeployed);
  return [...new Set(compiler?.includes('+') ? [compiler] : known)].slice(0, MAX_VERSIONS);
}

const MAX_VERSIONS = 10;

/**
 * The commits of the releases of solc, from 0.6.0 on, by minor version. Before, the metadata was not on IPFS.
 *
 * https://github.com/ethereum/solc-bin/blob/gh-pages/bin/list.json
 */
const COMMITS: Readonly<Record<string, string>> = {
  '0.6':
    '26b70077 e6f7d5a4 bacdbe57 8dda9521 1dca32f3 f956cc89 6c089d02 b8d736ae 0bbfe453 3e3065ac 00c0fcaf 5ef660b1 27d51765',
  '0.7': '9e61f92b f4a555be 51b20bc0 9bfce1f6 3f05b770 eb77ed08 7338295f',
  '0.8':
    'c7dfd78e df193b15 661d1103 8d00100c c7e474f2 a4f2e591 11564f7e e28d00a7 dddeac2f e5eed63a fc410830 d7f03943 f00d7308 abaa5c0e 80d49f37 e14f2714 07a7930e 8df45f5f 87f61d96 7dd6d404 a1b79de6 d9974bed 4fc1097e f704f362 e11b9ed9 b61c2a91 8a97fa7a 40a35a09 7893614a ab55807c 73712a01 fd3a2265 ebbd65e5 64118f21 80d5c536 47b9dedd 8a079791',
};

/** The versions of solc as its metadata has them: `0.6.0+commit.26b70077`. */
function listReleases(): readonly string[] {
  return Object.entries(COMMITS).flatMap(([minor, commits]) =>
    commits.split(' ').map((commit, patch) => `${minor}.${patch}+commit.${commit}`),
  );
}

const EVM_VERSIONS = [
  ...(['osaka', 'prague', 'cancun', 'shanghai', 'paris', 'london', 'berlin', 'istanbul'] as const),
  ...([
    'petersburg',
    'constantinople',
    'byzantium',
    'spuriousDragon',
    'tangerineWhistle',
    'homestead',
  ] as const),
];
const USUAL_RUNS = [
  ...[200, 1, 0, 10_000, 1_000_000, 999_999, 999, 1000, 9999, 99_999, 100_000, 20_000, 800, 500, 100, 50],
  ...[10, 2, 5, 20, 25, 150, 250, 300, 400, 600, 700, 1337, 1500, 2000, 2500, 3000, 4000, 5000, 7777],
  ...[15_000, 25_000, 30_000, 44_444, 44_444_444, 50_000, 200_000, 500_000, 888_888, 10_000_000, 9_999_999],
  ...[99_999_999, 100_000_000, 999_999_999, 1_000_000_000, 2 ** 31 - 1, 2 ** 32 - 1],
];
const MAX_RUNS = 10_000;
/** Stands for the runs in a text. */
const RUNS = 'chainside-runs';

/** Texts with other settings, in three parts: those before the settings repeat. The likely ones first. */
function* listCandidates(
  { beforeVersion, version: own, afterVersion, settings, end }: MetadataParts,
  versions: readonly string[],
): Generator<readonly [head: string, settings: string, end: string]> {
  const { optimizer, viaIR: _, ...others } = settings;
  const { runs: ownRuns, enabled: ownEnabled } = asRecord(optimizer);
  const hashed = {
    ...others,
    metadata: { ...asRecord(settings.metadata), bytecodeHash: 'ipfs', appendCBOR: undefined },
  };
  const evmVersions = [...new Set([settings.evmVersion, ...EVM_VERSIONS])];
  const usualRuns = [...new Set([ownRuns, ...USUAL_RUNS])];
  /** The settings, with a function that sets the runs: the rest is formatted once. */
  const toSettings = (evmVersion: unknown, enabled: unknown, viaIR: boolean) => {
    const text = formatJson({
      ...{ ...hashed, evmVersion, ...(viaIR && { viaIR }) },
      optimizer: { ...asRecord(optimizer), ...(ownEnabled !== undefined && { enabled }), runs: RUNS },
    });
    const at = text.lastIndexOf(RUNS);
    return (runs: unknown) => `${text.slice(0, at - 1)}${runs}${text.slice(at + RUNS.length + 1)}`;
  };
  const toHead = (version: string) => `${beforeVersion}${version}${afterVersion}`;
  const switches = [true, false].filter((enabled) => ownEnabled !== undefined || enabled);
  for (const version of versions.length > 0 ? versions : [own]) {
    for (const evmVersion of evmVersions) {
      for (const enabled of switches) {
        for (const viaIR of [false, true]) {
          const toText = toSettings(evmVersion, enabled, viaIR);
          for (const runs of usualRuns) yield [toHead(version), toText(runs), end];
        }
      }
    }
  }
  for (const version of versions.length > 0 ? versions : [own]) {
    for (const evmVersion of evmVersions) {
      for (const viaIR of [settings.viaIR === true, settings.viaIR !== true]) {
        const toText = toSettings(evmVersion, true, viaIR);
        for (let runs = 0; runs <= MAX_RUNS; runs++) yield [toHead(version), toText(runs), end];
      }
    }
  }
}

/**
 * The SHA-256 of the block of IPFS that has a text as a file of one part: DAG-PB around UnixFS.
 *
 * https://specs.ipfs.tech/unixfs/
 */
function createTextHasher(): (parts: readonly [head: string, settings: string, end: string]) => string {
  const encoder = new TextEncoder();
  let [head, end] = ['', ''];
  let [headBytes, endBytes] = [encoder.encode(''), encoder.encode('')];
  // The start has the size of the whole text.
  const starts = new Map<number, ReturnType<typeof sha256.create>>();
  return ([nextHead, settings, nextEnd]) => {
    if (head !== nextHead || end !== nextEnd) {
      [head, end] = [nextHead, nextEnd];
      [headBytes, endBytes] = [encoder.encode(head), encoder.encode(end)];
      starts.clear();
    }
    const settingBytes = encoder.encode(settings);
    const size = headBytes.length + settingBytes.length + endBytes.length;
    const length = toVarint(size);
    // The type is a file; then its bytes and their number.
    const fields = 2 + 1 + length.length + size + 1 + length.length;
    const start =
      starts.get(size) ??
      sha256
        .create()
        .update(Uint8Array.from([0x0a, ...toVarint(fields), 0x08, 0x02, 0x12, ...length]))
        .update(headBytes);
    starts.set(size, start);
    const whole = start.clone().update(settingBytes).update(endBytes);
    return readHex(whole.update(Uint8Array.from([0x18, ...length])).digest(), 0, 32).slice(2);
  };
}

function toVarint(value: number): readonly number[] {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) | 0x80);
  return [...bytes, left];
}
