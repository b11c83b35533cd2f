import type * as vscode from 'vscode';
import {
  type Address,
  addToList,
  type ContractDeployment,
  type ContractIndex,
  compareValues,
  groupDeployments,
  type IndexedContract,
  type IndexedDeployment,
  isOfOlderRun,
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
  /** Those on the active chain first, then by chain; the newest of a chain first; implementations last. */
  readonly deployments: readonly ContractDeployment[];
}

interface ArrangedContracts {
  /** Deployed ones first, then the project's own. */
  readonly contracts: readonly ArrangedContract[];
  /** Libraries, interfaces, tests, scripts, dependencies. */
  readonly more: readonly ArrangedContract[];
  /** Records whose contract is not at its address: nothing is, or something else. */
  readonly missing: readonly IndexedDeployment[];
}

type ArrangedIndex = Parameters<typeof groupDeployments>[0] & Pick<ContractIndex, 'contracts'>;

/** Groups contracts by relevance, step by step. */
export function* arrangeContracts(
  index: ArrangedIndex,
  activeChainId: number,
): Generator<void, ArrangedContracts> {
  const isLive = ({ chainId, state }: IndexedDeployment) =>
    parseChainId(chainId) !== undefined && state !== 'missing' && state !== 'replaced' && state !== 'older';
  const order = createDeploymentComparator(activeChainId);
  const deployed = new Map<string, ArrangedContract>();
  for (const { contract, deployments, implementations } of yield* groupDeployments(index)) {
    yield;
    const key = getKey(contract);
    const bare = implementations.map((one): ContractDeployment => ({ ...one, role: 'implementation' }));
    const live = [...deployments.filter(isLive).sort(order), ...bare.filter(isLive).sort(order)];
    if (live.length > 0) deployed.set(key, { key, name: contract.name, contract, deployments: live });
  }
  const unknown = new Map<string, IndexedDeployment[]>();
  for (const deployment of index.deploymentRecords) {
    yield;
    if (!isLive(deployment) || index.contractOf(deployment)) continue;
    // A clone that no file names is listed with the contract that it runs.
    if (deployment.contract === undefined && deployment.runs?.some(({ contract }) => contract)) continue;
    addToList(unknown, deployment.contract ?? '', deployment);
  }
  const withoutContract = [...unknown].map(([key, deployments]) => {
    return { key, name: deployments[0]?.contract, contract: undefined, deployments: deployments.sort(order) };
  });
  const own: ArrangedContract[] = [];
  const more: ArrangedContract[] = [];
  for (const contract of index.contracts) {
    yield;
    const key = getKey(contract);
    if (deployed.has(key)) continue;
    (isOfInterest(contract) ? own : more).push({ key, name: contract.name, contract, deployments: [] });
  }
  const known = sortByName([...deployed.values(), ...withoutContract]);
  yield;
  const sortedOwn = sortByName(own);
  yield;
  return {
    contracts: [...known, ...sortedOwn],
    more: sortByName(more),
    missing: index.deploymentRecords.filter(({ state }) => state === 'missing' || state === 'replaced'),
  };
}

/**
 * The deployments of a contract that are shown first: on each chain those of its newest run. The others are older, as far
 * as the files have times.
 *
 * @param deployments those of a chain together, the newest first.
 */
export function splitByRun(deployments: readonly ContractDeployment[]): {
  readonly newest: readonly ContractDeployment[];
  readonly older: readonly ContractDeployment[];
} {
  const newest = new Map<string, ContractDeployment>();
  for (const one of deployments) if (!newest.has(one.chainId)) newest.set(one.chainId, one);
  const isOlder = (one: ContractDeployment) => isOfOlderRun(one, newest.get(one.chainId) ?? one);
  return { newest: deployments.filter((one) => !isOlder(one)), older: deployments.filter(isOlder) };
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
function sortByName(contracts: readonly ArrangedContract[]): readonly ArrangedContract[] {
  return contracts
    .map((contract) => ({ contract, name: contract.name?.toLowerCase() }))
    .sort((a, b) => {
      if (a.name === undefined || b.name === undefined)
        return a.name === b.name ? 0 : a.name === undefined ? 1 : -1;
      return compareValues(a.name, b.name) || compareValues(a.contract.key, b.contract.key);
    })
    .map(({ contract }) => contract);
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
  readonly deployments: readonly ContractDeployment[];
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
  /** The row that it is under. */
  readonly parent: ContractNode | MissingNode | OlderNode;
  /** The contract that runs there; undefined if no file declares it. */
  readonly indexed: IndexedContract | undefined;
  readonly deployment: ContractDeployment;
  readonly account: Address;
  readonly chainId: number;
  readonly contractName: string | undefined;
  readonly occurrence: SourceLine | undefined;
}

/** Deployments of earlier runs. */
export interface OlderNode {
  readonly kind: 'older';
  readonly parent: ContractNode;
  readonly deployments: readonly ContractDeployment[];
}

/** Records of contracts that are not on the active node. */
export interface MissingNode {
  readonly kind: 'missing';
  readonly deployments: readonly IndexedDeployment[];
}

/** See {@link ArrangedContracts.more}. */
export interface MoreContractsNode {
  readonly kind: 'more';
  readonly contracts: readonly ArrangedContract[];
}

/** The row that a note is under. */
export type NoteParent = ContractNode | MissingNode | MoreContractsNode | OlderNode;

/** A text in place of rows, or after them. */
export interface ContractNoteNode {
  readonly kind: 'note';
  readonly parent: NoteParent | undefined;
  readonly content:
    | { readonly note: 'reading'; readonly looked: number; readonly found: number }
    | { readonly note: 'cut'; readonly shown: number; readonly left: number }
    /** The workspace is on no disk, and has no compiled artifacts. */
    | { readonly note: 'uncompiled' };
}

export type ContractsNode =
  | ContractNode
  | ContractNoteNode
  | DeploymentNode
  | MissingNode
  | MoreContractsNode
  | OlderNode;

/** Stable for the same row, so that the view preserves selection and expansion. */
export function getContractNodeId(node: ContractsNode): string {
  switch (node.kind) {
    case 'contract':
      return `contract/${node.key}`;
    case 'deployment':
      return [
        getContractNodeId(node.parent),
        node.deployment.chainId,
        node.account,
        // Several runs may have put contracts at an address that are no longer there.
        ...(node.parent.kind === 'missing' ? [node.deployment.contract, node.deployment.transaction] : []),
      ].join('/');
    case 'older':
      return `${getContractNodeId(node.parent)}/older`;
    case 'missing':
    case 'more':
      return node.kind;
    case 'note':
      return `${node.parent ? getContractNodeId(node.parent) : ''}/note`;
  }
}
