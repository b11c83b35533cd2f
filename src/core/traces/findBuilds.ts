import type { Abortable } from '../base/concurrency.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import { matchCode, matchCreation } from '../code/matchCode.ts';
import type { Hex } from '../eth/hex.ts';
import type { IndexedContract } from '../project/index/joinContracts.ts';
import type { BuildReader, ContractBuild } from './readBuilds.ts';

/** The build of the code that ran. */
export interface FoundBuild {
  readonly build: ContractBuild;
  /** Whether no other build of the project has this code. */
  readonly isOnly: boolean;
  /** Other contracts with this code. */
  readonly others: readonly IndexedContract[];
}

/** The code that ran: of a contract, or of a creation with its arguments. */
export interface RunCode {
  readonly kind: 'runtime' | 'creation';
  readonly code: Hex;
  /** The contract by name or deployment, if that is known: it is read first. */
  readonly likely: readonly IndexedContract[];
  /** The called function by name: contracts that have it are read before others. */
  readonly function: string | undefined;
}

interface FindOptions extends Abortable {
  readonly contracts: readonly IndexedContract[];
  readonly builds: BuildReader;
  readonly slices: TimeSlices;
}

/** Artifacts that are read for one code: a large project has some hundred contracts with code. */
const MAX_ARTIFACTS = 600;

/**
 * Finds the build of code by comparing it with that of each artifact. If two builds differ only in their metadata, none
 * is certain; one with equal metadata is.
 *
 * @throws the reason of `signal` when it aborts.
 * @example
 * const found = await findBuild({ kind: 'runtime', code, likely: [], function: 'pay' }, { contracts, builds, slices });
 */
export async function findBuild(
  { kind, code, likely, function: name }: RunCode,
  { contracts, builds, slices, signal }: FindOptions,
): Promise<FoundBuild | undefined> {
  if (code === '0x') return undefined;
  const start = `function ${name}(`;
  const hasFunction = (contract: IndexedContract) =>
    name !== undefined && contract.abi.some((text) => text.startsWith(start));
  const withFunction = contracts.filter(hasFunction);
  const ordered = new Set([...likely, ...withFunction, ...contracts]);
  let found: ContractBuild | undefined;
  const others: IndexedContract[] = [];
  let count = 0;
  for (const contract of ordered) {
    if (contract.artifact === undefined) continue;
    if (++count > MAX_ARTIFACTS) return found && { build: found, isOnly: false, others };
    const build = await builds.read(contract);
    const match = build && matchBuild(build, kind, code);
    if (build && match === 'exact') return { build, isOnly: true, others: [] };
    if (build && match) {
      if (found && !isSameSource(found, build)) others.push(contract);
      found ??= build;
    }
    if (slices.isOver()) await slices.rest({ signal });
  }
  return found && { build: found, isOnly: others.length === 0, others };
}

/** `exact` with a hash of all sources in the metadata; without it, contracts of several files may have the same code. */
function matchBuild(
  { runtime, creation }: ContractBuild,
  kind: RunCode['kind'],
  code: Hex,
): 'code' | 'exact' | undefined {
  if ((kind === 'runtime' ? runtime : creation).digits === '') return undefined;
  const matched = kind === 'runtime' ? matchCode(runtime, code, undefined) : matchCreation(creation, code);
  if (!matched.isSame || matched.embedded.length > 0) return undefined;
  return matched.metadata === 'hash' ? 'exact' : 'code';
}

function isSameSource({ contract: one }: ContractBuild, { contract: other }: ContractBuild): boolean {
  return one.source !== undefined && one.source === other.source && one.name === other.name;
}
