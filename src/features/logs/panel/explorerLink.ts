import type { Log } from '../../../core/index.ts';
import { type ExplorerPage, explorerLink } from '../../../host/session/explorerLink.ts';

/** The page of the explorer website about a part of `log`. */
export function logLink(explorerUrl: string | undefined, page: ExplorerPage, log: Log): string | undefined {
  switch (page) {
    case 'transaction':
      return explorerLink(explorerUrl, page, log.transactionHash);
    case 'address':
      return explorerLink(explorerUrl, page, log.address);
    case 'block':
      return explorerLink(explorerUrl, page, log.blockNumber);
  }
}
