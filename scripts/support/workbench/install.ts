import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedFolder } from '../cachedFolder.ts';
import { run } from '../childProcess.ts';
import { npm } from '../npm.ts';
import { fromRoot } from '../paths.ts';
import { doing } from '../progress.ts';
import type { WorkbenchVersion } from './versions.ts';

export interface InstalledWorkbench {
  readonly version: WorkbenchVersion;
  readonly node: string;
  readonly serverMain: string;
}

/** Chat would be two fifths of what is installed, and would start in every window. */
const copilot = {
  extension: '*/extensions/copilot',
  packages: ['@github/copilot-sdk', '@microsoft/mxc-sdk'],
};

/** Installs a workbench without chat into `.cache`, once. Needs `tar`, and npm's registry the first time. */
export async function installWorkbench(version: WorkbenchVersion): Promise<InstalledWorkbench> {
  if (process.platform !== 'linux') {
    throw new Error('The workbench from npm runs on Linux. Elsewhere use npm run test:electron.');
  }
  const folder = await cachedFolder(join('vscode', version.codeServer), (empty) => fill(empty, version));
  return {
    version,
    node: nodeBinary(version.nodeMajor),
    serverMain: join(folder, 'package', 'lib', 'vscode', 'out', 'server-main.js'),
  };
}

async function fill(folder: string, version: WorkbenchVersion): Promise<void> {
  console.log(`Installing VS Code ${version.vscode} (code-server ${version.codeServer} from npm) …`);
  await doing('Downloading VS Code from npm', () =>
    npm(['pack', `code-server@${version.codeServer}`], folder),
  );
  const tarball = join(folder, `code-server-${version.codeServer}.tgz`);
  const digest = createHash('sha512')
    .update(await readFile(tarball))
    .digest('base64');
  if (`sha512-${digest}` !== version.integrity) {
    throw new Error(`code-server ${version.codeServer} is not the package it should be (sha512-${digest}).`);
  }
  await doing('Unpacking VS Code', () =>
    run('tar', ['-xzf', tarball, '-C', folder, `--exclude=${copilot.extension}`]),
  );
  await rm(tarball);
  // Installs all other packages. Not `npm ci`: the shrinkwrap that VS Code ships lacks a peer dependency, which `ci` refuses.
  await doing('Installing the packages that VS Code needs', () =>
    npm(['uninstall', '--omit=dev', ...copilot.packages], join(folder, 'package', 'lib', 'vscode')),
  );
}

/** This one, or one that the lockfile brings. */
function nodeBinary(major: 22 | 24): string {
  if (Number(process.versions.node.split('.')[0]) === major) return process.execPath;
  const packaged = fromRoot('node_modules', `node${major}-linux-${process.arch}`, 'bin', 'node');
  if (!existsSync(packaged)) throw new Error(`The lockfile brings no Node ${major} for ${process.arch}.`);
  return packaged;
}
