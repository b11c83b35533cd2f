import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cachedFolder } from '../cachedFolder.ts';
import { fromRoot } from '../paths.ts';
import { doing } from '../progress.ts';
import { forge, forgeVersions, hasForge } from './forge.ts';

interface ProjectFile {
  readonly from: string;
  /** Path in the project. */
  readonly to: string;
}

/** What the project is made of, its library left out. */
function projectFiles(): readonly ProjectFile[] {
  const own = filesOf(fromRoot('localnet', 'project'), [
    '.gitignore',
    '*.{toml,md}',
    '{src,script}/*.{sol,ts}',
    'queries/*.json',
  ]);
  const deployed = filesOf(fromRoot('localnet', 'contracts'), ['*.sol']);
  return [...own, ...deployed.map(({ from, to }) => ({ from, to: join('src', to) }))];
}

function filesOf(folder: string, patterns: string[]): readonly ProjectFile[] {
  const paths = globSync(patterns, { cwd: folder }).sort();
  return paths.map((path) => ({ from: join(folder, path), to: path }));
}

/** Writes the Foundry project of the local chain, with its library; built, where there is a forge for this system. */
export async function writeHarborProject(folder: string): Promise<void> {
  if (!hasForge()) return writeSources(folder);
  await cp(await builtProject(), folder, { recursive: true });
}

export interface ScriptRun {
  /** Of a local node whose accounts are anvil's. */
  readonly url: string;
  /** What the script's `run` takes, if anything. */
  readonly day?: number;
  /** How much gas is sent along, in percent of what forge takes to be needed. Default: 130. */
  readonly gasPercent?: number;
}

/** Runs the script of that name in the project, and waits for its transactions; fails when one of them does. */
export async function runHarborScript(
  project: string,
  script: string,
  { url, day, gasPercent = 130 }: ScriptRun,
): Promise<void> {
  const call = day === undefined ? [] : ['--sig', 'run(uint256)', String(day)];
  const gas = ['--gas-estimate-multiplier', String(gasPercent)];
  // One transaction after the other, or their order in a block would not be the same each time.
  const sending = ['--rpc-url', url, '--broadcast', '--slow', '--unlocked'];
  await forge(['script', `script/${script}.s.sol`, ...call, ...gas, ...sending, '--sender', keeper], project);
}

/** All that comes after the deployment: a day with each version of the vault. */
export async function tradeInHarbor(project: string, url: string): Promise<void> {
  await runHarborScript(project, 'Endow', { url });
  await runHarborScript(project, 'Trade', { url, day: 1 });
  await runHarborScript(project, 'Upgrade', { url });
  await runHarborScript(project, 'Trade', { url, day: 2 });
}

/** Anvil's first account, from which the addresses of all contracts follow. */
const keeper = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

/** Names the project as it is now: other sources or tools, another name. */
export async function harborHash(): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(forgeVersions()));
  for (const { from, to } of projectFiles()) hash.update(`${to}\0`).update(await readFile(from));
  return hash.digest('hex').slice(0, 16);
}

async function builtProject(): Promise<string> {
  return cachedFolder(join('foundry', `harbor-${await harborHash()}`), async (empty) => {
    await writeSources(empty);
    await doing('Building the sample project with forge', () => forge(['build'], empty));
  });
}

async function writeSources(folder: string): Promise<void> {
  for (const { from, to } of projectFiles()) await cp(from, join(folder, to));
  const library = dirname(createRequire(import.meta.url).resolve('@openzeppelin/contracts/package.json'));
  for (const path of globSync('**/*.sol', { cwd: library })) {
    await cp(join(library, path), join(folder, 'lib', 'openzeppelin-contracts', 'contracts', path));
  }
}
