import type { Abortable } from '../base/concurrency.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import type { ChainClient } from '../client/chainClient.ts';
import type { Address } from '../eth/hex.ts';
import type { ContractIndex } from '../project/index/contractIndex.ts';
import type { IndexedContract } from '../project/index/joinContracts.ts';
import { findBuild } from '../traces/findBuilds.ts';
import type { BuildReader } from '../traces/readBuilds.ts';
import { matchCode } from './matchCode.ts';

/** The contract that the code of an address is compared with. */
export interface ContractAt {
  /** Undefined if the project has none that is known to be there. */
  readonly contract: IndexedContract | undefined;
  /** The contract of the proxy, if `contract` is its implementation. */
  readonly proxy: IndexedContract | undefined;
  /** Facets of a diamond that are not listed, so that one of them may be a contract of the project. */
  readonly unlisted?: number;
}

export interface FindContractDeps {
  readonly client: Pick<ChainClient, 'fetchImplementations' | 'getCode'>;
  readonly index: Pick<ContractIndex, 'contractOf' | 'contracts' | 'deploymentsAt'>;
  readonly chainId: number | undefined;
  readonly builds: BuildReader;
  readonly slices: TimeSlices;
}

/**
 * Finds the contract at an address by its deployment, then by its code; of a proxy the contract that it runs, also where
 * a deployment names the proxy.
 *
 * @throws AppError of any network kind; the reason of the signal when it aborts.
 * @example const { contract } = await findContractAt({ address, block }, { client, index, chainId, builds, slices });
 */
export async function findContractAt(
  { address, block }: { readonly address: Address; readonly block: bigint },
  { client, index, chainId, builds, slices }: FindContractDeps,
  options: Abortable = {},
): Promise<ContractAt> {
  const deployed = findDeployed(address, { index, chainId });
  let unlisted = 0;
  const onCut = (left: number) => {
    unlisted = left;
  };
  const implementations = await client.fetchImplementations(address, block, { ...options, onCut });
  if (deployed && implementations.length === 0) return { contract: deployed, proxy: undefined };
  const own = await client.getCode({ to: address, block }, options);
  const build = deployed && (await builds.read(deployed));
  // A deployment of a proxy may also name what it runs.
  const isProxy =
    build === undefined || build.runtime.digits === '' || matchCode(build.runtime, own, address).isSame;
  if (deployed && !isProxy) return { contract: deployed, proxy: undefined };
  const proxy = isProxy ? deployed : undefined;
  for (const to of implementations.toReversed()) {
    const contract = findDeployed(to, { index, chainId });
    if (contract) return { contract, proxy };
  }
  const { contracts } = index;
  for (const to of [...implementations.toReversed(), ...(proxy ? [] : [address])]) {
    const code = to === address ? own : await client.getCode({ to, block }, options);
    const found = await findBuild(
      { kind: 'runtime', code, likely: [], function: undefined },
      { contracts, builds, slices, ...options },
    );
    if (found) return { contract: found.build.contract, proxy };
  }
  return { contract: undefined, proxy, unlisted };
}

/** The contract of a deployment, if it has a build. */
function findDeployed(
  address: Address,
  { index, chainId }: Pick<FindContractDeps, 'chainId' | 'index'>,
): IndexedContract | undefined {
  const deployments = chainId === undefined ? [] : index.deploymentsAt(address, chainId);
  return deployments.map(index.contractOf).find((contract) => contract?.artifact !== undefined);
}
