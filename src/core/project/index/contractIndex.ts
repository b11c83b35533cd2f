import {
  type AbiLookup,
  type Candidate,
  type ChainAddress,
  type Origin,
  sortByTrust,
  type Trust,
} from '../../abi/candidates.ts';
import { attachEnums, type FindEnum, type ItemEnums } from '../../abi/enums.ts';
import type { AbiEvent, AbiItem } from '../../abi/item.ts';
import { type AbiResolver, type ContractAbi, contractAbiId } from '../../abi/lookup.ts';
import { compareValues } from '../../base/values.ts';
import type { Address, Hex } from '../../eth/hex.ts';
import { isPathWithin } from '../layout.ts';
import type { SkippedFile, SkippedFiles } from '../projectFiles.ts';
import type { FileFacts } from '../readers/facts.ts';
import {
  type ContractEntry,
  type ContractTable,
  createContractTable,
  createItemTable,
  type ItemTable,
  type OwnedItem,
} from './contractTable.ts';
import { type AddressCheck, createDeploymentTable } from './deploymentTable.ts';
import { createEnumTable } from './enumTable.ts';
import {
  type ContractKey,
  type FilePlace,
  getContractPath,
  type IndexedContract,
  type IndexedDeployment,
  type IndexedLabel,
  listMeantContracts,
} from './joinContracts.ts';
import { createUnitTable, getLabeledFolder, type UnitProblem } from './unitTable.ts';

/** The contracts, deployments and names in the files of a workspace. Paths are relative to its root. */
export interface ContractIndex extends AbiResolver {
  /** Replaces the facts of a file; undefined removes them. */
  put(path: string, facts: FileFacts | undefined, place?: FilePlace): void;
  /** Increases with each change. */
  readonly version: number;
  /** Sorted by name, then by path. */
  readonly contracts: readonly IndexedContract[];
  /** What is at each address, sorted by chain, then by address; without records that the chain contradicts. */
  readonly deployments: readonly IndexedDeployment[];
  /** All records of deployments, sorted by chain, then by address, the newest first. */
  readonly deploymentRecords: readonly IndexedDeployment[];
  /** The records at an address as the files have them, without what the chain says; the newest first. */
  deploymentRecordsAt(address: Address, chainId: number): readonly IndexedDeployment[];
  /** Replaces what a chain says of its addresses; the others on it count as not checked. */
  settleDeployments(chainId: number, checks: ReadonlyMap<Address, AddressCheck>): void;
  /** Counts without the work of merging and sorting. Contracts of one name that `contracts` merges count separately. */
  readonly counts: { readonly contracts: number; readonly deployments: number };
  /** The files that could not be read, or not as a whole, and why: the first thousand by path, and how many. */
  readonly skippedFiles: { readonly files: readonly SkippedFile[]; readonly count: number };
  /** Sorted by file. */
  readonly labels: readonly IndexedLabel[];
  /** Prefers items of what is deployed at the address, then the workspace's own, then those of libraries. */
  readonly lookup: AbiLookup;
  /**
   * Events with this topic0 as each contract declares them, with its enums; at an address only that of the contract
   * deployed there, if it has one.
   */
  declaredEvents(topic0: Hex, at?: ChainAddress): readonly AbiEvent[];
  /** Prepares `lookup` until `isOver`, as its first use is slow in a large workspace. @returns whether it is ready. */
  prepare(isOver: () => boolean): boolean;
  /** The deployments at an address, on one chain or sorted by chain. */
  deploymentsAt(address: Address, chainId?: number): readonly IndexedDeployment[];
  /** The contracts whose code runs at an address. For a proxy, its current implementations come first, then its own contract. */
  contractsAt(at: ChainAddress): readonly IndexedContract[];
  /** The ABIs of `contractsAt`. */
  abisAt(at: ChainAddress): readonly ContractAbi[];
  /** The contracts of this name, by path. Without one, the contracts of deployments to which a script gave this name. */
  contractNamed(name: string): readonly IndexedContract[];
  /**
   * The contract of a deployment, by its code where that decided; undefined if none has its name, several have it with
   * different ABIs, or the chain does not say which record holds.
   */
  contractOf(deployment: IndexedDeployment): IndexedContract | undefined;
  /** The contract with this name and path. */
  contractWithKey(key: ContractKey): IndexedContract | undefined;
  readonly findEnum: FindEnum;
  /** Why units in labels of teams have no effect, in the order of the files. */
  readonly unitProblems: readonly UnitProblem[];
}

