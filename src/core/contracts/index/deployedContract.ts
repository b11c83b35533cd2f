import type { ContractTable } from './contractTable.ts';
import type { IndexedContract, IndexedDeployment } from './indexed.ts';

/**
 * The contract that a deployment is of: one whose ABI is in the very file, else in files beside it, else the project's
 * own of that name, else one of its libraries, else of another project; where none has the name, one that an address
 * book writes so. Undefined where several are left whose ABIs differ: what is deployed must not be guessed.
 */
export function deployedContract(
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
