import { type Address, type CodeComparison, runToEnd } from '../../src/core/index.ts';
import { parseLayout } from '../../src/core/project/layout.ts';
import type { ContractFacts, DeploymentFacts, FileFacts } from '../../src/core/project/readers/facts.ts';
import { readFacts as readFactsInSteps } from '../../src/core/project/readers/readFacts.ts';

/** A project without a file that says otherwise. */
export const layout = parseLayout({});
/** An address, and a hash, of one digit. */
export const address = (digit: string) => `0x${digit.repeat(40)}` as const;
export const hash = (digit: string) => `0x${digit.repeat(64)}` as const;
export const abi = [{ type: 'event', name: 'Pinged', anonymous: false, inputs: [] }];

/** The facts of a file, at once. */
export const readFacts = (...file: Parameters<typeof readFactsInSteps>) =>
  runToEnd(readFactsInSteps(...file));

/** What a file at `path` tells, and the file `beside` it. */
export const readFactsOf = (path: string, json: unknown, beside?: string) =>
  readFacts(
    { path, text: typeof json === 'string' ? json : JSON.stringify(json), companion: beside },
    layout,
  );

/** The contracts that a file declares, each as its name and the items of its ABI. */
export const readContracts = (path: string, json: unknown) =>
  readFactsOf(path, json).contracts.map(({ name, abi: items }) => [name, ...items]);

export const readDeployments = (path: string, json: unknown, beside?: string) =>
  readFactsOf(path, json, beside).deployments.map(
    ({ chainId, address: at, contract }) => `${chainId} ${contract} ${at}`,
  );

export const readLabels = (path: string, json: unknown) =>
  readFactsOf(path, json).labels.map(({ chainId, address: at, name }) => `${chainId} ${name} ${at}`);

export const toAddress = (digit: string): Address => `0x${digit.repeat(40)}`;

export function contractFacts(name: string, facts: Partial<ContractFacts> = {}): ContractFacts {
  return { name, source: undefined, line: undefined, abi: [], itemLines: undefined, ...facts };
}

export function deploymentFacts(facts: Partial<DeploymentFacts>): DeploymentFacts {
  const nothing = { contract: undefined, block: undefined, transaction: undefined, commit: undefined };
  return { chainId: '1', address: toAddress('a'), ...nothing, ...facts };
}

/** A comparison of the code at an address with the build of a contract. */
export function codeComparison(facts: Partial<CodeComparison>): CodeComparison {
  const contract = { ...contractFacts('Vault'), ...{ project: '', artifact: undefined, isOwn: true } };
  return {
    contract: { ...contract, itemLines: [] },
    ...{ address: toAddress('a'), match: 'exact', block: 7n, implementation: undefined, codeHash: undefined },
    ...{ immutables: [], libraries: [], unchecked: [], settings: [] },
    ...{ difference: undefined, implementations: [], equalContracts: [], reasons: [] },
    ...{ otherBuild: undefined, deployedBuild: undefined, isOutdated: false, ...facts },
  };
}

export function fileFacts(facts: Partial<FileFacts>): FileFacts {
  return { contracts: [], deployments: [], labels: [], ...facts };
}

export const factsOfContracts = (...contracts: readonly ContractFacts[]) => fileFacts({ contracts });
export const factsOfDeployments = (...deployments: readonly DeploymentFacts[]) => fileFacts({ deployments });
