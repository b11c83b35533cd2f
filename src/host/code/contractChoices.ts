import {
  type Address,
  createTimeSlices,
  type IndexedContract,
  isAppError,
  parseAbiItem,
  systemClock,
  type TimeSlices,
} from '../../core/index.ts';
import type { Connection } from '../session/session.ts';

export interface ContractChoice {
  readonly label: string;
  readonly description: string;
  readonly contract: IndexedContract;
}

/** Contracts to choose from: `first`, then those with the most selectors of `code`, then the project's own. */
export async function listContractChoices(
  contracts: readonly IndexedContract[],
  { first = [], code }: { readonly first?: readonly IndexedContract[]; readonly code: string | undefined },
): Promise<readonly ContractChoice[]> {
  const scored = code ? await scoreContracts(contracts, code) : new Map<IndexedContract, number>();
  const scoreOf = (contract: IndexedContract) => (first.includes(contract) ? 1 : (scored.get(contract) ?? 0));
  return contracts
    .toSorted((a, b) => scoreOf(b) - scoreOf(a) || Number(b.isOwn) - Number(a.isOwn))
    .map((contract) => ({
      label: contract.name,
      description: contract.source ?? contract.artifact ?? '',
      contract,
    }));
}

/** The code that runs at an address, of all its implementations; `0x` if there is none, undefined if it cannot be read. */
export async function readRunCode(
  address: Address,
  { client, signal }: Pick<Connection, 'client' | 'signal'>,
): Promise<string | undefined> {
  try {
    const block = await client.getBlockNumber({ signal });
    const implementations = await client.fetchImplementations(address, block, { signal });
    const places = [address, ...implementations.slice(0, MAX_IMPLEMENTATIONS)];
    const codes = await Promise.all(places.map((to) => client.getCode({ to, block }, { signal })));
    return codes.join('');
  } catch (error) {
    // Without it, the choices are only in another order.
    if (!isAppError(error)) throw error;
    return undefined;
  }
}

const MAX_IMPLEMENTATIONS = 10;

/** The share of a contract's functions whose selectors the code pushes, from 0 to 1. */
async function scoreContracts(
  contracts: readonly IndexedContract[],
  code: string,
): Promise<ReadonlyMap<IndexedContract, number>> {
  const slices: TimeSlices = createTimeSlices(systemClock);
  const scores = new Map<IndexedContract, number>();
  const isPushed = new Map<string, boolean>();
  for (const contract of contracts) {
    const functions = contract.abi.filter((each) => each.startsWith('function '));
    let found = 0;
    for (const declaration of functions) {
      const has = isPushed.get(declaration) ?? hasSelector(declaration, code);
      isPushed.set(declaration, has);
      if (has) found++;
      if (slices.isOver()) await slices.rest();
    }
    // Of two contracts with all their functions there, the one with more fits better.
    if (found > 0) scores.set(contract, found / functions.length - 1 / (1 + found) / 10);
  }
  return scores;
}

/** `PUSH4` and the selector; leading zeros are not pushed. */
function hasSelector(declaration: string, code: string): boolean {
  const item = parseAbiItem(declaration);
  return item?.kind === 'function' && code.includes(`63${item.selector.slice(2)}`);
}
