import {
  type Address,
  compareValues,
  type IndexedDeployment,
  sanitizeText,
  toChecksumAddress,
} from '../../core/index.ts';
import { createDeploymentComparator } from '../../host/contracts/knownEvents.ts';
import { formatShortCommit } from '../../host/formatting.ts';
import { parseChainId } from '../../host/names/addressName.ts';
import { formatMarkdownHead, formatMarkdownRow, joinMarkdown } from '../../host/ui/markdownBlocks.ts';

interface ChainDeployments {
  readonly chainId: number;
  readonly chain: string;
  readonly deployments: readonly NamedDeployment[];
}

interface NamedDeployment {
  readonly name: string;
  readonly address: string;
  readonly block: bigint | undefined;
  readonly commit: string | undefined;
}

type Write = (chains: readonly ChainDeployments[]) => string;

/** `{ "1": { "Vault": "0x…" } }` */
export const formatAddressesJson: Write = (chains) => {
  const byChain = chains.map(({ chainId, deployments }) => {
    const byName = deployments.map(({ name, address }) => `    ${JSON.stringify(name)}: "${address}"`);
    return `  "${chainId}": {\n${byName.join(',\n')}\n  }`;
  });
  return byChain.length === 0 ? '{}\n' : `{\n${byChain.join(',\n')}\n}\n`;
};

export const formatAddressesSolidity: Write = (chains) => {
  const libraries = createUniqueNames();
  const written = chains.map(({ chainId, chain, deployments }) => {
    const constants = createUniqueNames();
    const lines = deployments.map(
      ({ name, address }) => `    address internal constant ${constants(toConstantName(name))} = ${address};`,
    );
    const library = libraries(`${toLibraryName(chain) || `Chain${chainId}`}Addresses`);
    return `// Chain ID ${chainId}\nlibrary ${library} {\n${lines.join('\n')}\n}\n`;
  });
  return ['// SPDX-License-Identifier: UNLICENSED\npragma solidity ^0.8.0;\n', ...written].join('\n');
};

export const formatAddressesMarkdown: Write = (chains) => {
  const columns = ['Network', 'Chain ID', 'Contract', 'Address', 'Block', 'Commit'];
  const rows = chains.flatMap(({ chainId, chain, deployments }) =>
    deployments.map(({ name, address, block, commit }) =>
      formatMarkdownRow([
        chain,
        String(chainId),
        name,
        { code: address },
        block === undefined ? '' : String(block),
        commit === undefined ? '' : formatShortCommit(commit),
      ]),
    ),
  );
  const head = formatMarkdownHead(columns.map((name, at) => ({ name, alignEnd: at === 1 || at === 4 })));
  return joinMarkdown(head, ...rows);
};

/** `MyToken_2` as `MY_TOKEN_2`: other characters become an underscore. */
function toConstantName(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();
  const trimmed = words.replace(/^_|_$/g, '');
  if (trimmed === '') return 'UNNAMED';
  return /^[A-Z]/.test(trimmed) ? trimmed : `_${trimmed}`;
}

/** `Ethereum Sepolia` as `EthereumSepolia`, `local` as `Local`; empty if that is no identifier. */
function toLibraryName(chain: string): string {
  const parts = chain.match(/[A-Za-z0-9]+/g) ?? [];
  const name = parts.map((part) => part.slice(0, 1).toUpperCase() + part.slice(1)).join('');
  return /^[A-Z]/.test(name) ? name : '';
}

/**
 * Deployments by chain; each name is unique on its chain: the newest of several has it unchanged, the others get a
 * number: `Vault`, `Vault_2`.
 */
export function nameDeployments(
  deployments: readonly IndexedDeployment[],
  chainName: (chainId: number) => string,
): readonly ChainDeployments[] {
  const chains = new Map<number, IndexedDeployment[]>();
  for (const deployment of deployments) {
    const chainId = parseChainId(deployment.chainId);
    if (chainId === undefined) continue;
    const others = chains.get(chainId);
    if (others) others.push(deployment);
    else chains.set(chainId, [deployment]);
  }
  return [...chains]
    .sort(([a], [b]) => a - b)
    .map(([chainId, ofChain]) => ({
      chainId,
      chain: chainName(chainId),
      deployments: nameUniquely(ofChain),
    }));
}

function nameUniquely(deployments: readonly IndexedDeployment[]): readonly NamedDeployment[] {
  const unique = createUniqueNames();
  return [...deployments]
    .sort(createDeploymentComparator(0))
    .map(({ contract, address, block, commit }) => ({
      name: unique(sanitizeText(contract ?? '') || getPlaceholderName(address)),
      address: toChecksumAddress(address),
      block,
      commit,
    }))
    .sort((a, b) => compareValues(a.name, b.name));
}

function getPlaceholderName(address: Address): string {
  return `Unnamed_${address.slice(2, 10)}`;
}

/** Returns a function that makes each text unique, ignoring case. */
function createUniqueNames(): (text: string) => string {
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return (text) => {
    const key = text.toLowerCase();
    let count = counts.get(key) ?? 0;
    let unique: string;
    do {
      count++;
      unique = count === 1 ? text : `${text}_${count}`;
    } while (used.has(unique.toLowerCase()));
    counts.set(key, count);
    used.add(unique.toLowerCase());
    return unique;
  };
}