const ROOT_PLACE: FilePlace = { project: '', libs: [] };

/**
 * Creates an empty index.
 *
 * @example
 * const index = createContractIndex();
 * index.put('out/Token.sol/Token.json', facts);
 * index.lookup.events(log.topics[0], { address: log.address, chainId: 1 });
 */
export function createContractIndex(skipped?: SkippedFiles): ContractIndex {
  const items = createItemTable<ContractEntry>();
  const units = createUnitTable();
  const contracts = createContractTable((entry, previousAbi) => {
    const abi = entry.merged?.abi ?? [];
    // Usually it is the same list: only lines were added from a source.
    if (abi === previousAbi) return;
    items.remove(previousAbi, entry);
    items.add(abi, entry);
  }, units.find);
  const deployments = createDeploymentTable();
  const enums = createEnumTable();
  const labels = new Map<string, readonly IndexedLabel[]>();
  const getDeployed = (at: ChainAddress) => {
    const [deployment] = deployments.at(at.address, at.chainId);
    return deployment && findDeployedContract(deployment, contracts);
  };
  function listContractsAt({ address, chainId }: ChainAddress): readonly IndexedContract[] {
    const [deployment] = deployments.at(address, chainId);
    if (!deployment) return [];
    const run = (deployment.runs ?? []).map(({ contract }) => contract && findByKey(contract, contracts));
    const found = [...run, findDeployedContract(deployment, contracts)];
    return found.filter((contract) => contract !== undefined);
  }
  const findDeployedAs = (name: string) => {
    const called = deployments.deployments.filter(
      ({ contract, contractType }) => contract === name && contractType !== undefined,
    );
    return [...new Set(called.flatMap((one) => findDeployedContract(one, contracts) ?? []))];
  };
  let version = 0;
  const index: ContractIndex = {
    put(path, facts, place = ROOT_PLACE) {
      version++;
      contracts.put(path, facts, place);
      const changed = units.put(path, facts?.units ?? []);
      if (changed.size > 0) contracts.update(changed);
      enums.put(path, facts?.contracts ?? []);
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
    get deploymentRecords() {
      return deployments.records;
    },
    deploymentRecordsAt: deployments.recordsAt,
    settleDeployments(chainId, checks) {
      version++;
      deployments.settle(chainId, checks);
    },
    get counts() {
      return { contracts: contracts.size, deployments: deployments.size };
    },
    get skippedFiles() {
      return { files: skipped?.reported ?? [], count: skipped?.count ?? 0 };
    },
    get labels() {
      return [...labels.keys()].sort().flatMap((path) => labels.get(path) ?? []);
    },
    lookup: createIndexLookup(items, { getDeployed, listContractsAt, findEnum: enums.find }),
    declaredEvents(topic0, at) {
      const found = items.find('event', topic0) as readonly (OwnedItem<ContractEntry> & { item: AbiEvent })[];
      const here = at ? listContractsAt(at) : [];
      const atAddress = found.flatMap(({ item, text }) => {
        const declaring = here.find(({ abi }) => abi.includes(text));
        return declaring ? [attachDeclaredEnums(item, declaring.enums?.[text], enums.find)] : [];
      });
      if (atAddress.length > 0) return atAddress;
      return found.flatMap(({ item, text, owners }) =>
        owners.map(({ merged }) => attachDeclaredEnums(item, merged?.enums?.[text], enums.find)),
      );
    },
    abiAt({ address, chainId }) {
      const [deployment] = deployments.at(address, chainId);
      return (
        deployment && getDeploymentAbi(deployment, findDeployedContract(deployment, contracts), enums.find)
      );
    },
    contractsAt: listContractsAt,
    abisAt: (at) => listContractsAt(at).map((contract) => getContractAbi(contract, enums.find)),
    prepare: items.prepare,
    deploymentsAt: deployments.at,
    contractNamed(name) {
      const named = contracts.findByName(name).map(({ contract }) => contract);
      return named.length > 0 ? named : findDeployedAs(name);
    },
    contractOf: (deployment) => findDeployedContract(deployment, contracts),
    contractWithKey: (key) => findByKey(key, contracts),
    findEnum: enums.find,
    get unitProblems() {
      return units.listProblems(index.contractNamed);
    },
  };
  return index;
}

function attachDeclaredEnums(item: AbiEvent, places: ItemEnums | undefined, find: FindEnum): AbiEvent {
  return places ? attachEnums(item, { places: [places], find }) : item;
}

/**
 * The contract of a deployment: the one that its code or a person says. Else the first group that is not empty decides:
 * contracts whose ABI is in the same file, in files of the same folder, contracts of the project itself, of its libraries,
 * of other projects. If none has the name, contracts with a similar name (address books write `vaultProxy` for `Vault`).
 * Undefined if the ABIs in that group differ: the deployed code must not be guessed.
 */
function findDeployedContract(
  { contract, contractType: name = contract, file, code, state, chosen }: IndexedDeployment,
  contracts: ContractTable,
): IndexedContract | undefined {
  if (code) return findByKey(code, contracts);
  if (name === undefined || state === 'undecided') return undefined;
  if (chosen !== undefined) {
    const named = (of: string) => contracts.findByName(of).map(({ contract }) => contract);
    return getOnly(listMeantContracts(chosen, named, getLabeledFolder(file)));
  }
  const exact = contracts.findByName(name);
  const named = exact.length > 0 ? exact : contracts.findBySimilarName(name);
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  const nearestGroup = [
    named.filter(({ files }) => files.has(file)),
    named.filter(({ contract: { artifact } }) => folder !== '' && artifact?.startsWith(folder)),
    named.filter(({ contract: { project, isOwn } }) => isOwn && isPathWithin(file, project)),
    named.filter(({ contract: { project } }) => isPathWithin(file, project)),
    named,
  ].find((group) => group.length > 0);
  return getOnly((nearestGroup ?? []).map(({ contract }) => contract));
}

/** Undefined if the ABIs differ. */
function getOnly([first, ...others]: readonly IndexedContract[]): IndexedContract | undefined {
  return first && others.every((other) => hasSameAbi(first, other)) ? first : undefined;
}

function findByKey({ name, path }: ContractKey, contracts: ContractTable): IndexedContract | undefined {
  return contracts.findByName(name).find(({ contract }) => getContractPath(contract) === path)?.contract;
}

function hasSameAbi({ abi }: IndexedContract, other: IndexedContract): boolean {
  const texts = new Set(abi);
  return texts.size === new Set(other.abi).size && other.abi.every((text) => texts.has(text));
}

/** The current ABI of a deployment's contract; `items` is undefined if only the name is known. */
function getDeploymentAbi(
  { contract: name, file }: IndexedDeployment,
  contract: IndexedContract | undefined,
  findEnum: FindEnum,
): ContractAbi | undefined {
  if (contract) return getContractAbi(contract, findEnum);
  return name === undefined ? undefined : { id: `${file} ${name}`, items: undefined };
}

function getContractAbi(contract: IndexedContract, findEnum: FindEnum): ContractAbi {
  const from = getContractPath(contract);
  const { abi, itemLines, enums } = contract;
  return {
    id: contractAbiId({ from, contract: contract.name }),
    items: abi.map((text, index) => ({
      text,
      origin: { trust: 'deployment', from, contract: contract.name, line: itemLines[index] },
      ...(enums?.[text] && { enums: { places: [enums[text]], find: findEnum } }),
    })),
  };
}

/**
 * Finds items of the workspace by their hashes. The origin of an item is the best contract that has it: the one deployed
 * at the address, else one that the address runs as a proxy, else one of the project's own, else one whose declaration was
 * read. What a proxy runs now does not prove what it ran earlier, so it only comes first.
 */
function createIndexLookup(
  items: ItemTable<ContractEntry>,
  { getDeployed, listContractsAt, findEnum }: LookupInputs,
): AbiLookup {
  function find<Item extends AbiItem>(
    kind: Item['kind'],
    hash: Hex | undefined,
    at: ChainAddress | undefined,
  ) {
    const found = items.find(kind, hash) as readonly (OwnedItem<ContractEntry> & { readonly item: Item })[];
    if (found.length === 0) return [];
    const deployed = at && getDeployed(at);
    const here = at ? listContractsAt(at) : [];
    const ranked = found.map((entry) => rank(entry, { deployed, here }, findEnum));
    ranked.sort(compareRanked);
    return sortByTrust(ranked.map(({ item, origin }) => ({ item, origin })));
  }
  return {
    events: (topic0, at) => find('event', topic0, at),
    errors: (selector, at) => find('error', selector, at),
    functions: (selector, at) => find('function', selector, at),
  };
}

interface LookupInputs {
  /** The contract at an address of a chain. */
  readonly getDeployed: (at: ChainAddress) => IndexedContract | undefined;
  readonly listContractsAt: (at: ChainAddress) => readonly IndexedContract[];
  readonly findEnum: FindEnum;
}

interface Ranked<Item extends AbiItem> extends Candidate<Item> {
  readonly isHere: boolean;
  readonly isOwn: boolean;
}

function rank<Item extends AbiItem>(
  { item, text, owners }: OwnedItem<ContractEntry> & { readonly item: Item },
  at: { readonly deployed: IndexedContract | undefined; readonly here: readonly IndexedContract[] },
  findEnum: FindEnum,
): Ranked<Item> {
  const hasItem = (contract: IndexedContract | undefined) => contract?.abi.includes(text) ?? false;
  const isDeployed = hasItem(at.deployed);
  const known = isDeployed ? at.deployed : at.here.find(hasItem);
  const owner = known ?? findBestOwner(owners, text);
  const declaring = known ? [known] : owners.map(({ merged }) => merged);
  const places = declaring.map((contract) => contract?.enums?.[text] ?? []);
  return {
    item: places.every((list) => list.length === 0) ? item : attachEnums(item, { places, find: findEnum }),
    isHere: known !== undefined,
    isOwn: owner?.isOwn ?? false,
    origin: toOrigin(owner, text, isDeployed ? 'deployment' : 'workspace'),
  };
}

function toOrigin(owner: IndexedContract | undefined, text: string, trust: Trust): Origin {
  if (!owner) return { trust, from: '', contract: undefined, line: undefined };
  return { trust, from: getContractPath(owner), contract: owner.name, line: findLine(owner, text) };
}

function findLine({ abi, itemLines }: IndexedContract, text: string): number | undefined {
  return itemLines[abi.indexOf(text)];
}

/** The best contract: the project's own, then one with a line, then the first by name and path. */
function findBestOwner(owners: readonly ContractEntry[], text: string): IndexedContract | undefined {
  let bestOwner: IndexedContract | undefined;
  for (const { merged } of owners) {
    if (merged && (!bestOwner || compareOwners(merged, bestOwner, text) < 0)) bestOwner = merged;
  }
  return bestOwner;
}

function compareOwners(a: IndexedContract, b: IndexedContract, text: string): number {
  if (a.isOwn !== b.isOwn) return a.isOwn ? -1 : 1;
  const hasLine = findLine(a, text) !== undefined;
  if (hasLine !== (findLine(b, text) !== undefined)) return hasLine ? -1 : 1;
  return compareValues(a.name, b.name) || compareValues(getContractPath(a), getContractPath(b));
}

function compareRanked(a: Ranked<AbiItem>, b: Ranked<AbiItem>): number {
  if (a.isHere !== b.isHere) return a.isHere ? -1 : 1;
  if (a.isOwn !== b.isOwn) return a.isOwn ? -1 : 1;
  return (
    compareValues(a.origin.contract ?? '', b.origin.contract ?? '') ||
    compareValues(a.origin.from, b.origin.from)
  );
}
