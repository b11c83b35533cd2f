import type * as vscode from 'vscode';
import {
  type Address,
  type ContractIndex,
  compareValues,
  type IndexedContract,
  type IndexedDeployment,
} from '../../core/index.ts';
import {
  createDeploymentComparator,
  type QueryableEvent,
  toQueryableEvent,
} from '../../host/contracts/knownEvents.ts';
import { parseChainId } from '../../host/names/addressName.ts';

export interface ArrangedContract {
  readonly key: string;
  readonly name: string | undefined;
  readonly contract: IndexedContract | undefined;
  /** Those on the active chain first, then by chain; the newest of a chain first. */
  readonly deployments: readonly IndexedDeployment[];
}

interface ArrangedContracts {
  /** Deployed ones first, then the project's own. */
  readonly contracts: readonly ArrangedContract[];
  /** Libraries, interfaces, tests, scripts, dependencies. */
  readonly more: readonly ArrangedContract[];
}

type ArrangedIndex = Pick<ContractIndex, 'contracts' | 'deployments' | 'contractOf'>;

/** Groups contracts by relevance. */
export function arrangeContracts(index: ArrangedIndex, activeChainId: number): ArrangedContracts {
  const deployed = new Map<
    string,
    { contract: IndexedContract | undefined; deployments: IndexedDeployment[] }
  >();
  for (const deployment of index.deployments) {
    if (parseChainId(deployment.chainId) === undefined) continue;
    const contract = index.contractOf(deployment);
    const key = contract ? getKey(contract) : (deployment.contract ?? '');
    const group = deployed.get(key) ?? { contract, deployments: [] };
    group.deployments.push(deployment);
    deployed.set(key, group);
  }
  const order = createDeploymentComparator(activeChainId);
  const withDeployments = [...deployed].map(([key, { contract, deployments }]) => ({
    key,
    contract,
    name: contract?.name ?? deployments[0]?.contract,
    deployments: deployments.sort(order),
  }));
  const others = index.contracts
    .filter((contract) => !deployed.has(getKey(contract)))
    .map((contract) => ({ key: getKey(contract), name: contract.name, contract, deployments: [] }));
  return {
    contracts: [
      ...withDeployments.sort(byName),
      ...others.filter(({ contract }) => isOfInterest(contract)).sort(byName),
    ],
    more: others.filter(({ contract }) => !isOfInterest(contract)).sort(byName),
  };
}

/** Whether a contract is the project's own and deployable. */
function isOfInterest({ name, source, abi, isOwn }: IndexedContract): boolean {
  const isInterface = /^I[A-Z]/.test(name) || (source !== undefined && /(?:^|\/)interfaces\//i.test(source));
  return isOwn && abi.length > 0 && !isInterface && !ASIDE.test(source ?? '');
}

/** Sources of tests, scripts, and harnesses for audits and provers. */
const ASIDE = /\.[ts]\.sol$|(?:^|\/)(?:audits?|certora|echidna|harness(?:es)?|mocks?|scripts?|tests?)\//i;

function getKey({ name, source, artifact }: IndexedContract): string {
  return `${name} ${source ?? artifact ?? ''}`;
}

/** Unnamed ones last. */
function byName(a: ArrangedContract, b: ArrangedContract): number {
  if (a.name === undefined || b.name === undefined)
    return a.name === b.name ? 0 : a.name === undefined ? 1 : -1;
  return compareValues(a.name.toLowerCase(), b.name.toLowerCase()) || compareValues(a.key, b.key);
}

/** The events of a contract that a query can filter by, sorted by name. */
export function listQueryableEvents(contract: IndexedContract | undefined): readonly QueryableEvent[] {
  const events = (contract?.abi ?? []).flatMap((text) => toQueryableEvent(text) ?? []);
  return events.sort((a, b) => compareValues(a.name, b.name));
}

/** A contract that the workspace declares, or that deployments name. */
export interface ContractNode {
  readonly kind: 'contract';
  /** Distinguishes contracts of the same name. */
  readonly key: string;
  /** Undefined if the deployments have no name. */
  readonly contractName: string | undefined;
  /** Undefined if no file declares it, or several do differently. */
  readonly indexed: IndexedContract | undefined;
  readonly deployments: readonly IndexedDeployment[];
  /** The declaration, for *Open Source*. */
  readonly occurrence: SourceLine | undefined;
}

interface SourceLine {
  readonly uri: vscode.Uri;
  /** From 0. */
  readonly line: number;
}

export interface DeploymentNode {
  readonly kind: 'deployment';
  readonly parent: ContractNode;
  readonly deployment: IndexedDeployment;
  readonly account: Address;
  readonly chainId: number;
  readonly contractName: string | undefined;
  readonly occurrence: SourceLine | undefined;
}

/** See {@link ArrangedContracts.more}. */
export interface MoreContractsNode {
  readonly kind: 'more';
  readonly contracts: readonly ContractNode[];
}

/** A text in place of rows, or after them. */
export interface ContractNoteNode {
  readonly kind: 'note';
  readonly parent: ContractNode | MoreContractsNode | undefined;
  readonly content:
    | { readonly note: 'reading'; readonly looked: number; readonly found: number }
    | { readonly note: 'cut'; readonly shown: number; readonly left: number }
    /** The workspace is on no disk, and has no compiled artifacts. */
    | { readonly note: 'uncompiled' };
}

export type ContractsNode = ContractNode | DeploymentNode | MoreContractsNode | ContractNoteNode;

/** Stable for the same row, so that the view preserves selection and expansion. */
export function getContractNodeId(node: ContractsNode): string {
  switch (node.kind) {
    case 'contract':
      return `contract/${node.key}`;
    case 'deployment':
      return `${getContractNodeId(node.parent)}/${node.deployment.chainId}/${node.account}`;
    case 'more':
      return 'more';
    case 'note':
      return `${node.parent ? getContractNodeId(node.parent) : ''}/note`;
  }
}
