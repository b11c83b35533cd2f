import { type KnownAbi, knownAbiId } from '../../abi/lookup/knownCode.ts';
import type { IndexedContract, IndexedDeployment } from './indexed.ts';
import { pathOf } from './joinContracts.ts';

/** The ABI of what is deployed somewhere, as the workspace has it by now; undefined where only the address is told. */
export function abiOfDeployment(
  { contract: name, file }: IndexedDeployment,
  contract: IndexedContract | undefined,
): KnownAbi | undefined {
  if (!contract) return name === undefined ? undefined : { id: `${file} ${name}`, items: undefined };
  const from = pathOf(contract);
  const { abi, itemLines } = contract;
  return {
    id: knownAbiId({ from, contract: contract.name }),
    items: abi.map((text, index) => ({
      text,
      origin: { trust: 'deployment', from, contract: contract.name, line: itemLines[index] },
    })),
  };
}
