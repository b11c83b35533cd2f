import { isAppError } from '../base/errors.ts';
import { decodeInSlices } from '../base/timeSlices.ts';
import type { Address, Hex } from '../eth/hex.ts';
import type { IndexedContract, IndexedDeployment } from '../project/index/joinContracts.ts';
import { getFolder, joinPath } from '../project/layout.ts';
import type { ProjectFiles } from '../project/projectFiles.ts';
import { openJson } from '../project/readers/openJson.ts';
import { readInfoContracts } from '../traces/buildInfos.ts';
import type { BuiltCode } from '../traces/builtCode.ts';
import { type BuildFacts, readBuildFacts } from './buildChanges.ts';
import type { CodeMatch, MatchingBuild } from './codeComparison.ts';
import { findCodeMetadata } from './codeMetadata.ts';
import { type MatchedCode, matchCode } from './matchCode.ts';
import type { CompareContext, PlacedCode } from './placedCode.ts';

/** Files that are read for one comparison. */
const MAX_FILES = 50;

/** A build besides the artifact, whose code is the deployed one. */
export interface OtherBuild extends MatchingBuild {
  readonly metadata: string | undefined;
  readonly facts: BuildFacts;
}

interface SearchContext extends CompareContext {
  /** Of the compared code. */
  readonly deployments: readonly IndexedDeployment[];
}

/**
 * Finds a build in other files that the deployed code matches: files of the deployment by hardhat-deploy and Ignition,
 * artifacts of Foundry for the same contract with another compiler or profile, artifacts of other contracts, and the
 * outputs of earlier runs of the compiler in build infos.
 *
 * @throws the reason of the signal when it aborts.
 * @example const other = await findOtherBuild({ address, code }, { ...context, deployments });
 */
export async function findOtherBuild(
  placed: PlacedCode,
  context: SearchContext,
): Promise<OtherBuild | undefined> {
  const found = await findInFiles(placed, context);
  if (found || context.deps.skipOtherBuilds) return found;
  return (await findInContracts(placed, context)) ?? findInInfos(placed, context);
}

async function findInFiles(
  { address, code }: PlacedCode,
  { contract, deployments, deps: { files }, builds }: SearchContext,
): Promise<OtherBuild | undefined> {
  const candidates = new Map<string, string | undefined>();
  for (const { file, commit } of deployments) {
    candidates.set(file, commit);
    for (const path of await listIgnitionFiles(file, contract, files)) candidates.set(path, commit);
  }
  for (const path of await listSiblings(contract, files)) candidates.set(path, undefined);
  if (contract.artifact !== undefined) candidates.delete(contract.artifact);
  for (const [file, commit] of [...candidates].slice(0, MAX_FILES)) {
    const build = await builds.readFile(contract, file);
    const match = build && matchBuild(build.runtime, code, address);
    if (build && match)
      return { file, match, commit, metadata: build.metadata, facts: readBuildFacts(build) };
  }
  return undefined;
}

/** The artifact of another contract: that with the same metadata, else the only one with this code. */
async function findInContracts(
  { address, code }: PlacedCode,
  { contract, deps, builds, slices, options }: SearchContext,
): Promise<OtherBuild | undefined> {
  const found: OtherBuild[] = [];
  let left = MAX_ARTIFACTS;
  for (const other of deps.contracts) {
    if (other.artifact === undefined || other.artifact === contract.artifact) continue;
    if (left-- <= 0) break;
    const build = await builds.read(other);
    const match = build && matchBuild(build.runtime, code, address);
    if (build && match) {
      const facts = readBuildFacts(build);
      const one = {
        ...{ file: other.artifact, match, commit: undefined, metadata: build.metadata },
        ...{ contract: other.name, facts: { ...facts, abi: facts.abi ?? other.abi } },
      };
      if (hasSameMetadata(build.runtime.digits, code)) return one;
      found.push(one);
    }
    if (slices.isOver()) await slices.rest(options);
  }
  return found.length === 1 ? found[0] : undefined;
}

