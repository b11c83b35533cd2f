import type { Clock } from '../base/clock.ts';
import type { Abortable } from '../base/concurrency.ts';
import { createMessage, type Message } from '../base/text.ts';
import { createTimeSlices, type TimeSlices } from '../base/timeSlices.ts';
import type { ChainClient } from '../client/chainClient.ts';
import type { Address, Hex } from '../eth/hex.ts';
import { hashData } from '../eth/keccak.ts';
import type { IndexedContract, IndexedDeployment } from '../project/index/joinContracts.ts';
import type { ProjectFiles } from '../project/projectFiles.ts';
import { type BuildReader, type ContractBuild, createBuildReader } from '../traces/readBuilds.ts';
import type { CodeComparison, CodeMatch } from './codeComparison.ts';
import { findCodeMetadata } from './codeMetadata.ts';
import { type MatchedCode, matchCode } from './matchCode.ts';

/** The deployed code to compare: that of an address in the state after a block. */
export interface CodeRequest {
  readonly address: Address;
  readonly block: bigint;
  readonly contract: IndexedContract;
}

export interface CompareCodeDeps {
  readonly client: Pick<ChainClient, 'fetchImplementations' | 'getCode'>;
  /** Undefined if it is unknown: then the files of deployments are not used. */
  readonly chainId: number | undefined;
  /** All contracts of the project: a contract that another one embeds is one of them. */
  readonly contracts: readonly IndexedContract[];
  readonly deployments?: readonly IndexedDeployment[] | undefined;
  readonly files: Pick<ProjectFiles, 'list' | 'read'>;
  readonly clock: Clock;
  /** Remembers what it has read; for several comparisons. Default: one that reads `files`. */
  readonly builds?: BuildReader | undefined;
}

/**
 * Compares the code of an address after a block with the build of a contract. Of a proxy, a clone and an account that
 * delegates, the code that it runs is compared, unless the contract is the proxy itself. It sends one request, and two
 * or three more where the code differs from the build.
 *
 * @throws AppError `historyUnavailable` if the node no longer has the state of the block; any network kind; the reason of
 *   `signal` when it aborts. What cannot be compared is the match `unknown`.
 * @example
 * const { match } = await compareCode({ address, block, contract }, { client, chainId, contracts, files, clock });
 */
export async function compareCode(
  { address, block, contract }: CodeRequest,
  deps: CompareCodeDeps,
  options: Abortable = {},
): Promise<CodeComparison> {
  const builds = deps.builds ?? createBuildReader(deps.files);
  const code = await deps.client.getCode({ to: address, block }, options);
  const none: CodeComparison = {
    ...{ contract, address, block, implementation: undefined, codeHash: undefined, match: 'none' },
    ...{ immutables: [], libraries: [], settings: [], difference: undefined, otherBuild: undefined },
    reasons: [createMessage('There is no code at {0} in block {1}.', address, block.toString())],
  };
  if (code === '0x') return none;
  const build = await builds.read(contract);
  if (!build || build.runtime.digits === '') {
    const codeHash = hashData(code);
    return { ...none, codeHash, match: 'unknown', reasons: [explainMissingBuild(contract)] };
  }
  const context = { deps, build, builds, slices: createTimeSlices(deps.clock), options };
  const own = await compareWith({ address, code }, context);
  const base = { ...none, ...own };
  if (own.match !== 'different') return base;
  const implementations = await deps.client.fetchImplementations(address, block, options);
  for (const implementation of implementations) {
    const implementationCode = await deps.client.getCode({ to: implementation, block }, options);
    if (implementationCode === '0x') continue;
    const compared = await compareWith({ address: implementation, code: implementationCode }, context);
    if (compared.match !== 'different') return { ...none, ...compared, implementation };
  }
  const [implementation] = implementations;
  return implementation === undefined ? base : { ...base, implementation };
}

type Compared = Pick<CodeComparison, 'codeHash' | 'immutables' | 'libraries' | 'match' | 'reasons'>;

interface CompareContext {
  readonly deps: CompareCodeDeps;
  readonly build: ContractBuild;
  readonly builds: BuildReader;
  readonly slices: TimeSlices;
  readonly options: Abortable;
}

async function compareWith(
  { address, code }: { readonly address: Address; readonly code: Hex },
  context: CompareContext,
): Promise<Compared> {
  const matched = matchCode(context.build.runtime, code, address);
  const codeHash = hashData(code);
  if (!matched.isSame || !(await areBlocksOfBuild(matched, context))) {
    return { codeHash, match: 'different', immutables: [], libraries: [], reasons: [] };
  }
  const names = await context.build.nameVariables(
    matched.filled.flatMap(({ kind, id }) => (kind === 'immutable' ? [id] : [])),
  );
  return {
    codeHash,
    match: toMatch(matched),
    immutables: matched.filled.flatMap(({ kind, id, offset, value }) =>
      kind === 'immutable' ? [{ name: names.get(id), offset, value }] : [],
    ),
    libraries: matched.filled.flatMap(({ kind, id, value }) =>
      kind === 'library' ? [{ name: id, address: value }] : [],
    ),
    reasons: [],
  };
}

function toMatch({ filled, metadata, embedded }: MatchedCode): CodeMatch {
  if (filled.length > 0) return 'immutables';
  return metadata === 'different' || embedded.length > 0 ? 'metadata' : 'exact';
}

function explainMissingBuild({ name, artifact }: IndexedContract): Message {
  return artifact === undefined
    ? createMessage('There is no build of {0}. Compile the project.', name)
    : createMessage('The build of {0} in {1} has no code that can be compared.', name, artifact);
}

/** Whether each block inside of the code is that of a contract of the project. */
async function areBlocksOfBuild(
  { embedded }: MatchedCode,
  { deps: { contracts }, build, builds, slices, options }: CompareContext,
): Promise<boolean> {
  const missing = new Set(embedded.map(({ digits }) => digits));
  if (missing.size === 0) return true;
  for (const contract of contracts) {
    if (contract.project !== build.contract.project) continue;
    const digits = (await builds.read(contract))?.runtime.digits ?? '';
    const block = findCodeMetadata(digits);
    if (block) missing.delete(digits.slice(block.from, block.to));
    if (missing.size === 0) return true;
    if (slices.isOver()) await slices.rest(options);
  }
  return false;
}
