import {
  type AbiItemText,
  type IndexedContract,
  type IndexedDeployment,
  linkWithLoading,
  type SourceContract,
} from '../../../core/index.ts';
import type { SourceReader } from '../../../host/sources/declarations.ts';
import type { DeployedContract, DeployedContracts } from './deployedContracts.ts';

/** A source whose declarations may be deployed. */
interface DeployableSource extends Pick<SourceReader, 'read' | 'resolve' | 'signal'> {
  readonly path: string;
  /** A path in the index, and the other way; undefined for what lies elsewhere. */
  readonly indexPath: (path: string) => string;
  readonly pathOf: (indexPath: string) => string | undefined;
}

/** Finds where what a source declares is deployed. */
export interface WhereDeployed {
  /** Deployments of the very contract. */
  contract(contract: SourceContract): readonly IndexedDeployment[];
  /**
   * Deployments of the contract that an event or error is declared or used in; where there are none, of those that
   * inherit it. What an interface, a library or a file declares is deployed with each contract that has it in its ABI.
   */
  item(text: AbiItemText, contract: SourceContract | undefined): Promise<readonly IndexedDeployment[]>;
}

/** Contracts that are looked at for one item: each may be a source to be read. */
const MOST_HEIRS = 64;

export function whereDeployed(deployed: DeployedContracts, source: DeployableSource): WhereDeployed {
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
      const having = deployed.having(text).slice(0, MOST_HEIRS);
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
