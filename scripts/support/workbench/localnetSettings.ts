import type { Localnet } from '../../../localnet/start.ts';
import type { Settings } from './server.ts';

/** Settings of a user who works on the local network. */
export function localnetSettings({ rpcUrl, chain, dataApi }: Localnet): Settings {
  const network = {
    name: 'Local Network',
    chainId: chain.chainId,
    rpcUrl,
    dataApiUrl: dataApi.url,
    symbol: 'ETH',
  };
  return { 'chainside.networks': { localnet: network }, 'chainside.network': 'localnet' };
}
