import { createRequire } from 'node:module';
import { join } from 'node:path';
import { foundryPackage, installTools } from '../../scripts/support/npmTools.ts';

export const versions = { viem: '2.57.0', ethers: '6.17.0', web3: '4.16.0', cast: '1.7.1' } as const;

export interface InstalledPeers {
  /** Loads one of the libraries. Nothing is known of its type here. */
  readonly load: (name: 'viem' | 'ethers' | 'web3') => unknown;
  /** Path of the program. */
  readonly cast: string;
}

/** Installs the peers from npm's registry, once. */
export async function installPeers(): Promise<InstalledPeers> {
  const { viem, ethers, web3, cast } = versions;
  const program = foundryPackage('cast');
  const packages = [`viem@${viem}`, `ethers@${ethers}`, `web3@${web3}`, `${program.name}@${cast}`];
  const folder = await installTools('bench-peers', packages);
  return { load: createRequire(join(folder, 'package.json')), cast: join(folder, program.path) };
}
