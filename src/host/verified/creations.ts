import type { Address, Identity, IdentitySource, Network, VerifiedContract } from '../../core/index.ts';

/** Addresses whose creation is kept, or that nothing is known of. */
const MOST_KEPT = 500;

interface CreationsDeps {
  /** What is verified at an address, as far as it is known. */
  contractAt(address: Address, chainId: number): VerifiedContract | undefined;
  /** Who of a network itself tells what is at addresses; undefined where nobody can be asked. */
  identityOf(network: Network): Promise<Pick<IdentitySource, 'identity'> | undefined>;
}

/** What was created, and in which block. */
export interface Created {
  readonly block: bigint;
  readonly contract: string | undefined;
}

/** What is at addresses that logs are asked of, and since when: as the network itself or who verified it has told. */
export interface Creations {
  at(address: Address, chainId: number): Created | undefined;
  /** What the network has told of an address. */
  identityAt(address: Address, chainId: number): Identity | undefined;
  /** Asks the network of addresses that nothing is known of; resolves to whether more is known then. Never rejects. */
  want(addresses: readonly Address[], network: Network): Promise<boolean>;
}

export function createCreations({ contractAt, identityOf }: CreationsDeps): Creations {
  const told = new Map<string, Identity | undefined>();
  const keyOf = (address: Address, chainId: number) => `${chainId} ${address}`;

  function at(address: Address, chainId: number): Created | undefined {
    const { created, name } = contractAt(address, chainId) ?? {};
    const block = created?.block ?? told.get(keyOf(address, chainId))?.created?.block;
    return block === undefined ? undefined : { block, contract: name };
  }

  return {
    at,
    identityAt: (address, chainId) => told.get(keyOf(address, chainId)),
    async want(addresses, network) {
      const { chainId } = network;
      const unknown = addresses.filter(
        (address) => !at(address, chainId) && !told.has(keyOf(address, chainId)),
      );
      let isMore = false;
      for (const address of unknown) {
        const key = keyOf(address, chainId);
        if (told.size >= MOST_KEPT) break;
        told.set(key, undefined);
        try {
          const source = await identityOf(network);
          const identity = await source?.identity(address);
          if (!identity) continue;
          told.set(key, identity);
          isMore = true;
        } catch {
          // What the network does not tell now is asked for again with the next look.
          told.delete(key);
        }
      }
      return isMore;
    },
  };
}
