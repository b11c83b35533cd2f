import type { OnChain, Origin } from '../candidates.ts';
import type { KnownItem } from './itemIndex.ts';

/** The ABI of the code at an address, and who knows it. */
export interface KnownAbi {
  /**
   * What it was read from: the same for two addresses whose ABI is one and the same record, as of a contract of the
   * workspace that was deployed again. What was read of one of them may not hold for the other. As `knownAbiId` makes
   * it.
   */
  readonly id: string;
  /** Undefined where it is known which contract it is, and not its ABI: then it is no other that is known. */
  readonly items: readonly KnownItem[] | undefined;
}

/** Tells the ABI of code. Never asks a server: what is not known by now is not known. */
export interface KnownCode {
  /** Of the very code at the address, not of what it delegates to; undefined where it is not known. */
  abiAt(at: OnChain): KnownAbi | undefined;
}

/**
 * What several know of code: the first that knows its ABI.
 *
 * @example
 * joinKnownCode(index, verified).abiAt({ address, chainId: 1 })?.items;
 */
export function joinKnownCode(...known: readonly KnownCode[]): KnownCode {
  return {
    abiAt(at) {
      const found = known.flatMap((one) => one.abiAt(at) ?? []);
      return found.find(({ items }) => items) ?? found[0];
    },
  };
}

/**
 * What names the record that items come from.
 *
 * @example knownAbiId({ from: 'src/Vault.sol', contract: 'Vault' }) // 'src/Vault.sol Vault'
 */
export function knownAbiId({ from, contract }: Pick<Origin, 'from' | 'contract'>): string {
  return `${from} ${contract ?? ''}`;
}
