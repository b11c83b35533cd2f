import type { Address, Identity, IdentityProvider, Network, VerifiedContract } from '../../core/index.ts';

/** Addresses about which something is kept; the oldest go first. */
const MOST_KEPT = 500;

type Asked = Pick<Network, 'chainId' | 'rpcUrl'>;

interface CreationsDeps {
  /** What is verified at an address, as far as it is known. */
  contractAt(address: Address, chainId: number): VerifiedContract | undefined;
  /** Who of a network itself tells what is at addresses; undefined where nobody can be asked. */
  identityOf(network: Network): Promise<Pick<IdentityProvider, 'identity'> | undefined>;
}

/** What was created, and in which block. */
export interface Created {
  readonly block: bigint;
  readonly contract: string | undefined;
}

/** What is at addresses that logs are asked of, and since when: as the network itself or who verified it has told. */
export interface Creations {
  at(address: Address, network: Asked): Created | undefined;
  /** What the network has told of an address. */
  identityAt(address: Address, network: Asked): Identity | undefined;
  /**
   * Asks the network of addresses whose creation it has not told. What is only not known yet is asked for with each
   * look: who is asked keeps it for a while. Resolves to whether more is known then. Never rejects.
   */
  want(addresses: readonly Address[], network: Network): Promise<boolean>;
}

export function createCreations({ contractAt, identityOf }: CreationsDeps): Creations {
  const told = new Map<string, Identity>();
  const asking = new Map<string, Promise<boolean>>();
  // A fork on this machine has the chain id of its original, and contracts of its own.
  const keyOf = (address: Address, { chainId, rpcUrl }: Asked) => `${chainId} ${address} ${rpcUrl}`;

  function at(address: Address, network: Asked): Created | undefined {
    const { created, name } = contractAt(address, network.chainId) ?? {};
    const block = created?.block ?? told.get(keyOf(address, network))?.created?.block;
    return block === undefined ? undefined : { block, contract: name };
  }

  /** Whether what was told is more than before. */
  function keep(key: string, identity: Identity): boolean {
    const before = told.get(key);
    told.delete(key);
    told.set(key, identity);
    const [oldest] = told.keys();
    if (told.size > MOST_KEPT && oldest !== undefined) told.delete(oldest);
    return !before || before.kind !== identity.kind || before.created?.block !== identity.created?.block;
  }

  async function ask(key: string, address: Address, network: Network): Promise<boolean> {
    try {
      const source = await identityOf(network);
      const identity = await source?.identity(address);
      return identity !== undefined && keep(key, identity);
    } catch {
      // What the network does not tell now is asked for again with the next look.
      return false;
    } finally {
      asking.delete(key);
    }
  }

  return {
    at,
    identityAt: (address, network) => told.get(keyOf(address, network)),
    async want(addresses, network) {
      let isMore = false;
      for (const address of addresses) {
        if (at(address, network)) continue;
        const key = keyOf(address, network);
        const answer = asking.get(key) ?? ask(key, address, network);
        asking.set(key, answer);
        if (await answer) isMore = true;
      }
      return isMore;
    },
  };
}
