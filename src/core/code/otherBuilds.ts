import type { Address, Hex } from '../eth/hex.ts';
import type { IndexedContract, IndexedDeployment } from '../project/index/joinContracts.ts';
import { getFolder, joinPath } from '../project/layout.ts';
import type { ProjectFiles } from '../project/projectFiles.ts';
import type { BuildReader, ContractBuild } from '../traces/readBuilds.ts';
import type { CodeMatch, MatchingBuild } from './codeComparison.ts';
import { type MatchedCode, matchCode } from './matchCode.ts';

/** Files that are read for one comparison. */
const MAX_FILES = 50;

/** A build besides the artifact, whose code is the deployed one. */
export interface OtherBuild extends MatchingBuild {
  readonly build: ContractBuild;
}

interface OtherBuildDeps {
  readonly contract: IndexedContract;
  /** Of the compared code. */
  readonly deployments: readonly IndexedDeployment[];
  readonly files: Pick<ProjectFiles, 'list'>;
  readonly builds: BuildReader;
}

/**
 * Finds a build in other files that the deployed code matches: files of the deployment by hardhat-deploy and Ignition, and
 * artifacts of Foundry for the same contract with another compiler or profile.
 *
 * @example const other = await findOtherBuild({ address, code }, { contract, deployments, files, builds });
 */
export async function findOtherBuild(
  { address, code }: { readonly address: Address; readonly code: Hex },
  { contract, deployments, files, builds }: OtherBuildDeps,
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
    if (!build || build.runtime.digits === '') continue;
    const matched = matchCode(build.runtime, code, address);
    if (matched.isSame && matched.embedded.length === 0)
      return { file, match: toMatch(matched), commit, build };
  }
  return undefined;
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
