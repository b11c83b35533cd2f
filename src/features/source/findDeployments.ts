import {
  type AbiItemText,
  type Clock,
  type ContractDeployment,
  type ContractIndex,
  createTimeSlices,
  type DeployedContract,
  type EventSignature,
  formatContractKey,
  groupDeployments,
  type IndexedContract,
  linkWithLoading,
  listNewest,
  parseEventSignature,
  type SourceContract,
  type TimeSlices,
} from '../../core/index.ts';
import { findDeclaredItems, type SourceReader } from '../../host/contracts/declarations.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import { parseChainId } from '../../host/names/addressName.ts';

/** A deployment of a source. */
export interface SourceDeployment extends ContractDeployment {
  /** Of the newest run of its contract on its chain. Several are of one run, or nothing says which is newer. */
  readonly isNewest?: true;
}

interface SourceContracts extends DeployedContract {
  readonly deployments: readonly SourceDeployment[];
}

export interface DeployedContracts {
  /** `path`: the file that declares it, as the index writes paths. */
  find(path: string, name: string): SourceContracts | undefined;
  listWith(text: AbiItemText): readonly SourceContracts[];
}

/** Reads what is deployed, in time slices. Skips deployments with an invalid chain ID. */
export async function findDeployedContracts(
  index: Parameters<typeof groupDeployments>[0],
  slices: TimeSlices,
): Promise<DeployedContracts> {
  const grouping = groupDeployments(index);
  let grouped = grouping.next();
  for (; !grouped.done; grouped = grouping.next()) if (slices.isOver()) await slices.rest();
  const byContract = new Map<string, SourceContracts>();
  const byItem = new Map<AbiItemText, SourceContracts[]>();
  for (const { deployments, ...group } of grouped.value) {
    if (slices.isOver()) await slices.rest();
    const possible = omitMissing(deployments.filter(({ chainId }) => parseChainId(chainId) !== undefined));
    if (possible.length === 0) continue;
    const deployed = { ...group, deployments: markNewest(possible) };
    const { name, source, artifact, abi } = deployed.contract;
    byContract.set(formatContractKey({ name, path: source ?? artifact ?? '' }), deployed);
    for (const text of abi) {
      if (text.startsWith('function ') && !isViewText(text)) continue;
      const existing = byItem.get(text);
      if (existing) existing.push(deployed);
      else byItem.set(text, [deployed]);
    }
  }
  return {
    find: (path, name) => byContract.get(formatContractKey({ name, path })),
    listWith: (text) => byItem.get(text) ?? [],
  };
}

/** Without deployments that a node lacks while it has others: it was started anew since. */
function omitMissing(deployments: readonly ContractDeployment[]): readonly ContractDeployment[] {
  const present = deployments.filter(({ state }) => state !== 'missing');
  const chains = new Set(present.map(({ chainId }) => chainId));
  return deployments.filter(({ chainId, state }) => state !== 'missing' || !chains.has(chainId));
}

/** A name means these, too. Code for proxies counts where no proxy runs it. */
function markNewest(deployments: readonly ContractDeployment[]): readonly SourceDeployment[] {
  const newest = new Set<ContractDeployment>();
  for (const chainId of new Set(deployments.map((one) => one.chainId))) {
    const here = deployments.filter((one) => one.chainId === chainId);
    const running = here.filter(({ role }) => role !== 'implementation');
    for (const one of listNewest(running.length > 0 ? running : here)) newest.add(one);
  }
  return deployments.map((one) => (newest.has(one) ? { ...one, isNewest: true } : one));
}

/** Whether an ABI item is a view function. */
const isViewText = (text: AbiItemText) => /\) view(?: |$)/.test(text);

interface DeploymentCache {
  /** Never waits for the workspace to be read. Undefined until it has been; `onDidRead` fires then. */
  read(): Promise<DeployedContracts | undefined>;
}

/** Reads the index once for each of its versions. */
export function createDeploymentCache(contracts: WorkspaceContracts, clock: Clock): DeploymentCache {
  let last: Promise<DeployedContracts> | undefined;
  let lastIndex: ContractIndex | undefined;
  let lastVersion = -1;
  return {
    async read() {
      const { known: existing } = contracts;
      // Starts to read the workspace when the first source is opened.
      if (!existing) void contracts.index().catch(() => undefined);
      if (!existing || contracts.state.kind !== 'ready') return last;
      if (existing !== lastIndex || existing.version !== lastVersion) {
        lastIndex = existing;
        lastVersion = existing.version;
        last = findDeployedContracts(existing, createTimeSlices(clock));
      }
      return last;
    },
  };
}

interface DeployableSource extends Pick<SourceReader, 'read' | 'resolve' | 'signal'> {
  readonly path: string;
  /** Convert a path to a path of the index and back; undefined for a path outside of the folder. */
  readonly indexPath: (path: string) => string;
  readonly pathOf: (indexPath: string) => string | undefined;
}

export interface DeploymentFinder {
  contract(contract: SourceContract): SourceContracts | undefined;
  /**
   * Deployments of the contract that declares or uses an event or error; if there are none, of contracts that inherit
   * from it. Items of an interface, a library or a file are deployed with each contract that has them in its ABI.
   */
  item(text: AbiItemText, contract: SourceContract | undefined): Promise<readonly SourceDeployment[]>;
}

