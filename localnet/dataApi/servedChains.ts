/** A chain id that the local data API answers for. All of them stand for the one local chain. */
export type ServedChain = {
  readonly id: number;
  readonly name: string;
  readonly label: string;
  readonly testnet: boolean;
  readonly coin: { readonly name: string; readonly symbol: string };
};

const palm = { name: 'Palm', symbol: 'PALM' };

export const servedChains: readonly ServedChain[] = [
  { id: 11297108109, name: 'palm-mainnet', label: 'Palm Mainnet', testnet: false, coin: palm },
  { id: 11297108099, name: 'palm-testnet', label: 'Palm Testnet', testnet: true, coin: palm },
  { id: 31337, name: 'localnet', label: 'Localnet', testnet: true, coin: { name: 'Ether', symbol: 'ETH' } },
];

/** The chain of an id or a name, as the service takes both. */
export function findChain(idOrName: string): ServedChain | undefined {
  return servedChains.find(({ id, name }) => `${id}` === idOrName || name === idOrName);
}

/** `data` of the list of chains, where the service writes ids as strings. */
export function servedChainsData(now: Date) {
  return {
    updated_at: now.toISOString(),
    items: servedChains.map(({ id, name, label, testnet }) => ({
      ...{ name, chain_id: `${id}`, is_testnet: testnet },
      ...{ db_schema_name: `chain_${name.replaceAll('-', '_')}`, label, logo_url: null },
    })),
    pagination: null,
  };
}
