import type { AbiLookup, OnChain } from '../../abi/candidates.ts';
import type { KnownCode } from '../../abi/lookup/knownCode.ts';
import type { Address } from '../../values/address.ts';
import type { FileFacts } from '../facts.ts';
import { type ContractEntry, createContractTable } from './contractTable.ts';
import { deployedContract } from './deployedContract.ts';
import { createDeploymentTable } from './deploymentTable.ts';
import { abiOfDeployment } from './indexAbi.ts';
import type { FilePlace, IndexedContract, IndexedDeployment, IndexedLabel } from './indexed.ts';
import { createIndexLookup } from './indexLookup.ts';
import { createItemTable } from './itemTable.ts';

/** What the files of a workspace tell of contracts, deployments and names. Paths are from its root on. */
export interface ContractIndex extends KnownCode {
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
  const deployedAt = (at: OnChain) => {
    const [deployment] = deployments.at(at.address, at.chainId);
    return deployment && deployedContract(deployment, contracts);
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
      return deployment && abiOfDeployment(deployment, deployedContract(deployment, contracts));
    },
    prepare: items.prepare,
    deploymentsAt: deployments.at,
    contractNamed: (name) => contracts.named(name).map(({ contract }) => contract),
    contractOf: (deployment) => deployedContract(deployment, contracts),
  };
  return index;
}
