import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cachedFolder } from '../../scripts/support/cachedFolder.ts';
import { npm } from '../../scripts/support/npm.ts';

export const versions = { viem: '2.57.0', ethers: '6.17.0', web3: '4.16.0', cast: '1.7.1' } as const;

export interface InstalledPeers {
  /** Loads one of the libraries. Nothing is known of its type here. */
  readonly load: (name: 'viem' | 'ethers' | 'web3') => unknown;
  /** Path of the program. */
  readonly cast: string;
}

/** Installs the peers from npm's registry into `.cache`, once. They are no dependency of the project. */
export async function installPeers(): Promise<InstalledPeers> {
  const { viem, ethers, web3, cast } = versions;
  const castPackage = `@foundry-rs/cast-${castPlatform()}`;
  const packages = [`viem@${viem}`, `ethers@${ethers}`, `web3@${web3}`, `${castPackage}@${cast}`];
  const name = packages.join('+').replaceAll(/[^\w.+@-]/g, '-');
  const folder = await cachedFolder(join('bench-peers', name), async (empty) => {
    console.log(`\nInstalling ${packages.join(', ')} from npm into .cache …`);
    await writeFile(join(empty, 'package.json'), '{"private":true}');
    await npm(['install', '--save-exact', ...packages], empty);
  });
  const program = process.platform === 'win32' ? 'cast.exe' : 'cast';
  return {
    load: createRequire(join(folder, 'package.json')),
    cast: join(folder, 'node_modules', castPackage, 'bin', program),
  };
}

/** As the packages that hold the program are named: one for each system. */
function castPlatform(): string {
  return `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
}
