import type { ProviderOptions, ProviderPorts } from '../provider.ts';
import { createExplorerContracts } from './contracts.ts';
import { createExplorerHistory } from './history.ts';
import { createExplorerHoldings } from './holdings.ts';
import { createBlockscoutIdentity } from './identity.ts';
import { createExplorerNfts } from './nfts.ts';
import { createExplorerRest } from './rest.ts';
import { createExplorerTransactions } from './transactions.ts';

export function createExplorerPorts(options: ProviderOptions): Partial<ProviderPorts> {
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
