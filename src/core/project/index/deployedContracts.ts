import type { ContractIndex } from './contractIndex.ts';
import {
  type ContractKey,
  type IndexedContract,
  type IndexedDeployment,
  toContractKey,
} from './joinContracts.ts';

/** A contract, and where it runs. */
export interface DeployedContract {
  readonly contract: IndexedContract;
  /** The proxies that run it, and its own deployments that no known proxy runs. */
  readonly deployments: readonly ContractDeployment[];
  /** Its own deployments that proxies run. */
  readonly implementations: readonly IndexedDeployment[];
}

/** Where a contract runs. */
export interface ContractDeployment extends IndexedDeployment {
  /** `proxy` runs the contract now; `implementation` is code for proxies, and no known one runs it. */
  readonly role?: 'implementation' | 'proxy';
}

interface Draft {
  readonly contract: IndexedContract;
  readonly own: IndexedDeployment[];
  readonly proxies: ContractDeployment[];
}

/**
 * Groups deployments by the contracts that run there. Leaves out records that others replaced, and those whose contract
 * is unknown. Yields after each deployment, so that a large index can be grouped in time slices.
 *
 * @example for (const { contract, deployments } of runToEnd(groupDeployments(index))) print(contract.name, deployments);
 */
export function* groupDeployments(
  index: Pick<ContractIndex, 'contractOf' | 'contractWithKey' | 'deploymentRecords'>,
): Generator<void, readonly DeployedContract[]> {
  const drafts = new Map<string, Draft>();
  const implementations = new Set<string>();
  const getDraft = (contract: IndexedContract): Draft => {
    const key = formatContractKey(toContractKey(contract));
    const draft = drafts.get(key) ?? { contract, own: [], proxies: [] };
    drafts.set(key, draft);
    return draft;
  };
  for (const deployment of index.deploymentRecords) {
    yield;
    const { chainId, state, runs = [] } = deployment;
    if (state === 'older' || state === 'replaced') continue;
    const own = index.contractOf(deployment);
    // A record may call a proxy as what it runs.
    const key = own && formatContractKey(toContractKey(own));
    const isRun = runs.some(({ contract: run }) => run && formatContractKey(run) === key);
    if (own && !isRun) getDraft(own).own.push(deployment);
    for (const { implementation, contract: run } of runs) {
      implementations.add(`${chainId} ${implementation}`);
      const contract = run && index.contractWithKey(run);
      if (contract) getDraft(contract).proxies.push({ ...deployment, role: 'proxy' });
    }
  }
  return [...drafts.values()].map(({ contract, own, proxies }) => {
    const isRun = ({ chainId, address }: IndexedDeployment) => implementations.has(`${chainId} ${address}`);
    const isForProxies = contract.abi.some((text) => MADE_FOR_PROXIES.test(text));
    const direct = own
      .filter((deployment) => !isRun(deployment))
      .map((deployment): ContractDeployment => {
        // Only a check of the chain finds proxies.
        const isBare = isForProxies && deployment.state === 'current';
        return isBare ? { ...deployment, role: 'implementation' } : deployment;
      });
    return { contract, deployments: [...proxies, ...direct], implementations: own.filter(isRun) };
  });
}

/** An initializer in place of a constructor, and the mark of UUPS (ERC-1822). */
const MADE_FOR_PROXIES = /^function (?:initialize|proxiableUUID)\(/;

/** A text that is the same for keys of the same contract. */
export function formatContractKey({ name, path }: ContractKey): string {
  return `${name}\n${path}`;
}
