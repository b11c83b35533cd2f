import {
  type AbiError,
  type AbiItemText,
  type Clock,
  type ContractIndex,
  createTimeSlices,
  type EventSignature,
  type IndexedContract,
  type IndexedDeployment,
  linkWithLoading,
  parseAbiItem,
  parseEventSignature,
  type SourceContract,
  type TimeSlices,
} from '../../core/index.ts';
import {
  type DeclaredItem,
  findDeclaredItems,
  type SourceReader,
} from '../../host/contracts/declarations.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import { parseChainId } from '../../host/names/addressName.ts';

/** A contract of the workspace with where it is deployed. */
interface DeployedContract {
  readonly contract: IndexedContract;
  readonly deployments: readonly IndexedDeployment[];
}

/** The contracts of the workspace that are deployed somewhere. */
interface DeployedContracts {
  /** The one of this name that the file at `path` of the index declares. */
  of(path: string, name: string): DeployedContract | undefined;
  /** Those whose ABI has the event or error. */
  having(text: AbiItemText): readonly DeployedContract[];
}

/** What of an index is gone through. */
interface DeploymentIndex {
  readonly deployments: readonly IndexedDeployment[];
  contractOf(deployment: IndexedDeployment): IndexedContract | undefined;
}

/** Goes through all deployments, in slices of time. Those on no chain that there is are left out. */
export async function findDeployedContracts(
  index: DeploymentIndex,
  slices: TimeSlices,
): Promise<DeployedContracts> {
  const byContract = new Map<string, { contract: IndexedContract; deployments: IndexedDeployment[] }>();
  for (const deployment of index.deployments) {
    if (slices.isOver()) await slices.rest();
    const contract =
      parseChainId(deployment.chainId) === undefined ? undefined : index.contractOf(deployment);
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

/** The deployed contracts as far as they are known. */
interface DeploymentCache {
  /** Never waits for the workspace to be read: undefined until it has been, which the index then tells. */
  read(): Promise<DeployedContracts | undefined>;
}

/** Goes through the index once for each state of it. */
export function createDeploymentCache(contracts: WorkspaceContracts, clock: Clock): DeploymentCache {
  let last: Promise<DeployedContracts> | undefined;
  let lastIndex: ContractIndex | undefined;
  let lastVersion = -1;
  return {
    async read() {
      const { known } = contracts;
      // Begins with the first source that is looked at.
      if (!known) void contracts.index().catch(() => undefined);
      if (!known || contracts.state.kind !== 'ready') return last;
      if (known !== lastIndex || known.version !== lastVersion) {
        lastIndex = known;
        lastVersion = known.version;
        last = findDeployedContracts(known, createTimeSlices(clock));
      }
      return last;
    },
  };
}

/** A source whose declarations may be deployed. */
interface DeployableSource extends Pick<SourceReader, 'read' | 'resolve' | 'signal'> {
  readonly path: string;
  /** A path in the index, and the other way; undefined for what lies elsewhere. */
  readonly indexPath: (path: string) => string;
  readonly pathOf: (indexPath: string) => string | undefined;
}

/** Finds where what a source declares is deployed. */
export interface DeploymentFinder {
  /** Deployments of the very contract. */
  contract(contract: SourceContract): readonly IndexedDeployment[];
  /**
   * Deployments of the contract that an event or error is declared or used in; where there are none, of those that
   * inherit it. What an interface, a library or a file declares is deployed with each contract that has it in its ABI.
   */
  item(text: AbiItemText, contract: SourceContract | undefined): Promise<readonly IndexedDeployment[]>;
}

/** Contracts that are looked at for one item: each may be a source to be read. */
const MAX_DERIVED_CONTRACTS = 64;

export function createDeploymentFinder(
  deployed: DeployedContracts,
  source: DeployableSource,
): DeploymentFinder {
  const inheriting = new Map<string, Promise<boolean>>();

  const own = ({ name }: SourceContract) => deployed.of(source.indexPath(source.path), name);

  function inherits(heir: IndexedContract, base: SourceContract): Promise<boolean> {
    const key = [heir.source, heir.name, base.name].join('\n');
    const known = inheriting.get(key) ?? looksUp(heir, base);
    inheriting.set(key, known);
    return known;
  }

  async function looksUp(heir: IndexedContract, base: SourceContract): Promise<boolean> {
    const path = heir.source === undefined ? undefined : source.pathOf(heir.source);
    const facts = path === undefined ? undefined : await source.read(path);
    const contract = facts?.contracts.find(({ name }) => name === heir.name);
    if (path === undefined || !contract) return false;
    return linkWithLoading((linker) => {
      const bases = linker.inherited(contract, path);
      return bases.some((each) => each.path === source.path && each.contract.name === base.name);
    }, source);
  }

  return {
    contract: (contract) => own(contract)?.deployments ?? [],
    async item(text, contract) {
      const itself = contract && own(contract);
      if (itself) return itself.deployments;
      const having = deployed.having(text).slice(0, MAX_DERIVED_CONTRACTS);
      if (!contract || contract.kind === 'interface' || contract.kind === 'library') return all(having);
      const heirs: DeployedContract[] = [];
      for (const each of having) if (await inherits(each.contract, contract)) heirs.push(each);
      return all(heirs);
    },
  };
}

function all(contracts: readonly DeployedContract[]): readonly IndexedDeployment[] {
  return contracts.flatMap(({ deployments }) => deployments);
}

/** An error that a source declares, and where. */
export interface DeclaredError {
  /** Index of its declaration in the source. */
  readonly offset: number;
  /** With its selector, which takes a while to compute; undefined where nobody could revert with it. */
  readonly read: () => AbiError | undefined;
}

/** The errors that a source declares, in their order; none with a type that is not found. */
export async function findErrors(path: string, reader: SourceReader): Promise<readonly DeclaredError[]> {
  const declared = await findDeclaredItems(path, 'error', reader);
  return declared.flatMap(({ item: { offset }, text }) =>
    text === undefined ? [] : [{ offset, read: () => errorOf(text) }],
  );
}

function errorOf(text: string): AbiError | undefined {
  const item = parseAbiItem(text);
  return item?.kind === 'error' ? item : undefined;
}

/** An event that a source declares, and where. */
export interface DeclaredEvent {
  readonly name: string;
  /** With its types as the ABI has them: `event Paid(address indexed by, (address token, uint256 amount) price)`. */
  readonly declaration: string;
  /** Undefined outside of all contracts. */
  readonly contract: SourceContract | undefined;
  /** Index of its declaration in the source. */
  readonly offset: number;
  /** Its signature and topic0, which take a while to compute. */
  readonly hash: () => EventSignature;
}

/** Characters of a declaration that a query takes. */
const MAX_DECLARATION_CHARS = 4_096;

/**
 * The events that a source declares and whose logs can be asked for by topic0, in their order: not the anonymous ones,
 * and none with a type that is not found. In slices, so that all else goes on. Rejects when `signal` aborts.
 */
export async function findEvents(path: string, reader: SourceReader): Promise<readonly DeclaredEvent[]> {
  const { slices, signal } = reader;
  const events: DeclaredEvent[] = [];
  for (const declared of await findDeclaredItems(path, 'event', reader)) {
    const event = readEvent(declared);
    if (event) events.push(event);
    if (slices.isOver()) await slices.rest({ signal });
  }
  return events;
}

function readEvent({ item, contract, text }: DeclaredItem): DeclaredEvent | undefined {
  if (text === undefined || item.anonymous || text.length > MAX_DECLARATION_CHARS) return undefined;
  const { name, offset } = item;
  return { name, declaration: text, contract, offset, hash: () => parseEventSignature(text) };
}
