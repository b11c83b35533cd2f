import assert from 'node:assert/strict';
import { startTunnelProxy } from '../support/tunnelProxy.ts';
import { environment } from './support/environment.ts';
import { startWorkbench } from './support/workbench.ts';

describe('a proxy set in the editor', () => {
  it('is what requests to the endpoint and to the data API pass through', async () => {
    const { rpcUrl, dataApi, chain } = environment().localnet;
    await using proxy = await startTunnelProxy({
      'chain.example.test:80': rpcUrl,
      'data.example.test:80': dataApi.url,
    });
    await using workbench = await startWorkbench({
      settings: {
        'http.proxy': proxy.url,
        'chainside.network': 'far',
        'chainside.networks': {
          far: {
            name: 'Far Network',
            chainId: chain.chainId,
            rpcUrl: `http://chain.example.test${new URL(rpcUrl).pathname}`,
            dataApiUrl: 'http://data.example.test',
          },
        },
      },
    });
    const { page } = workbench;
    await workbench.openView('Chainside');
    await page.getByRole('treeitem', { name: /answers in \d+ ms/ }).waitFor();
    await workbench.runCommand('Chainside: Set Data API Key…');
    await workbench.answer(/^Key for http/, dataApi.keys.classic);
    await page.getByRole('treeitem', { name: 'Token data: key set' }).waitFor();
    assert.deepEqual(new Set(proxy.asked), new Set(['chain.example.test:80', 'data.example.test:80']));
  });
});
