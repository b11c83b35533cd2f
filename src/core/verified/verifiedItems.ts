import type { Origin, Trust } from '../abi/candidates.ts';
import type { KnownItem } from '../abi/lookup/itemIndex.ts';
import { toChecksumAddress } from '../values/checksum.ts';
import type { VerifiedAt } from './readVerified.ts';
import type { VerifiedContract } from './verifiedContract.ts';

/** Items of one address with all that it leads to. */
const MOST_ITEMS = 10_000;

/**
 * The items of verified contracts with where each is from. What one contract has is told once, by the first that has
 * it.
 *
 * @example
 * createAbiLookup(verifiedItems(await readVerified(source, address), 1));
 */
export function verifiedItems(
  { contracts }: Pick<VerifiedAt, 'contracts'>,
  chainId: number,
): readonly KnownItem[] {
  const items = new Map<string, KnownItem>();
  for (const contract of contracts) {
    const origin = verifiedOrigin(contract, chainId);
    for (const text of contract.abi) {
      const known = items.get(text);
      if (items.size < MOST_ITEMS && !known) items.set(text, { text, origin });
    }
  }
  return [...items.values()];
}

/**
 * What is said of the items of a verified contract.
 *
 * @example
 * verifiedOrigin(contract, 1).trust; // 'verified'
 */
export function verifiedOrigin(
  { address, name, source, twin, changedBytecode, ...rest }: VerifiedContract,
  chainId: number,
): Origin {
  return {
    trust: trustOf(rest.match, changedBytecode),
    from: `${hostOf(source.origin)} ${toChecksumAddress(address)}`,
    contract: name,
    line: undefined,
    verified: {
      ...{ chainId, address, source },
      ...(twin !== undefined && { twin }),
      ...(changedBytecode && { changedBytecode }),
    },
  };
}

/** What was verified of other code than is there now is not exactly what is there. */
function trustOf(match: VerifiedContract['match'], changed: boolean | undefined): Trust {
  if (match === 'twin') return 'twin';
  return match === 'exact' && !changed ? 'verified' : 'partlyVerified';
}

/** `sourcify.dev`, `127.0.0.1:8545`. */
export function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : origin;
}
