import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DemoChain } from '../../../localnet/chain/demoChain.ts';

/** Writes a small smart-contract project whose addresses are those of the local chain. */
export async function writeSampleWorkspace(folder: string, chain: DemoChain): Promise<void> {
  const files = {
    'README.md': readme(),
    'contracts/Rewards.sol': contract(chain),
    'deployments/localnet.json': deployments(chain),
    'scripts/payout.ts': script(chain),
  };
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

function readme(): string {
  return `# Rewards

A sample project on the local network. Hover an address in \`contracts/Rewards.sol\`, look at the Chainside view,
or run *Chainside: Query Logs…* on one of the contracts in \`deployments/localnet.json\`.
`;
}

function contract({ contracts, accounts }: DemoChain): string {
  return `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

interface IERC20 {
    event Transfer(address indexed from, address indexed to, uint256 value);

    function transfer(address to, uint256 value) external returns (bool);
}

/// Pays members of the harbor in ${contracts.usd.name} (${contracts.usd.symbol}).
contract Rewards {
    IERC20 public constant DOLLAR = IERC20(${contracts.usd.address});
    address public constant TREASURY = ${accounts.alice};

    error OnlyTreasury();

    function pay(address member, uint256 cents) external {
        if (msg.sender != TREASURY) revert OnlyTreasury();
        DOLLAR.transfer(member, cents * 10_000);
    }
}
`;
}

function deployments({ chainId, contracts }: DemoChain): string {
  const entries = Object.entries(contracts).map(([name, { address, standard }]) => [
    name,
    { address, standard },
  ]);
  return `${JSON.stringify({ chainId, contracts: Object.fromEntries(entries) }, undefined, 2)}\n`;
}

function script({ accounts, holders }: DemoChain): string {
  return `import deployments from '../deployments/localnet.json' with { type: 'json' };

const dollar = deployments.contracts.usd.address;

/** Who is paid this month, and how much in cents. */
export const payout = [
  { member: '${accounts.bob}', cents: 120_00n },
  { member: '${accounts.carol}', cents: 80_50n },
  { member: '${holders[0]}', cents: 15_00n },
];

console.log(\`\${payout.length} transfers of \${dollar}\`);
`;
}
