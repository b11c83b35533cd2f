import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cachedFolder } from '../../../scripts/support/cachedFolder.ts';
import { run } from '../../../scripts/support/childProcess.ts';
import { ownEnvironment } from '../../../scripts/support/foundry/forge.ts';
import { npm } from '../../../scripts/support/npm.ts';
import { fromRoot } from '../../../scripts/support/paths.ts';
import { withAnvil } from './withAnvil.ts';

const nodeRequire = createRequire(import.meta.url);
const contracts = ['Orders.sol', 'Archive.sol'];

/**
 * A folder with a project as Hardhat 3 leaves it: built, and deployed to chain 31337 with Ignition. Made once for these
 * sources and versions; nothing may be written into it. The first time takes half a minute: Hardhat comes from npm.
 */
export async function hardhat3Project(): Promise<string> {
  return cachedFolder(join('real-projects', `hardhat3-${await projectHash()}`), async (empty) => {
    const installed = await installHardhat();
    await writeProject(empty);
    const modules = join(empty, 'node_modules');
    // A junction needs no right of its own on Windows.
    await symlink(join(installed, 'node_modules'), modules, 'junction');
    await withAnvil(async (url) => {
      const hardhat = (args: readonly string[], input?: string) =>
        run(process.execPath, [join(modules, 'hardhat', 'dist', 'src', 'cli.js'), ...args], {
          cwd: empty,
          env: { ...ownEnvironment(), HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true', RPC_URL: url },
          ...(input !== undefined && { input }),
        });
      await hardhat(['build']);
      // It asks whether to go on.
      await hardhat(['ignition', 'deploy', 'ignition/modules/Harbor.ts', '--network', 'local'], 'y\n');
    });
    await rm(modules);
    // It names the folder in which this has run.
    await rm(join(empty, 'cache'), { recursive: true });
  });
}

async function writeProject(folder: string): Promise<void> {
  await mkdir(join(folder, 'contracts'));
  await mkdir(join(folder, 'ignition', 'modules'), { recursive: true });
  for (const name of contracts) {
    await cp(fromRoot('localnet', 'project', 'src', name), join(folder, 'contracts', name));
  }
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  await writeFile(join(folder, 'hardhat.config.ts'), config());
  await writeFile(join(folder, 'ignition', 'modules', 'Harbor.ts'), module);
}

/** With the compiler's JavaScript as its path, Hardhat asks no server for one. */
function config(): string {
  const compiler = join(dirname(nodeRequire.resolve('solc/package.json')), 'soljson.js');
  return `import ignition from '@nomicfoundation/hardhat-ignition-ethers';

export default {
  plugins: [ignition],
  solidity: { version: '${solcVersion()}', path: ${JSON.stringify(compiler)} },
  networks: { local: { type: 'http', url: process.env.RPC_URL ?? 'http://127.0.0.1:8545' } },
};
`;
}

const module = `import { buildModule } from '@nomicfoundation/hardhat-ignition/modules';

export default buildModule('Harbor', (m) => {
  const orders = m.contract('Orders');
  const spare = m.contract('Orders', [], { id: 'SpareOrders' });
  const opened = m.call(orders, 'openArchive');
  const archive = m.contractAt('Archive', m.readEventArgument(opened, 'ArchiveOpened', 'archive', { emitter: orders }));
  return { orders, spare, archive };
});
`;

function solcVersion(): string {
  return nodeRequire('solc/package.json').version;
}

async function projectHash(): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([hardhatVersions, solcVersion()]));
  hash.update(await readFile(import.meta.filename));
  for (const name of contracts) hash.update(await readFile(fromRoot('localnet', 'project', 'src', name)));
  return hash.digest('hex').slice(0, 16);
}

/** Of Hardhat, its deployer, and the npm that installs them. */
const hardhatVersions = {
  npm: '11.19.1',
  hardhat: '3.18.0',
  '@nomicfoundation/hardhat-ignition': '3.1.8',
  '@nomicfoundation/hardhat-ignition-ethers': '3.1.6',
  '@nomicfoundation/hardhat-ethers': '4.2.0',
  ethers: '6.17.0',
} as const;

/** Installs Hardhat 3 from npm's registry into `.cache`, once; returns the folder that has its `node_modules`. */
async function installHardhat(): Promise<string> {
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
