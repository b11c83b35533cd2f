import { chainIdOfNetwork } from './networkNames.ts';
import { stemOf } from './pathParts.ts';
import { readChainId } from './texts.ts';

/** Words of a path whose file may give names to addresses. */
const SPEAKS = /address|deploy|contract|label|book|token|chain|network/i;
/** Words of a folder in which there is a file or a folder for each chain. */
const HOLDS_CHAINS = /address|deploy|network|book/i;
/** What stands beside the network in the name of a file: `deployed-mainnet`, `421614_current_deployment`. */
const BESIDE = /^(?:deploy(?:ed|ments?)?|address(?:es)?|contracts?|networks?|current|latest)$/i;

/** Whether the path says that addresses are what its file is about. */
export function speaksOfAddresses(path: string): boolean {
  return SPEAKS.test(path);
}

/**
 * The chain id that a path has: of `deployments/sepolia.json`, `addresses/1.json`, `deployments/base/usdc/roots.json` or
 * `deployed-mainnet.json`. The one nearest to the file counts.
 *
 * @example chainOfPath('deployments/sepolia/all.json') // '11155111'
 */
export function chainOfPath(path: string): string | undefined {
  const folders = path.split('/').slice(0, -1);
  const holder = folders.findIndex((folder) => HOLDS_CHAINS.test(folder));
  const stem = stemOf(path);
  const words = stem.split(/[-_]/).filter((word) => !BESIDE.test(word));
  const inName = holder !== -1 || HOLDS_CHAINS.test(stem) ? [words.join('-')] : [];
  const below = holder === -1 ? [] : folders.slice(holder + 1).reverse();
  for (const word of [...inName, ...below]) {
    const chainId = readChainId(word) ?? chainIdOfNetwork(word);
    if (chainId !== undefined) return chainId;
  }
  return undefined;
}
