import {
  type AbiLookup,
  type Candidate,
  type ChainAddress,
  type Origin,
  sortByTrust,
  type Trust,
} from '../../abi/candidates.ts';
import type { AbiItem } from '../../abi/item.ts';
import { type AbiResolver, type ContractAbi, contractAbiId } from '../../abi/lookup.ts';
import { compareValues } from '../../base/values.ts';
import type { Address, Hex } from '../../eth/hex.ts';
import type { FileFacts } from '../readers/facts.ts';
import {
  type ContractEntry,
  type ContractTable,
  createContractTable,
  createItemTable,
  type ItemTable,
  type OwnedItem,
} from './contractTable.ts';
import { createDeploymentTable } from './deploymentTable.ts';
import {
  type FilePlace,
  getContractPath,
  type IndexedContract,
  type IndexedDeployment,
  type IndexedLabel,
} from './joinContracts.ts';

/** What the files of a workspace tell of contracts, deployments and names. Paths are from its root on. */
export interface ContractIndex extends AbiResolver {
  /** Takes what a file tells in place of what it told before; undefined for a file that tells nothing any more. */
  put(path: string, facts: FileFacts | undefined, place?: FilePlace): void;
  /** Goes up with each change. */
  readonly version: number;
  /** By name, then by path. */
  readonly contracts: readonly IndexedContract[];
  /** By chain, then by address; one for each address of a chain. */
  readonly deployments: readonly IndexedDeployment[];
  /** How many there are, as told by files: without joining contracts of one name, or putting any in order. */
  readonly counts: { readonly contracts: number; readonly deployments: number };
  /** By file. */
  readonly labels: readonly IndexedLabel[];
  /** Finds what is deployed at the very address first, then what the workspace has, its own before its libraries'. */
  readonly lookup: AbiLookup;
  /** Makes `lookup` ready until `isOver` says so, as its first use is long in a large workspace. @returns whether it is. */
  prepare(isOver: () => boolean): boolean;
  /** What is deployed at an address, on one chain or by chain. */
  deploymentsAt(address: Address, chainId?: number): readonly IndexedDeployment[];
  /** Contracts of this name, by path. */
  contractNamed(name: string): readonly IndexedContract[];
  /** The contract that a deployment is of; undefined where none of its name is there, or several that differ. */
  contractOf(deployment: IndexedDeployment): IndexedContract | undefined;
}

const ROOT: FilePlace = { project: '', libs: [] };

/**
 * An index without files.
 *
 * @example
 * const index = createContractIndex();
 * index.put('out/Token.sol/Token.json', facts);
 * index.lookup.events(log.topics[0], { address: log.address, chainId: 1 });
 */
export function createContractIndex(): ContractIndex {
  const items = createItemTable<ContractEntry>();
  const contracts = createContractTable((entry, before) => {
    const now = entry.merged?.abi ?? [];
    // Most often it is the same list, to which a source has added lines.
    if (now === before) return;
    items.remove(before, entry);
    items.add(now, entry);
  });
  const deployments = createDeploymentTable();
  const labels = new Map<string, readonly IndexedLabel[]>();
  const deployedAt = (at: ChainAddress) => {
    const [deployment] = deployments.at(at.address, at.chainId);
    return deployment && findDeployedContract(deployment, contracts);
  };
  let version = 0;
  const index: ContractIndex = {
    put(path, facts, place = ROOT) {
      version++;
      contracts.put(path, facts, place);
      deployments.put(path, facts?.deployments ?? []);
      if (facts && facts.labels.length > 0) {
        labels.set(
          path,
          facts.labels.map((label) => ({ ...label, file: path })),
        );
      } else labels.delete(path);
    },
    get version() {
      return version;
    },
    get contracts() {
      return contracts.contracts;
    },
    get deployments() {
      return deployments.deployments;
    },
    get counts() {
      return { contracts: contracts.size, deployments: deployments.size };
    },
    get labels() {
      return [...labels.keys()].sort().flatMap((path) => labels.get(path) ?? []);
    },
    lookup: createIndexLookup(items, deployedAt),
    abiAt({ address, chainId }) {
      const [deployment] = deployments.at(address, chainId);
      return deployment && getDeploymentAbi(deployment, findDeployedContract(deployment, contracts));
    },
    prepare: items.prepare,
    deploymentsAt: deployments.at,
    contractNamed: (name) => contracts.named(name).map(({ contract }) => contract),
    contractOf: (deployment) => findDeployedContract(deployment, contracts),
  };
  return index;
}

/**
 * The contract that a deployment is of: one whose ABI is in the very file, else in files beside it, else the project's
 * own of that name, else one of its libraries, else of another project; where none has the name, one that an address
 * book writes so. Undefined where several are left whose ABIs differ: what is deployed must not be guessed.
 */
