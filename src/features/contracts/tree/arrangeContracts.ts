import {
  type ContractIndex,
  compareValues,
  type IndexedContract,
  type IndexedDeployment,
} from '../../../core/index.ts';
import { byPlace } from '../../../host/contracts/deploymentOrder.ts';
import { readChainId } from '../../../host/names/addressName.ts';

/** What the view shows of a contract. */
export interface ArrangedContract {
  readonly key: string;
  readonly name: string | undefined;
  readonly contract: IndexedContract | undefined;
  /** Those of the active chain first, then by chain; the newest of a chain first. */
  readonly deployments: readonly IndexedDeployment[];
}

interface ArrangedContracts {
  /** With deployments; then the project's own. */
  readonly contracts: readonly ArrangedContract[];
  /** What is seldom looked for. */
  readonly more: readonly ArrangedContract[];
}

type Known = Pick<ContractIndex, 'contracts' | 'deployments' | 'contractOf'>;

/** Contracts by what a person looks for: what is deployed, what the project is about, and the rest. */
export function arrangeContracts(index: Known, activeChainId: number): ArrangedContracts {
  const deployed = new Map<
    string,
    { contract: IndexedContract | undefined; deployments: IndexedDeployment[] }
  >();
  for (const deployment of index.deployments) {
    if (readChainId(deployment.chainId) === undefined) continue;
    const contract = index.contractOf(deployment);
    const key = contract ? keyOf(contract) : (deployment.contract ?? '');
    const group = deployed.get(key) ?? { contract, deployments: [] };
    group.deployments.push(deployment);
    deployed.set(key, group);
  }
  const order = byPlace(activeChainId);
  const withDeployments = [...deployed].map(([key, { contract, deployments }]) => ({
    ...{ key, contract, name: contract?.name ?? deployments[0]?.contract },
    deployments: deployments.sort(order),
  }));
  const others = index.contracts
    .filter((contract) => !deployed.has(keyOf(contract)))
    .map((contract) => ({ key: keyOf(contract), name: contract.name, contract, deployments: [] }));
  return {
    contracts: [
      ...withDeployments.sort(byName),
      ...others.filter(({ contract }) => isOfInterest(contract)).sort(byName),
    ],
    more: others.filter(({ contract }) => !isOfInterest(contract)).sort(byName),
  };
}

/** Whether a contract is one that the project is about, and can be deployed. */
function isOfInterest({ name, source, abi, isOwn }: IndexedContract): boolean {
  const isInterface = /^I[A-Z]/.test(name) || (source !== undefined && /(?:^|\/)interfaces\//i.test(source));
  const isAside = /\.[ts]\.sol$|(?:^|\/)(?:tests?|scripts?|mocks?)\//i.test(source ?? '');
  return isOwn && abi.length > 0 && !isInterface && !isAside;
}

function keyOf({ name, source, artifact }: IndexedContract): string {
  return `${name} ${source ?? artifact ?? ''}`;
}

/** Unnamed last. */
function byName(a: ArrangedContract, b: ArrangedContract): number {
  if (a.name === undefined || b.name === undefined)
    return a.name === b.name ? 0 : a.name === undefined ? 1 : -1;
  return compareValues(a.name.toLowerCase(), b.name.toLowerCase()) || compareValues(a.key, b.key);
}
