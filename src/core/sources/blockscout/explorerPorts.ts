import type { SourceOptions, SourcePorts } from '../kind/sourceKind.ts';
import { createExplorerContracts } from './contracts/explorerContracts.ts';
import { createExplorerTransactions } from './explorerTransactions.ts';
import { createExplorerHistory } from './history/explorerHistory.ts';
import { createBlockscoutIdentity } from './identity.ts';
import { createExplorerRest } from './rest/explorerRest.ts';
import { createExplorerHoldings } from './tokens/explorerHoldings.ts';
import { createExplorerNfts } from './tokens/explorerNfts.ts';

/** What the REST interface of one explorer is asked through. */
export function createExplorerPorts(options: SourceOptions): Partial<SourcePorts> {
  const rest = createExplorerRest(options);
  return {
    holdings: createExplorerHoldings(rest, options),
    nfts: createExplorerNfts(rest, options),
    history: createExplorerHistory(rest),
    identity: createBlockscoutIdentity(options),
    verified: createExplorerContracts(options),
    transactions: createExplorerTransactions(options),
  };
}
