import type { Address } from '../../src/core/index.ts';
import type { ContractFacts, DeploymentFacts, FileFacts } from '../../src/core/project/readers/facts.ts';

export const toAddress = (digit: string): Address => `0x${digit.repeat(40)}`;

export function contractFacts(name: string, facts: Partial<ContractFacts> = {}): ContractFacts {
  return { name, source: undefined, line: undefined, abi: [], itemLines: undefined, ...facts };
}

export function deploymentFacts(facts: Partial<DeploymentFacts>): DeploymentFacts {
  const nothing = { contract: undefined, block: undefined, transaction: undefined, commit: undefined };
  return { chainId: '1', address: toAddress('a'), ...nothing, ...facts };
}

export function fileFacts(facts: Partial<FileFacts>): FileFacts {
  return { contracts: [], deployments: [], labels: [], ...facts };
}

export const factsOfContracts = (...contracts: readonly ContractFacts[]) => fileFacts({ contracts });
export const factsOfDeployments = (...deployments: readonly DeploymentFacts[]) => fileFacts({ deployments });
