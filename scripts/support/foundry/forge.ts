import { createHash } from 'node:crypto';
import { chmodSync, existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cachedFolder } from '../cachedFolder.ts';
import { run } from '../childProcess.ts';
import { foundryPackage } from '../npmTools.ts';
import { cacheFolder, fromRoot } from '../paths.ts';

const nodeRequire = createRequire(import.meta.url);
const windows = process.platform === 'win32';

/** Whether the lockfile has a forge for this system. */
export function hasForge(): boolean {
  return forgeProgram() !== undefined;
}

/** Versions of what makes forge's output, for the names of what is kept of it. */
export function forgeVersions(): readonly string[] {
  const names = [foundryPackage('forge').name, 'solc', '@openzeppelin/contracts'];
  return names.map((name) => `${name}@${nodeRequire(`${name}/package.json`).version}`);
}

/** Runs forge in a project, with the compiler of npm and without the network; returns what it printed. */
export async function forge(args: readonly string[], project: string): Promise<string> {
  const program = forgeProgram();
  if (program === undefined) throw new Error(`npm has no forge for ${process.platform} ${process.arch}.`);
  // npm leaves the mode of the archive, which some mirrors lose.
  chmodSync(program, 0o755);
  const [command, ...others] = args;
  return run(program, [command ?? '', '--offline', '--use', await solcCommand(), ...others], {
    cwd: project,
    env: ownEnvironment(),
  });
}

/** Without what a person has set for their own projects: settings of forge, of git, and files in the home folder. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(
    ([name]) => !/^(?:FOUNDRY|DAPP|ETH|GIT|XDG)_|^(?:CHAIN|MNEMONIC)$/.test(name),
  );
  const home = join(cacheFolder, 'foundry', 'home');
  return { ...Object.fromEntries(others), HOME: home, USERPROFILE: home };
}

/** Path of forge; undefined where the lockfile has none for this system. */
export function forgeProgram(): string | undefined {
  try {
    const folder = dirname(nodeRequire.resolve(`${foundryPackage('forge').name}/package.json`));
    const program = join(folder, 'bin', windows ? 'forge.exe' : 'forge');
    return existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

/** Path of a command that forge takes for a solc. */
export async function solcCommand(): Promise<string> {
  const program = [process.execPath, fromRoot('localnet', 'chain', 'solcProgram.ts')]
    .map((path) => `"${path}"`)
    .join(' ');
  const text = windows ? `@${program} %*\r\n` : `#!/bin/sh\nexec ${program} "$@"\n`;
  const file = windows ? 'solc.cmd' : 'solc';
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const folder = await cachedFolder(join('foundry', `solc-${hash}`), async (empty) => {
    await writeFile(join(empty, file), text);
    await chmod(join(empty, file), 0o755);
  });
  return join(folder, file);
}
