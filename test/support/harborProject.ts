import type { Localnet } from '../../localnet/start.ts';
import { writeFiles } from './writeFiles.ts';

/** Where the project is deployed on the chain 31338. */
export const ELSEWHERE = `0x${'5e'.repeat(20)}`;
/** The event of the contract. */
export const HARBOR_TRANSFER = 'Transfer(address indexed from, address indexed to, uint256 value)';

/** Writes a project of Foundry with its deployments, of which one is the token of `chain`, and a label. */
export async function writeHarborProject(
  folder: string,
  { contracts, accounts }: Localnet['chain'],
): Promise<void> {
  const run = (address: string, chain: number, block: number) => {
    const sent = { transactionType: 'CREATE', contractName: 'Harbor', contractAddress: address };
    const receipt = { status: '0x1', contractAddress: address };
    const receipts = [{ ...receipt, blockNumber: `0x${block.toString(16)}` }];
    return { transactions: [sent], receipts, chain, timestamp: 1_750_000_000 };
  };
  await writeFiles(folder, {
    'foundry.toml': '[profile.default]\nsrc = "src"\nout = "out"\n',
    'src/Harbor.sol': `contract Harbor {\n  event ${HARBOR_TRANSFER};\n}\n`,
    'broadcast/Deploy.s.sol/31337/run-latest.json': run(contracts.tide.address, 31337, 1),
    'broadcast/Deploy.s.sol/31338/run-latest.json': run(ELSEWHERE, 31338, 1),
    '.chainside/labels.json': { labels: [{ address: accounts.alice, name: 'Treasury' }] },
  });
}