/** The output of an earlier run of the compiler, of this contract first. */
async function findInInfos(
  { address, code }: PlacedCode,
  { contract, deps: { files }, slices, options }: SearchContext,
): Promise<OtherBuild | undefined> {
  let found: OtherBuild | undefined;
  const work = { slices, ...options };
  let left = MAX_INFO_BYTES;
  for (const file of await listBuildInfos(contract, files)) {
    const bytes = await files.read(file, left);
    if (!bytes) continue;
    left -= bytes.length;
    try {
      const json = await openJson(await decodeInSlices(bytes, work), work);
      for await (const one of readInfoContracts(json, work)) {
        const match = matchBuild(one.runtime, code, address);
        if (!match) continue;
        const isOwn = one.name === contract.name;
        const { metadata } = one;
        const build = { file, match, commit: undefined, metadata, facts: readBuildFacts(one) };
        if (isOwn) return build;
        found ??= { ...build, contract: one.name };
      }
    } catch (error) {
      // A file that is broken is as one that is missing.
      if (!isAppError(error, 'badInput')) throw error;
    }
  }
  return found;
}

const MAX_ARTIFACTS = 600;
const MAX_INFOS = 50;
/** For all build infos together. In a large project, one has about 50 MB. */
const MAX_INFO_BYTES = 256 * 1024 * 1024;

function matchBuild(runtime: BuiltCode, code: Hex, address: Address): CodeMatch | undefined {
  if (runtime.digits === '') return undefined;
  const matched = matchCode(runtime, code, address);
  return matched.isSame && matched.embedded.length === 0 ? toMatch(matched) : undefined;
}

function hasSameMetadata(digits: string, code: Hex): boolean {
  const [one, other] = [digits, code.slice(2)].map((each) => findCodeMetadata(each)?.hash?.digits);
  return one !== undefined && one === other;
}

/** `out/build-info/….json` of an artifact `out/Vault.sol/Vault.json`. */
async function listBuildInfos(
  { artifact = '' }: IndexedContract,
  files: Pick<ProjectFiles, 'list'>,
): Promise<readonly string[]> {
  for (let folder = getFolder(artifact); folder !== ''; folder = getFolder(folder)) {
    const infos = joinPath(folder, 'build-info');
    const names = (await files.list(infos)).map(({ name }) => name).filter((name) => name.endsWith('.json'));
    if (names.length > 0) return names.slice(0, MAX_INFOS).map((name) => joinPath(infos, name));
  }
  return [];
}

/**
 * The match of code that is the same but for what is listed.
 *
 * @example toMatch({ isSame: true, metadata: 'different', filled: [], embedded: [] }) // 'metadata'
 */
export function toMatch({ filled, metadata, embedded }: MatchedCode): CodeMatch {
  if (filled.length > 0) return 'immutables';
  return metadata === 'different' || embedded.length > 0 ? 'metadata' : 'exact';
}

/** `ignition/deployments/chain-1/artifacts/Module#Vault.json` */
async function listIgnitionFiles(
  file: string,
  { name }: IndexedContract,
  files: Pick<ProjectFiles, 'list'>,
): Promise<readonly string[]> {
  const [folder] = /^(?:.*\/)?ignition\/deployments\/[^/]+/.exec(file) ?? [];
  if (folder === undefined) return [];
  const artifacts = joinPath(folder, 'artifacts');
  const names = (await files.list(artifacts)).map((entry) => entry.name);
  const ids = names.filter((each) => each.endsWith('.json') && !each.endsWith('.dbg.json'));
  // An ID need not have the name of the contract.
  const isNamed = (each: string) => each.endsWith(`#${name}.json`);
  return [...ids.filter(isNamed), ...ids.filter((each) => !isNamed(each))].map((each) =>
    joinPath(artifacts, each),
  );
}

/** `out/Vault.sol/Vault.0.8.20.json` */
async function listSiblings(
  { name, artifact }: IndexedContract,
  files: Pick<ProjectFiles, 'list'>,
): Promise<readonly string[]> {
  if (artifact === undefined || !artifact.includes('.sol/')) return [];
  const folder = getFolder(artifact);
  const isSibling = (each: string) =>
    each.startsWith(`${name}.`) && each.endsWith('.json') && !each.endsWith('.dbg.json');
  return (await files.list(folder)).flatMap((entry) =>
    isSibling(entry.name) ? [joinPath(folder, entry.name)] : [],
  );
}
