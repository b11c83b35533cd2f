import { chainIdOfNetwork } from './networkNames.ts';
import { baseOf, folderOf, stemOf } from './pathParts.ts';
import { readChainId } from './texts.ts';

/** Words of a path whose file may name addresses of the chain that the path has. */
const SPEAKS = /address|deploy|contract|label|book|token|chain|network/i;

/** Whether the path says that addresses are what its file is about. */
export function speaksOfAddresses(path: string): boolean {
  return SPEAKS.test(path);
}

/** The chain id of `deployments/sepolia.json`, `addresses/1.json` or `deployments/sepolia/addresses.json`. */
export function chainOfPath(path: string): string | undefined {
  if (!SPEAKS.test(path)) return undefined;
  const words = [stemOf(path), baseOf(folderOf(path))];
  return words.map((word) => readChainId(word) ?? chainIdOfNetwork(word)).find((id) => id !== undefined);
}
