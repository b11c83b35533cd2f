import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { environment } from './workbench.ts';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

contract HarborDollar {
    event Transfer(address indexed from, address indexed to, uint256 value);
}
`;

/** A project of Foundry as forge leaves it, with the addresses of the local network. */
export async function writeHarborDollarProject(folder: string): Promise<void> {
  const { contracts, accounts } = environment().localnet.chain;
  const abi = [
    {
      ...{ type: 'event', name: 'Transfer', anonymous: false },
      inputs: [
        { name: 'from', type: 'address', indexed: true },
        { name: 'to', type: 'address', indexed: true },
        { name: 'value', type: 'uint256', indexed: false },
      ],
    },
  ];
  const artifact = (name: string, path: string) => ({
    abi,
    bytecode: { object: '0x6001' },
    metadata: { settings: { compilationTarget: { [path]: name } } },
  });
  const run = (address: string, chain: number, block: number) => ({
    transactions: [
      {
        ...{ transactionType: 'CREATE', contractName: 'HarborDollar', contractAddress: address },
      },
    ],
    receipts: [
      {
        ...{
          status: '0x1',
          blockNumber: `0x${block.toString(16)}`,
        },
        contractAddress: address,
      },
    ],
    ...{ chain, commit: 'abcdef0', timestamp: 1_750_000_000 },
  });
  const files: Readonly<Record<string, string | object>> = {
    'foundry.toml': `[profile.default]\nsrc = "src"\nout = "out"\n\n[labels]\n${accounts.bob} = "Bob"\n`,
    'src/HarborDollar.sol': SOURCE,
    'src/Pay.sol': `address constant TOKEN = ${contracts.usd.address};\naddress constant TREASURY = ${accounts.alice};\n`,
    'out/HarborDollar.sol/HarborDollar.json': artifact('HarborDollar', 'src/HarborDollar.sol'),
    'out/IHarbor.sol/IHarbor.json': artifact('IHarbor', 'src/interfaces/IHarbor.sol'),
    'broadcast/Deploy.s.sol/31337/run-latest.json': run(contracts.usd.address, 31337, 1),
    'broadcast/Deploy.s.sol/11155111/run-latest.json': run(`0x${'5e'.repeat(20)}`, 11155111, 7654321),
    '.chainside/labels.json': { labels: [{ address: accounts.alice, name: 'Treasury' }] },
  };
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2));
  }
}
