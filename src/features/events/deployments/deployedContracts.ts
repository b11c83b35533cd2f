import type { AbiItemText, IndexedContract, IndexedDeployment, TimeSlices } from '../../../core/index.ts';
import { readChainId } from '../../../host/names/addressName.ts';

/** A contract of the workspace with where it is deployed. */
export interface DeployedContract {
  readonly contract: IndexedContract;
  readonly deployments: readonly IndexedDeployment[];
}

/** The contracts of the workspace that are deployed somewhere. */
export interface DeployedContracts {
  /** The one of this name that the file at `path` of the index declares. */
  of(path: string, name: string): DeployedContract | undefined;
  /** Those whose ABI has the event or error. */
  having(text: AbiItemText): readonly DeployedContract[];
}

/** What of an index is gone through. */
export interface Deployments {
  readonly deployments: readonly IndexedDeployment[];
  contractOf(deployment: IndexedDeployment): IndexedContract | undefined;
}

/** Goes through all deployments, in slices of time. Those on no chain that there is are left out. */
export async function deployedContracts(index: Deployments, slices: TimeSlices): Promise<DeployedContracts> {
  const byContract = new Map<string, { contract: IndexedContract; deployments: IndexedDeployment[] }>();
  for (const deployment of index.deployments) {
    if (slices.isOver()) await slices.rest();
    const contract = readChainId(deployment.chainId) === undefined ? undefined : index.contractOf(deployment);
    if (!contract) continue;
    const key = keyOf(contract.source ?? contract.artifact, contract.name);
    const group = byContract.get(key) ?? { contract, deployments: [] };
    group.deployments.push(deployment);
    byContract.set(key, group);
  }
  const byItem = new Map<AbiItemText, DeployedContract[]>();
  for (const deployed of byContract.values()) {
    if (slices.isOver()) await slices.rest();
    for (const text of deployed.contract.abi) {
      if (text.startsWith('function ')) continue;
      const known = byItem.get(text);
      if (known) known.push(deployed);
      else byItem.set(text, [deployed]);
    }
  }
  return {
    of: (path, name) => byContract.get(keyOf(path, name)),
    having: (text) => byItem.get(text) ?? [],
  };
}

function keyOf(path: string | undefined, name: string): string {
  return `${name}\n${path ?? ''}`;
}