/** Contracts to examine for one item: each may be a source to read. */
const MAX_DERIVED_CONTRACTS = 64;

export function createDeploymentFinder(
  deployed: DeployedContracts,
  source: DeployableSource,
): DeploymentFinder {
  const inheriting = new Map<string, Promise<boolean>>();

  const findOwn = ({ name }: SourceContract) => deployed.find(source.indexPath(source.path), name);

  function inherits(heir: IndexedContract, base: SourceContract): Promise<boolean> {
    const key = [heir.source, heir.name, base.name].join('\n');
    const existing = inheriting.get(key) ?? readInheritance(heir, base);
    inheriting.set(key, existing);
    return existing;
  }

  async function readInheritance(heir: IndexedContract, base: SourceContract): Promise<boolean> {
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
    contract: findOwn,
    async item(text, contract) {
      const itself = contract && findOwn(contract);
      const isRun = itself?.deployments.some(({ role }) => role !== 'implementation');
      if (itself && isRun) return itself.deployments;
      const candidates = deployed.listWith(text).slice(0, MAX_DERIVED_CONTRACTS);
      if (!contract || contract.kind === 'interface' || contract.kind === 'library')
        return listDeployments(candidates);
      const heirs: SourceContracts[] = [];
      for (const each of candidates) if (await inherits(each.contract, contract)) heirs.push(each);
      const inherited = listDeployments(heirs);
      return inherited.length > 0 ? inherited : (itself?.deployments ?? []);
    },
  };
}

/** A proxy runs several facets of a diamond, and may be counted once. */
function listDeployments(contracts: readonly SourceContracts[]): readonly SourceDeployment[] {
  const all = contracts.flatMap(({ deployments }) => deployments);
  return [...new Map(all.map((one) => [`${one.chainId} ${one.address}`, one])).values()];
}

/** What a source declares, and where it is deployed. */
export interface DeployedSource {
  readonly contracts: readonly {
    readonly contract: SourceContract;
    /** As the index has it; undefined if it is not deployed. */
    readonly indexed: IndexedContract | undefined;
    readonly deployments: readonly SourceDeployment[];
  }[];
  /** Those that can be queried by topic0, in their order: none that are anonymous or have an unresolved type. */
  readonly events: readonly DeployedEvent[];
  /** View functions and public variables that are deployed, in their order; none of interfaces and libraries. */
  readonly views: readonly DeployedView[];
}

export interface DeployedView {
  readonly name: string;
  /** With its types as in the ABI: `function count() view returns (uint256)`. */
  readonly declaration: string;
  /** Index of the declaration in the source. */
  readonly offset: number;
  /** Whether it takes no arguments. */
  readonly isPlain: boolean;
  readonly deployments: readonly SourceDeployment[];
}

export interface DeployedEvent {
  readonly name: string;
  /** With its types as in the ABI: `event Paid(address indexed by, (address token, uint256 amount) price)`. */
  readonly declaration: string;
  /** Index of the declaration in the source. */
  readonly offset: number;
  readonly deployments: readonly SourceDeployment[];
  /** Computes the signature and topic0, which is slow. */
  readonly hash: () => EventSignature;
}

/** A query accepts no longer declaration. */
const MAX_DECLARATION_CHARS = 4_096;

/** Finds no deployments without `finder`. Works in time slices; rejects when the reader's signal aborts. */
export async function readDeployedSource(
  path: string,
  reader: SourceReader,
  finder: DeploymentFinder | undefined,
): Promise<DeployedSource> {
  const { slices, signal } = reader;
  const facts = await reader.read(path);
  const contracts = (facts?.contracts ?? []).map((contract) => {
    const deployed = finder?.contract(contract);
    return { contract, indexed: deployed?.contract, deployments: deployed?.deployments ?? [] };
  });
  const events: DeployedEvent[] = [];
  for (const { item, contract, text } of await findDeclaredItems(path, 'event', reader)) {
    if (slices.isOver()) await slices.rest({ signal });
    if (text === undefined || item.anonymous || text.length > MAX_DECLARATION_CHARS) continue;
    const { name, offset } = item;
    const deployments = (await finder?.item(text, contract)) ?? [];
    events.push({ name, declaration: text, offset, deployments, hash: () => parseEventSignature(text) });
  }
  return { contracts, events, views: finder ? await findViews(path, reader, finder) : [] };
}

async function findViews(
  path: string,
  reader: SourceReader,
  finder: DeploymentFinder,
): Promise<readonly DeployedView[]> {
  const { slices, signal } = reader;
  const views: DeployedView[] = [];
  for (const { item, contract, text } of await findDeclaredItems(path, 'function', reader)) {
    if (slices.isOver()) await slices.rest({ signal });
    const isCode = contract?.kind === 'contract' || contract?.kind === 'abstract';
    if (!item.isView || text === undefined || !isCode) continue;
    const deployments = await finder.item(text, contract);
    if (deployments.length === 0) continue;
    const { name, offset, inputs } = item;
    views.push({ name, declaration: text, offset, isPlain: inputs.length === 0, deployments });
  }
  return views;
}
