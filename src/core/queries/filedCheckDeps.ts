import type { Clock } from '../base/clock.ts';
import type { Abortable } from '../base/concurrency.ts';
import type { ChainClient } from '../client/chainClient.ts';
import { compareCode } from '../code/compareCode.ts';
import type { Address } from '../eth/hex.ts';
import type { ContractIndex } from '../project/index/contractIndex.ts';
import type { ProjectFiles } from '../project/projectFiles.ts';
import type { ReadDeps } from '../reads/readContract.ts';
import { fetchCalledRoles } from '../state/calledRoles.ts';
import { fetchState, type StateDeps } from '../state/fetchState.ts';
import { createRoleNames } from '../state/roleNames.ts';
import type { BuildReader } from '../traces/readBuilds.ts';
import type { FiledCheckDeps } from './filedCheck.ts';
import { fetchNamedUnits } from './namedTokens.ts';
import { createIndexKnowledge, findFirstBlock } from './resolveQuery.ts';

/** What the checks of one project on one chain have in common. */
export interface ProjectOnChain {
  readonly client: ChainClient;
  readonly clock: Clock;
  readonly chainId: number;
  readonly index: ContractIndex;
  /** Of the index. */
  readonly files: Pick<ProjectFiles, 'list' | 'read'>;
  /** Remembers what it has read, for several checks. */
  readonly builds?: BuildReader | undefined;
  /** Reads a source of the index; undefined if it cannot be read. */
  readonly readSource?: ((file: string) => Promise<string | undefined>) | undefined;
  readonly openReads: (options: Abortable) => Promise<ReadDeps>;
}

/**
 * How the checks of a project are run.
 *
 * @example await runFiledCheck(check, createFileContext(index, 1), createFiledCheckDeps(project));
 */
export function createFiledCheckDeps(project: ProjectOnChain): FiledCheckDeps {
  const { client, clock, chainId, index, files, builds, openReads } = project;
  const { contracts, deployments } = index;
  return {
    client,
    now: clock.now(),
    async openReads(options) {
      const place = { client, chainId, index };
      const fetchUnits: ReadDeps['fetchUnits'] = (tokens, abortable) =>
        fetchNamedUnits(tokens, place, abortable);
      return { ...(await openReads(options)), fetchUnits };
    },
    compareCode: (request, options) =>
      compareCode(request, { client, chainId, contracts, deployments, files, clock, builds }, options),
    async fetchState(query, { prove, ...options }) {
      const deps = await createStateDeps(project, options);
      return fetchState(query, deps, {
        ...options,
        // The sum of balances includes those that a sample leaves out; other rows have no sum.
        isExhaustive: query.kind !== 'holders',
        prove: prove ? { isToDecide: true } : undefined,
      });
    },
    fetchCalledRoles: (query, roles, options) => fetchCalledRoles(query, roles, client, options),
  };
}

async function createStateDeps(
  { client, clock, chainId, index, readSource, openReads }: ProjectOnChain,
  options: Abortable,
): Promise<StateDeps> {
  const { contracts } = index;
  const reads = await openReads(options);
  const { findDeployment } = createIndexKnowledge(index, chainId);
  const findFirst = (address: Address) =>
    findDeployment && findFirstBlock({ address, fromBlock: '' }, findDeployment)?.deployments[0];
  return {
    client,
    clock,
    findDeployment: findFirst,
    findRoleNames: createRoleNames({ ...reads, contracts, readSource }),
  };
}
