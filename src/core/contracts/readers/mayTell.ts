import { baseOf, folderOf, isWithin } from '../layout/paths.ts';
import type { ProjectLayout } from '../layout/projectLayout.ts';
import { isInTests } from './pathParts.ts';
import { teamLabelsPath } from './teamLabels.ts';

/** What a file is read as. */
export type FactsKind =
  /** `foundry.toml`, for its labels. */
  | 'foundryToml'
  /** What a team calls addresses. */
  | 'teamLabels'
  /** What a compiler wrote. */
  | 'artifact'
  /** What `forge script --broadcast` wrote. */
  | 'broadcast'
  | 'ignitionAddresses'
  | 'ignitionJournal'
  /** JSON that may be an ABI, a deployment, a map of addresses or a token list. */
  | 'json'
  /** The same with comments: a map of addresses. */
  | 'jsonc'
  /** A module of TypeScript or JavaScript that may hold ABIs and addresses. */
  | 'module';

/** Folders in which nothing is a fact of the project: packages, caches, and what repeats artifacts in another form. */
const PASSED_OVER: ReadonlySet<string> = new Set([
  'node_modules',
  '.git',
  '.vscode',
  '.yarn',
  '.openzeppelin',
  '.chainside',
  'cache',
  '.next',
  'build-info',
  'solcInputs',
  'dry-run',
  'typechain',
  'typechain-types',
  'coverage',
]);
/** Files of tools, by their name without what follows its last dot. */
const NO_FACTS =
  /^(?:package|package-lock|composer|tsconfig[^/]*|jsconfig|deno|biome|turbo|nx|lerna|vercel|slither[^/]*|\.[^/]*|npm-shrinkwrap|FUNDING|remappings|wagmi\.config|hardhat\.config|solidity-files-cache|artifacts\.d)$/;
const LEFT_OUT =
  /\.(?:dbg\.json|d\.[cm]?ts|test\.[cm]?[jt]sx?|spec\.[cm]?[jt]sx?|t\.sol|min\.[cm]?js|config\.[cm]?[jt]s)$/;
/** Modules are read only where their path speaks of what is looked for: most of a front end is other code. */
const SPEAKS = /abi|contract|address|deploy|generated|wagmi|constant|token|network|chain/i;
/** Longer than any path of an operating system in common use. */
const LONGEST_PATH = 4_096;

/**
 * As what a file would be read, by its path alone, from the root of the project and '/'-separated; undefined for files
 * that tell nothing, sources of Solidity and Vyper among them, which `readSource` reads.
 *
 * @example
 * if (mayTell('out/Token.sol/Token.json', layout) !== undefined) read(path);
 */
export function mayTell(path: string, layout: ProjectLayout): FactsKind | undefined {
  if (path.length > LONGEST_PATH) return undefined;
  if (path === 'foundry.toml') return 'foundryToml';
  if (path === teamLabelsPath) return 'teamLabels';
  const parts = path.split('/');
  const base = parts.at(-1) ?? '';
  if (parts.some((part) => PASSED_OVER.has(part)) || inFolder(path, layout.cache)) return undefined;
  if (base.endsWith('.jsonl'))
    return isIgnition(path) && base === 'journal.jsonl' ? 'ignitionJournal' : undefined;
  if (NO_FACTS.test(base.slice(0, Math.max(0, base.lastIndexOf('.')))) || LEFT_OUT.test(base))
    return undefined;
  if (base.endsWith('.json')) return jsonKind(path, layout);
  const isModule = /\.[cm]?[jt]sx?$/.test(base) && SPEAKS.test(path);
  const others = [...layout.out, ...layout.libs, ...layout.test];
  const isJsonc = base.endsWith('.jsonc') && SPEAKS.test(path);
  if ((!isModule && !isJsonc) || isInTests(path) || inFolder(path, others)) return undefined;
  return isModule ? 'module' : 'jsonc';
}

/**
 * The file whose text `readFacts` takes as `beside` for the one at `path`: hardhat-deploy writes the chain id of a folder
 * into `.chainId`, Ignition into its journal. Undefined where a file speaks for itself.
 *
 * @example besideOf('deployments/sepolia/Token.json') // 'deployments/sepolia/.chainId'
 */
export function besideOf(path: string): string | undefined {
  const folder = folderOf(path);
  if (isIgnition(path)) {
    return baseOf(path) === 'deployed_addresses.json' ? `${folder}/journal.jsonl` : undefined;
  }
  const inDeployments = path.endsWith('.json') && baseOf(folderOf(folder)) === 'deployments';
  return inDeployments ? `${folder}/.chainId` : undefined;
}

function jsonKind(path: string, layout: ProjectLayout): FactsKind | undefined {
  if (inFolder(path, layout.broadcast)) return 'broadcast';
  if (isIgnition(path)) {
    if (baseOf(path) === 'deployed_addresses.json') return 'ignitionAddresses';
    return baseOf(folderOf(path)) === 'artifacts' ? 'artifact' : undefined;
  }
  if (inFolder(path, layout.out)) return 'artifact';
  return inFolder(path, layout.libs) ? undefined : 'json';
}

/** Whether it is `ignition/deployments/ID/…`, of this project or of one within. */
function isIgnition(path: string): boolean {
  return path.startsWith('ignition/deployments/') || path.includes('/ignition/deployments/');
}

/** The root itself is no folder of one kind: `src = "."` is, and does not count here. */
function inFolder(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => folder !== '' && isWithin(path, folder));
}