function findDeployedContract(
  { contract, file }: IndexedDeployment,
  contracts: ContractTable,
): IndexedContract | undefined {
  if (contract === undefined) return undefined;
  const called = contracts.named(contract);
  const named = called.length > 0 ? called : contracts.alike(contract);
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  const nearest = [
    named.filter(({ files }) => files.has(file)),
    named.filter(({ contract: { artifact } }) => folder !== '' && artifact?.startsWith(folder)),
    named.filter(({ contract: { project, isOwn } }) => isOwn && isIn(file, project)),
    named.filter(({ contract: { project } }) => isIn(file, project)),
    named,
  ].find((some) => some.length > 0);
  const [first, ...others] = (nearest ?? []).map((each) => each.contract);
  return first && others.every((other) => hasSameAbi(first, other)) ? first : undefined;
}

function isIn(file: string, folder: string): boolean {
  return folder === '' || file.startsWith(`${folder}/`);
}

function hasSameAbi({ abi }: IndexedContract, other: IndexedContract): boolean {
  const texts = new Set(abi);
  return texts.size === new Set(other.abi).size && other.abi.every((text) => texts.has(text));
}

/** The ABI of what is deployed somewhere, as the workspace has it by now; undefined where only the address is told. */
function getDeploymentAbi(
  { contract: name, file }: IndexedDeployment,
  contract: IndexedContract | undefined,
): ContractAbi | undefined {
  if (!contract) return name === undefined ? undefined : { id: `${file} ${name}`, items: undefined };
  const from = getContractPath(contract);
  const { abi, itemLines } = contract;
  return {
    id: contractAbiId({ from, contract: contract.name }),
    items: abi.map((text, index) => ({
      text,
      origin: { trust: 'deployment', from, contract: contract.name, line: itemLines[index] },
    })),
  };
}

/**
 * Finds items of the workspace by their hashes, each once, with the contract that is known best to have it: the one
 * deployed where the hash was met, else one of the project's own, else one whose declaration is there.
 *
 * @param deployedAt the contract at an address of a chain.
 */
function createIndexLookup(
  items: ItemTable<ContractEntry>,
  deployedAt: (at: ChainAddress) => IndexedContract | undefined,
): AbiLookup {
  function find<Item extends AbiItem>(
    kind: Item['kind'],
    hash: Hex | undefined,
    at: ChainAddress | undefined,
  ) {
    const found = items.find(kind, hash) as readonly (OwnedItem<ContractEntry> & { readonly item: Item })[];
    if (found.length === 0) return [];
    const deployed = at && deployedAt(at);
    const ranked = found.map((entry) => rank(entry, deployed));
    ranked.sort(ownFirst);
    return sortByTrust(ranked.map(({ item, origin }) => ({ item, origin })));
  }
  return {
    events: (topic0, at) => find('event', topic0, at),
    errors: (selector, at) => find('error', selector, at),
    functions: (selector, at) => find('function', selector, at),
  };
}

interface Ranked<Item extends AbiItem> extends Candidate<Item> {
  readonly isOwn: boolean;
}

function rank<Item extends AbiItem>(
  { item, text, owners }: OwnedItem<ContractEntry> & { readonly item: Item },
  deployed: IndexedContract | undefined,
): Ranked<Item> {
  const isDeployed = deployed?.abi.includes(text) ?? false;
  const owner = isDeployed ? deployed : best(owners, text);
  return {
    item,
    isOwn: owner?.isOwn ?? false,
    origin: originOf(owner, text, isDeployed ? 'deployment' : 'workspace'),
  };
}

function originOf(owner: IndexedContract | undefined, text: string, trust: Trust): Origin {
  if (!owner) return { trust, from: '', contract: undefined, line: undefined };
  return { trust, from: getContractPath(owner), contract: owner.name, line: lineOf(owner, text) };
}

function lineOf({ abi, itemLines }: IndexedContract, text: string): number | undefined {
  return itemLines[abi.indexOf(text)];
}

/** The first of the project's own, of those the first with a line, of those the first by name and path. */
function best(owners: readonly ContractEntry[], text: string): IndexedContract | undefined {
  let found: IndexedContract | undefined;
  for (const { merged } of owners) {
    if (merged && (!found || compareOwners(merged, found, text) < 0)) found = merged;
  }
  return found;
}

function compareOwners(a: IndexedContract, b: IndexedContract, text: string): number {
  if (a.isOwn !== b.isOwn) return a.isOwn ? -1 : 1;
  const hasLine = lineOf(a, text) !== undefined;
  if (hasLine !== (lineOf(b, text) !== undefined)) return hasLine ? -1 : 1;
  return compareValues(a.name, b.name) || compareValues(getContractPath(a), getContractPath(b));
}

function ownFirst(a: Ranked<AbiItem>, b: Ranked<AbiItem>): number {
  if (a.isOwn !== b.isOwn) return a.isOwn ? -1 : 1;
  return (
    compareValues(a.origin.contract ?? '', b.origin.contract ?? '') ||
    compareValues(a.origin.from, b.origin.from)
  );
}
