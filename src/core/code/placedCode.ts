import type { Clock } from '../base/clock.ts';
import type { Abortable } from '../base/concurrency.ts';
import { createMessage, foreign, type Message } from '../base/text.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import type { ChainClient } from '../client/chainClient.ts';
import type { Address, Hex } from '../eth/hex.ts';
import type { IndexedContract, IndexedDeployment } from '../project/index/joinContracts.ts';
import type { ProjectFiles } from '../project/projectFiles.ts';
import type { BuildReader, ContractBuild } from '../traces/readBuilds.ts';
import { findCodeMetadata } from './codeMetadata.ts';
import { parseBlueprint } from './deployedCode.ts';
import { type CodeMismatch, type MatchedCode, matchCode } from './matchCode.ts';
import { compareWithConfig, type ProjectConfigFiles } from './projectSettings.ts';

export interface CompareCodeDeps {
  readonly client: Pick<ChainClient, 'fetchImplementations' | 'getCode'>;
  /** Undefined if it is unknown: then the files of deployments are not used. */
  readonly chainId: number | undefined;
  /** All contracts of the project: a contract that another one embeds is one of them. */
  readonly contracts: readonly IndexedContract[];
  readonly deployments?: readonly IndexedDeployment[] | undefined;
  readonly files: Pick<ProjectFiles, 'list' | 'read'>;
  readonly clock: Clock;
  /** Whether to leave out other builds of the project, which takes long to read. */
  readonly skipOtherBuilds?: boolean | undefined;
  /** Remembers what it has read; for several comparisons. Default: one that reads `files`. */
  readonly builds?: BuildReader | undefined;
}

export interface PlacedCode {
  readonly address: Address;
  readonly code: Hex;
}

export interface CompareContext {
  readonly deps: CompareCodeDeps;
  readonly builds: BuildReader;
  readonly contract: IndexedContract;
  /** In the block of the comparison. */
  readonly fetchCode: (address: Address) => Promise<PlacedCode>;
  readonly slices: TimeSlices;
  readonly options: Abortable;
}

/**
 * Compares code at an address with a build; of a blueprint with its creation code. Blocks inside of the code that differ
 * must be those of contracts of the same project.
 *
 * @throws the reason of the signal when it aborts.
 */
export async function matchPlaced(
  { address, code }: PlacedCode,
  build: ContractBuild,
  context: CompareContext,
): Promise<CodeMismatch | MatchedCode> {
  const { runtime, creation } = build;
  const initcode = parseBlueprint(code);
  const isBlueprint = initcode !== undefined && creation.digits !== '';
  if (!isBlueprint && runtime.digits === '') return { isSame: false, offset: 0 };
  const matched = isBlueprint ? matchCode(creation, initcode, undefined) : matchCode(runtime, code, address);
  const foreign = matched.isSame ? await findForeignBlock(matched, build, context) : undefined;
  return foreign === undefined ? matched : { isSame: false, offset: foreign };
}

async function findForeignBlock(
  { embedded }: MatchedCode,
  { contract: { project } }: ContractBuild,
  { deps, builds, slices, options }: CompareContext,
): Promise<number | undefined> {
  const missing = new Map(embedded.map(({ digits, offset }) => [digits, offset]));
  for (const contract of missing.size > 0 ? deps.contracts : []) {
    if (contract.project !== project) continue;
    const digits = (await builds.read(contract))?.runtime.digits ?? '';
    const block = findCodeMetadata(digits);
    if (block) missing.delete(digits.slice(block.from, block.to));
    if (missing.size === 0) return undefined;
    if (slices.isOver()) await slices.rest(options);
  }
  const [offset] = missing.values();
  return offset;
}

/** Whether the project is still what was compiled: else a verdict is on older code. */
export interface BuildState {
  readonly isOutdated: boolean;
  /** What is not known of it. */
  readonly unchecked: readonly Message[];
  /** Adds what is to be said of it to the reasons of a verdict. */
  addTo(reasons: readonly Message[]): readonly Message[];
}

export async function readBuildState(build: ContractBuild, files: ProjectConfigFiles): Promise<BuildState> {
  const { changed, deleted, isPartial } = await build.readSourceChanges();
  const settings = await compareWithConfig(build, files);
  const unchecked = [
    ...(isPartial ? [createMessage('Whether sources have changed since the build is not known.')] : []),
    ...(settings.unknown ? [settings.unknown] : []),
  ];
  const [first, ...others] = [...changed, ...deleted];
  const count = others.length;
  const outdated =
    first === undefined
      ? settings.changed
      : count > 0
        ? createMessage(
            '{0} and {1} more sources have changed since the build. Compile again.',
            foreign(first),
            count,
          )
        : deleted.length > 0
          ? createMessage('{0} was deleted since the build. Compile again.', foreign(first))
          : createMessage('{0} has changed since the build. Compile again.', foreign(first));
  return outdated
    ? { isOutdated: true, unchecked: [], addTo: (reasons) => [outdated, ...reasons] }
    : { isOutdated: false, unchecked, addTo: (reasons) => [...reasons, ...unchecked] };
}
