import { sanitizeText } from '../../../core/index.ts';
import { shortCommit } from '../../../host/words/shortCommit.ts';
import { type ChainOfDeployments, createUnique } from './namedDeployments.ts';

type Write = (chains: readonly ChainOfDeployments[]) => string;

/** `{ "1": { "Vault": "0x…" } }`: addresses by chain id and name. */
export const addressesJson: Write = (chains) => {
  const byChain = chains.map(({ chainId, deployments }) => {
    const byName = deployments.map(({ name, address }) => `    ${JSON.stringify(name)}: "${address}"`);
    return `  "${chainId}": {\n${byName.join(',\n')}\n  }`;
  });
  return byChain.length === 0 ? '{}\n' : `{\n${byChain.join(',\n')}\n}\n`;
};

/** A library of constants for each chain. */
export const addressesSolidity: Write = (chains) => {
  const libraries = createUnique();
  const written = chains.map(({ chainId, chain, deployments }) => {
    const constants = createUnique();
    const lines = deployments.map(
      ({ name, address }) => `    address internal constant ${constants(constantName(name))} = ${address};`,
    );
    const library = libraries(`${libraryName(chain) || `Chain${chainId}`}Addresses`);
    return `// Chain id ${chainId}\nlibrary ${library} {\n${lines.join('\n')}\n}\n`;
  });
  return ['// SPDX-License-Identifier: UNLICENSED\npragma solidity ^0.8.0;\n', ...written].join('\n');
};

/** One table of all chains. */
export const addressesMarkdown: Write = (chains) => {
  const rows = chains.flatMap(({ chainId, chain, deployments }) =>
    deployments.map(({ name, address, block, commit }) => [
      ...[cell(chain), String(chainId), cell(name), `\`${address}\``],
      ...[block === undefined ? '' : String(block), commit === undefined ? '' : cell(shortCommit(commit))],
    ]),
  );
  const head = ['Network', 'Chain id', 'Contract', 'Address', 'Block', 'Commit'];
  const lines = [head, head.map((_, at) => (at === 1 || at === 4 ? '---:' : '---')), ...rows];
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
};

/** `MyToken_2` as `MY_TOKEN_2`: what no identifier may hold becomes an underscore. */
function constantName(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();
  const trimmed = words.replace(/^_|_$/g, '');
  if (trimmed === '') return 'UNNAMED';
  return /^[A-Z]/.test(trimmed) ? trimmed : `_${trimmed}`;
}

/** `Ethereum Sepolia` as `EthereumSepolia`; empty where nothing is left, or what is left begins with a digit. */
function libraryName(chain: string): string {
  const words = chain.match(/[A-Za-z0-9]+/g) ?? [];
  const name = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
  return /^[A-Z]/.test(name) ? name : '';
}

/** Text in a table, to be read as it stands. */
function cell(text: string): string {
  return sanitizeText(text, 100).replace(/[\\`*_{}[\]()#+!|<>~&]/g, '\\$&');
}
