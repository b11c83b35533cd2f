import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedFolder } from '../../../scripts/support/cachedFolder.ts';
import { run } from '../../../scripts/support/childProcess.ts';
import { npm } from '../../../scripts/support/npm.ts';

/** Of Hardhat, its deployer, and the npm that installs them. */
export const hardhatVersions = {
  npm: '11.19.1',
  hardhat: '3.18.0',
  '@nomicfoundation/hardhat-ignition': '3.1.8',
  '@nomicfoundation/hardhat-ignition-ethers': '3.1.6',
  '@nomicfoundation/hardhat-ethers': '4.2.0',
  ethers: '6.17.0',
} as const;

/** Installs Hardhat 3 from npm's registry into `.cache`, once; returns the folder that has its `node_modules`. */
export async function installHardhat(): Promise<string> {
  const { npm: npmVersion, ...packages } = hardhatVersions;
  const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  return cachedFolder(join('real-tools', `hardhat-${packages.hardhat}`), async (empty) => {
    await writeFile(join(empty, 'package.json'), '{"private":true,"type":"module"}');
    const cli = join(await installNpm(npmVersion), 'node_modules', 'npm', 'bin', 'npm-cli.js');
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await run(process.execPath, [cli, 'install', '--save-exact', ...quiet, ...wanted], { cwd: empty });
  });
}

/**
 * An npm of our own, run by this Node: others leave out the native part of Hardhat, npm 10 by an error of its own
 * and any npm on Node 20 since that part wants Node 22.
 */
function installNpm(version: string): Promise<string> {
  return cachedFolder(join('real-tools', `npm-${version}`), async (empty) => {
    await writeFile(join(empty, 'package.json'), '{"private":true}');
    await npm(['install', '--save-exact', `npm@${version}`], empty);
  });
}
