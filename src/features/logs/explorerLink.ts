import { isHttpUrl, type Log } from '../../core/index.ts';
import type { ExplorerPlace } from './protocol.ts';

/** The page of the explorer website about a part of `log`, by the paths that Blockscout and Etherscan share. */
export function explorerLink(
  explorerUrl: string | undefined,
  page: ExplorerPlace['page'],
  log: Log,
): string | undefined {
  if (!explorerUrl || !isHttpUrl(explorerUrl)) return undefined;
  const base = explorerUrl.replace(/\/+$/, '');
  switch (page) {
    case 'transaction':
      return `${base}/tx/${log.transactionHash}`;
    case 'address':
      return `${base}/address/${log.address}`;
    case 'block':
      return `${base}/block/${log.blockNumber}`;
  }
}
