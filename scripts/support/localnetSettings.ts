import type { Localnet } from '../../localnet/start.ts';
import type { Settings } from './workbench/server.ts';

/** Settings of a user who works on the local network. */
export function localnetSettings({ rpcUrl, chain }: Pick<Localnet, 'rpcUrl' | 'chain'>): Settings {
  return {
    'chainside.networks': {
      localnet: { name: 'Local Network', chainId: chain.chainId, rpcUrl, symbol: 'ETH' },
    },
    'chainside.network': 'localnet',
  };
}
