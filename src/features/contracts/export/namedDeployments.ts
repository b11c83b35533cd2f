import {
  type Address,
  compareValues,
  type IndexedDeployment,
  sanitizeText,
  toChecksumAddress,
} from '../../../core/index.ts';
import { byPlace } from '../../../host/contracts/deploymentOrder.ts';
import { readChainId } from '../../../host/names/addressName.ts';

/** A deployment as an export has it. */
interface NamedDeployment {
  readonly name: string;
  readonly address: string;
  readonly block: bigint | undefined;
  readonly commit: string | undefined;
}

/** The deployments of a chain, by name. */
export interface ChainOfDeployments {
  readonly chainId: number;
  readonly chain: string;
  readonly deployments: readonly NamedDeployment[];
}

/**
 * Deployments by chain, each name once on its chain: the newest of several has it as it is, the others with a number:
 * `Vault`, `Vault_2`.
 */
export function namedDeployments(
  deployments: readonly IndexedDeployment[],
  chainName: (chainId: number) => string,
): readonly ChainOfDeployments[] {
  const chains = new Map<number, IndexedDeployment[]>();
  for (const deployment of deployments) {
    const chainId = readChainId(deployment.chainId);
    if (chainId === undefined) continue;
    const others = chains.get(chainId);
    if (others) others.push(deployment);
    else chains.set(chainId, [deployment]);
  }
  return [...chains]
    .sort(([a], [b]) => a - b)
    .map(([chainId, ofChain]) => ({ chainId, chain: chainName(chainId), deployments: withNames(ofChain) }));
}

function withNames(deployments: readonly IndexedDeployment[]): readonly NamedDeployment[] {
  const unique = createUnique();
  return [...deployments]
    .sort(byPlace(0))
    .map(({ contract, address, block, commit }) => ({
      ...{
        name: unique(sanitizeText(contract ?? '') || unnamed(address)),
        address: toChecksumAddress(address),
      },
      ...{ block, commit },
    }))
    .sort((a, b) => compareValues(a.name, b.name));
}

function unnamed(address: Address): string {
  return `Unnamed_${address.slice(2, 10)}`;
}

/** Makes each text that it is given one that it has not given before, in whatever letter case. */
export function createUnique(): (text: string) => string {
  const given = new Set<string>();
  const counts = new Map<string, number>();
  return (text) => {
    const key = text.toLowerCase();
    let count = counts.get(key) ?? 0;
    let unique: string;
    do {
      count++;
      unique = count === 1 ? text : `${text}_${count}`;
    } while (given.has(unique.toLowerCase()));
    counts.set(key, count);
    given.add(unique.toLowerCase());
    return unique;
  };
}
