import type { Address } from '../../src/core/index.ts';
import type { ContractFacts, DeploymentFacts, FileFacts } from '../../src/core/project/readers/facts.ts';

export const at = (digit: string): Address => `0x${digit.repeat(40)}`;

export function contract(name: string, facts: Partial<ContractFacts> = {}): ContractFacts {
  return { name, source: undefined, line: undefined, abi: [], itemLines: undefined, ...facts };
}

export function deployment(facts: Partial<DeploymentFacts>): DeploymentFacts {
  const nothing = { contract: undefined, block: undefined, transaction: undefined, commit: undefined };
  return { chainId: '1', address: at('a'), ...nothing, ...facts };
}

export function file(facts: Partial<FileFacts>): FileFacts {
  return { contracts: [], deployments: [], labels: [], ...facts };
}

export const ofContracts = (...contracts: readonly ContractFacts[]) => file({ contracts });
export const ofDeployments = (...deployments: readonly DeploymentFacts[]) => file({ deployments });
