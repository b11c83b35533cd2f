import assert from 'node:assert/strict';
import { commands, type Tab, window } from 'vscode';
import { selectNetwork, useNetworks, waitUntil } from '../../../../support/host/settings.ts';
import { type LoopbackServer, type RpcRequest, startRpcServer } from '../../../../support/loopbackServer.ts';
import { useExtension } from '../../../../support/vscode/extension.ts';

const TOKEN = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const TRANSFER = 'Transfer(address,address,uint256)';
const TRANSFER_TOPIC0 = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

interface LogRequest {
  readonly filter: { readonly address?: string; readonly topics?: readonly unknown[] };
  /** The client has hung up before an answer was sent. */
  aborted: boolean;
}

describe('log panel commands', () => {
  useExtension();
  const requests: LogRequest[] = [];
  let server: LoopbackServer;
  let hangs = false;

  before(async () => {
    server = await startRpcServer(({ id, method, params }: RpcRequest, response) => {
      if (method !== 'eth_getLogs') return { jsonrpc: '2.0', id, result: '0x10' };
      const request: LogRequest = { filter: params[0] as LogRequest['filter'], aborted: false };
      requests.push(request);
      response.on('close', () => {
        request.aborted = !response.writableEnded;
      });
      return hangs ? undefined : { jsonrpc: '2.0', id, result: [] };
    });
  });
  after(() => server.close());
  useNetworks(() => ({
    logs: { name: 'Logs', chainId: 5, rpcUrl: server.url },
    other: { name: 'Other', chainId: 6, rpcUrl: 'http://127.0.0.1:1' },
  }));

  beforeEach(() => selectNetwork('logs'));
  afterEach(async () => {
    hangs = false;
    requests.length = 0;
    await commands.executeCommand('workbench.action.closeAllEditors');
  });

  function tab(label: string): Tab | undefined {
    return window.tabGroups.all.flatMap(({ tabs }) => tabs).find((candidate) => candidate.label === label);
  }

  it('runs a query that is given, in a panel that is named after it', async () => {
    await commands.executeCommand('chainside.queryLogs', { address: TOKEN, event: TRANSFER, run: true });
    await waitUntil(() => tab('Transfer · 0x5aAe…eAed') !== undefined && requests.length > 0);
    assert.equal(requests[0]?.filter.address, TOKEN.toLowerCase());
    assert.deepEqual(requests[0]?.filter.topics?.flat(), [TRANSFER_TOPIC0]);
  });

  it('asks nothing for a query that cannot be asked', async () => {
    // By a topic of its own: what the panel before had under way may still come in.
    const topic0 = `0x${'5e'.repeat(32)}`;
    await commands.executeCommand('chainside.queryLogs', { address: '0x12', event: topic0, run: true });
    await waitUntil(() =>
      window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => /^Logs/.test(label))),
    );
    const asked = requests.filter(({ filter }) => filter.topics?.flat().includes(topic0));
    assert.deepEqual(asked, []);
  });

  it('refuses arguments of another shape, with words', async () => {
    await assert.rejects(async () => {
      await commands.executeCommand('chainside.queryLogs', { adress: TOKEN });
    }, /^AppError: adress is not valid here\. Query Logs takes /);
    assert.equal(tab('Logs'), undefined);
  });

  it('ends a request when its panel is closed', async () => {
    hangs = true;
    await commands.executeCommand('chainside.queryLogs', { address: TOKEN, run: true });
    await waitUntil(() => requests.length > 0);
    await commands.executeCommand('workbench.action.closeAllEditors');
    await waitUntil(() => requests[0]?.aborted === true);
  });

  it('gives panels about the same a title each', async () => {
    const asked = { address: TOKEN, event: TRANSFER };
    for (const blocks of [{}, {}, { fromBlock: 5, toBlock: 9 }]) {
      await commands.executeCommand('chainside.queryLogs', { ...asked, ...blocks });
    }
    const title = 'Transfer · 0x5aAe…eAed';
    await waitUntil(() =>
      [title, `${title} (2)`, `${title} · 5–9`].every((label) => tab(label) !== undefined),
    );
  });

  it('goes on with what a panel is loading when another network is selected, until it is cancelled', async () => {
    hangs = true;
    await commands.executeCommand('chainside.queryLogs', { address: TOKEN, run: true });
    await waitUntil(() => requests.length > 0);
    await selectNetwork('other');
    assert.equal(requests[0]?.aborted, false);
    await commands.executeCommand('chainside.cancel');
    await waitUntil(() => requests[0]?.aborted === true);
  });

  it('has nothing to do without a panel', async () => {
    await commands.executeCommand('chainside.loadNextPage');
    await commands.executeCommand('chainside.cancel');
    assert.deepEqual(requests, []);
  });
});
