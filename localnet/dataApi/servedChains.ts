/** A chain id that the local data API answers for. All of them stand for the one local chain. */
export type ServedChain = {
  readonly id: number;
  readonly name: string;
  readonly coin: { readonly name: string; readonly symbol: string };
};

const palm = { name: 'Palm', symbol: 'PALM' };

export const servedChains: readonly ServedChain[] = [
  { id: 11297108109, name: 'palm-mainnet', coin: palm },
  { id: 11297108099, name: 'palm-testnet', coin: palm },
  { id: 31337, name: 'localnet', coin: { name: 'Ether', symbol: 'ETH' } },
];

/** The chain of an id or a name, as the service takes both. */
export function findChain(idOrName: string): ServedChain | undefined {
  return servedChains.find(({ id, name }) => `${id}` === idOrName || name === idOrName);
}
