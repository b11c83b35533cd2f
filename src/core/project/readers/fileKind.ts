import { findChainIdByName } from '../../networks/chains.ts';
import { getBaseName, getFolder, isPathWithin, type ProjectLayout } from '../layout.ts';
import { teamLabelsPath } from './addressLists.ts';
import { readChainId } from './facts.ts';

export type FileKind =
  /** `foundry.toml`, for its labels. */
  | 'foundryToml'
  /** A team's names of addresses. */
  | 'teamLabels'
  | 'artifact'
  /** Output of `forge script --broadcast`. */
  | 'broadcast'
  | 'ignitionAddresses'
  | 'ignitionJournal'
  /** JSON that may be an ABI, a deployment, a map of addresses or a token list. */
  | 'json'
  /** JSON with comments: a map of addresses. */
  | 'jsonc'
  /** A TypeScript or JavaScript module that may contain ABIs and addresses. */
  | 'module';

/** Folders without facts of the project: packages, caches, and copies of artifacts in another form. */
const IGNORED_FOLDERS: ReadonlySet<string> = new Set([
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
/** Files of tools, by their name without its last extension. */
const TOOL_FILES =
  /^(?:package|package-lock|composer|tsconfig[^/]*|jsconfig|deno|biome|turbo|nx|lerna|vercel|slither[^/]*|\.[^/]*|npm-shrinkwrap|FUNDING|remappings|wagmi\.config|hardhat\.config|solidity-files-cache|artifacts\.d)$/;
const IGNORED_FILES =
  /\.(?:dbg\.json|chainlog\.json|d\.[cm]?ts|test\.[cm]?[jt]sx?|spec\.[cm]?[jt]sx?|t\.sol|min\.[cm]?js|config\.[cm]?[jt]s)$/;
/** Modules are read only if their path has one of these: most of a front end is other code. */
const MODULE_KEYWORDS = /abi|contract|address|deploy|generated|wagmi|constant|token|network|chain/i;
/** Longer than any path of an operating system in common use. */
const MAX_PATH_CHARS = 4_096;

/**
 * Classifies a file by its path alone, relative to the project's root and '/'-separated. Undefined for files without facts,
 * including Solidity and Vyper sources, which `parseSourceInSlices` reads.
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
  if (parts.some((part) => IGNORED_FOLDERS.has(part)) || isInFolder(path, layout.cache)) return undefined;
  if (base.endsWith('.jsonl'))
    return isIgnition(path) && base === 'journal.jsonl' ? 'ignitionJournal' : undefined;
  if (TOOL_FILES.test(base.slice(0, Math.max(0, base.lastIndexOf('.')))) || IGNORED_FILES.test(base))
    return undefined;
  // solc writes `.abi` files.
  if (/\.(?:json|abi)$/.test(base)) return classifyJson(path, layout);
  const isModule = /\.[cm]?[jt]sx?$/.test(base) && MODULE_KEYWORDS.test(path);
  const ignoredFolders = [...layout.out, ...layout.libs, ...layout.test];
  const isJsonc = base.endsWith('.jsonc') && MODULE_KEYWORDS.test(path);
  if ((!isModule && !isJsonc) || isTestPath(path) || isInFolder(path, ignoredFolders)) return undefined;
  return isModule ? 'module' : 'jsonc';
}

/**
 * The paths of the files of which `readFacts` takes the first that exists as `companion`: hardhat-deploy writes the chain
 * ID of a folder into `.chain` (since its second version) or `.chainId`, Ignition into its journal. None if a file is
 * complete by itself.
 *
 * @example listCompanionPaths('deployments/a/Token.json') // ['deployments/a/.chain', 'deployments/a/.chainId']
 */
export function listCompanionPaths(path: string): readonly string[] {
  const folder = getFolder(path);
  if (isIgnition(path)) {
    return getBaseName(path) === 'deployed_addresses.json' ? [`${folder}/journal.jsonl`] : [];
  }
  const inDeployments = path.endsWith('.json') && getBaseName(getFolder(folder)) === 'deployments';
  return inDeployments ? [`${folder}/.chain`, `${folder}/.chainId`] : [];
}

function classifyJson(path: string, layout: ProjectLayout): FileKind | undefined {
  if (isInFolder(path, layout.broadcast)) return 'broadcast';
  if (isIgnition(path)) {
    if (getBaseName(path) === 'deployed_addresses.json') return 'ignitionAddresses';
    return getBaseName(getFolder(path)) === 'artifacts' ? 'artifact' : undefined;
  }
  if (isInFolder(path, layout.out)) return 'artifact';
  return isInFolder(path, layout.libs) ? undefined : 'json';
}

/**
 * Whether a path is `ignition/deployments/ID/…`, at the root or in a subfolder: all files there are of a deployment.
 *
 * @example isIgnition('ignition/deployments/chain-1/artifacts/Main#Vault.json') // true
 */
export function isIgnition(path: string): boolean {
  return path.startsWith('ignition/deployments/') || path.includes('/ignition/deployments/');
}

/** A root folder (`src = "."`) does not count: it contains everything. */
function isInFolder(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => folder !== '' && isPathWithin(path, folder));
}

/** Matches paths of files that may name addresses. */
const ADDRESS_KEYWORDS = /address|deploy|contract|label|book|token|chain|network/i;

export function isAddressPath(path: string): boolean {
  return ADDRESS_KEYWORDS.test(path);
}

/** Matches folders that have a file or a folder per chain. */
const CHAIN_FOLDER_KEYWORDS = /address|deploy|network|book/i;
/** Parts of a file name beside the network: `deployed-mainnet`, `421614_current_deployment`. */
const NON_NETWORK_PART = /^(?:deploy(?:ed|ments?)?|address(?:es)?|contracts?|networks?|current|latest)$/i;

/**
 * The chain ID in a path: `deployments/sepolia.json`, `addresses/1.json`, `deployments/base/usdc/roots.json` or
 * `deployed-mainnet.json`. The part nearest to the file wins.
 *
 * @example findChainInPath('deployments/sepolia/all.json') // '11155111'
 */
export function findChainInPath(path: string): string | undefined {
  const folders = path.split('/').slice(0, -1);
  const chainFolder = folders.findIndex((folder) => CHAIN_FOLDER_KEYWORDS.test(folder));
  const stem = getFileStem(path);
  const parts = stem.split(/[-_]/).filter((part) => !NON_NETWORK_PART.test(part));
  const fromName = chainFolder !== -1 || CHAIN_FOLDER_KEYWORDS.test(stem) ? [parts.join('-')] : [];
  const fromFolders = chainFolder === -1 ? [] : folders.slice(chainFolder + 1).reverse();
  for (const part of [...fromName, ...fromFolders]) {
    const chainId = readChainId(part) ?? findChainIdByName(part);
    if (chainId !== undefined) return chainId;
  }
  return undefined;
}

/**
 * The name of a file without folders, extensions and version. No identifier has a dot: `out/Token.sol/Token.0.8.30.json` and
 * `abis/Token-1.2.json` are both of `Token`.
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

const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|testdata|fixtures?|mocks?|__mocks__)\//i;

/** Whether a file is in a folder for tests, whose addresses are not deployments. */
export function isTestPath(path: string): boolean {
  return TEST_FOLDER.test(path);
}
