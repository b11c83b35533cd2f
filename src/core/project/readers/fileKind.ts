import { findChainIdByName } from '../../networks/chains.ts';
import { getBaseName, getFolder, isPathWithin, type ProjectLayout } from '../layout.ts';
import { teamLabelsPath } from './addressLists.ts';
import { readChainId } from './facts.ts';

/** What a file is read as. */
export type FileKind =
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
const IGNORED_PATHS: ReadonlySet<string> = new Set([
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
const IGNORED_FILES =
  /\.(?:dbg\.json|d\.[cm]?ts|test\.[cm]?[jt]sx?|spec\.[cm]?[jt]sx?|t\.sol|min\.[cm]?js|config\.[cm]?[jt]s)$/;
/** Modules are read only where their path speaks of what is looked for: most of a front end is other code. */
const ADDRESS_WORDS_IN_NAME = /abi|contract|address|deploy|generated|wagmi|constant|token|network|chain/i;
/** Longer than any path of an operating system in common use. */
const MAX_PATH_CHARS = 4_096;

/**
 * As what a file would be read, by its path alone, from the root of the project and '/'-separated; undefined for files
 * that tell nothing, sources of Solidity and Vyper among them, which `parseSource` reads.
 *
 * @example
 * if (classifyFile('out/Token.sol/Token.json', layout) !== undefined) read(path);
 */
export function classifyFile(path: string, layout: ProjectLayout): FileKind | undefined {
  if (path.length > MAX_PATH_CHARS) return undefined;
  if (path === 'foundry.toml') return 'foundryToml';
  if (path === teamLabelsPath) return 'teamLabels';
  const parts = path.split('/');
  const base = parts.at(-1) ?? '';
  if (parts.some((part) => IGNORED_PATHS.has(part)) || inFolder(path, layout.cache)) return undefined;
  if (base.endsWith('.jsonl'))
    return isIgnition(path) && base === 'journal.jsonl' ? 'ignitionJournal' : undefined;
  if (NO_FACTS.test(base.slice(0, Math.max(0, base.lastIndexOf('.')))) || IGNORED_FILES.test(base))
    return undefined;
  if (base.endsWith('.json')) return jsonKind(path, layout);
  const isModule = /\.[cm]?[jt]sx?$/.test(base) && ADDRESS_WORDS_IN_NAME.test(path);
  const others = [...layout.out, ...layout.libs, ...layout.test];
  const isJsonc = base.endsWith('.jsonc') && ADDRESS_WORDS_IN_NAME.test(path);
  if ((!isModule && !isJsonc) || isTestPath(path) || inFolder(path, others)) return undefined;
  return isModule ? 'module' : 'jsonc';
}

/**
 * The file whose text `readFacts` takes as `beside` for the one at `path`: hardhat-deploy writes the chain id of a folder
 * into `.chainId`, Ignition into its journal. Undefined where a file speaks for itself.
 *
 * @example getCompanionPath('deployments/sepolia/Token.json') // 'deployments/sepolia/.chainId'
 */
export function getCompanionPath(path: string): string | undefined {
  const folder = getFolder(path);
  if (isIgnition(path)) {
    return getBaseName(path) === 'deployed_addresses.json' ? `${folder}/journal.jsonl` : undefined;
  }
  const inDeployments = path.endsWith('.json') && getBaseName(getFolder(folder)) === 'deployments';
  return inDeployments ? `${folder}/.chainId` : undefined;
}

function jsonKind(path: string, layout: ProjectLayout): FileKind | undefined {
  if (inFolder(path, layout.broadcast)) return 'broadcast';
  if (isIgnition(path)) {
    if (getBaseName(path) === 'deployed_addresses.json') return 'ignitionAddresses';
    return getBaseName(getFolder(path)) === 'artifacts' ? 'artifact' : undefined;
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
  return folders.some((folder) => folder !== '' && isPathWithin(path, folder));
}

/** Words of a path whose file may give names to addresses. */
const ADDRESS_WORDS_IN_PATH = /address|deploy|contract|label|book|token|chain|network/i;
/** Words of a folder in which there is a file or a folder for each chain. */
const HOLDS_CHAINS = /address|deploy|network|book/i;
/** What stands beside the network in the name of a file: `deployed-mainnet`, `421614_current_deployment`. */
const BESIDE = /^(?:deploy(?:ed|ments?)?|address(?:es)?|contracts?|networks?|current|latest)$/i;

/** Whether the path says that addresses are what its file is about. */
export function isAddressPath(path: string): boolean {
  return ADDRESS_WORDS_IN_PATH.test(path);
}

/**
 * The chain id that a path has: of `deployments/sepolia.json`, `addresses/1.json`, `deployments/base/usdc/roots.json` or
 * `deployed-mainnet.json`. The one nearest to the file counts.
 *
 * @example findChainInPath('deployments/sepolia/all.json') // '11155111'
 */
export function findChainInPath(path: string): string | undefined {
  const folders = path.split('/').slice(0, -1);
  const holder = folders.findIndex((folder) => HOLDS_CHAINS.test(folder));
  const stem = getFileStem(path);
  const words = stem.split(/[-_]/).filter((word) => !BESIDE.test(word));
  const inName = holder !== -1 || HOLDS_CHAINS.test(stem) ? [words.join('-')] : [];
  const below = holder === -1 ? [] : folders.slice(holder + 1).reverse();
  for (const word of [...inName, ...below]) {
    const chainId = readChainId(word) ?? findChainIdByName(word);
    if (chainId !== undefined) return chainId;
  }
  return undefined;
}

/**
 * The name of a file without folders, and without all that follows its first dot or is a version: the contract of
 * `out/Token.sol/Token.0.8.30.json` and of `abis/Token-1.2.json`, as no identifier has a dot.
 *
 * @example getFileStem('out/Token.sol/Token.0.8.30.json') // 'Token'
 */
export function getFileStem(path: string): string {
  const base = getBaseName(path);
  const dot = base.indexOf('.', 1);
  if (dot === -1) return base;
  const isVersion = /^\.\d/.test(base.slice(dot));
  return isVersion ? base.slice(0, dot).replace(/[-_]v?\d{1,4}$/, '') : base.slice(0, dot);
}

const TESTS = /(?:^|\/)(?:tests?|__tests__|testdata|fixtures?|mocks?|__mocks__)\//i;

/** Whether a file is in a folder for tests, whose addresses are of nothing that was deployed. */
export function isTestPath(path: string): boolean {
  return TESTS.test(path);
}
