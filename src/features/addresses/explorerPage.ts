import { type Address, isHttpUrl, type Network, toChecksumAddress } from '../../core/index.ts';

/** The page about `address` on the explorer website of `network`, by the path that Blockscout and Etherscan share. */
export function explorerPage({ explorerUrl }: Network, address: Address): string | undefined {
  if (explorerUrl === undefined || !isHttpUrl(explorerUrl)) return undefined;
  return `${explorerUrl.replace(/\/+$/, '')}/address/${toChecksumAddress(address)}`;
}
