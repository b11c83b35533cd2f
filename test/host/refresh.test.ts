import assert from 'node:assert/strict';
import { commands, type ProgressOptions, window } from 'vscode';
import { viewIds } from '../../src/manifest.ts';
import { type LoopbackServer, startRpcServer } from '../support/loopbackServer.ts';
import { activateExtension, selectNetwork, useNetworks } from './support/extension.ts';
import { balancesOf, itemsOf, type RecordedServer, startRecordedServer } from './support/recordedServer.ts';
import { recordShownTexts } from './support/shownWords.ts';

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

describe('Refresh', () => {
  const { withProgress } = window;
  const holders = [1, 2, 3, 4, 5].map((digit) => `0x${`${digit}`.repeat(40)}`);
  let server: LoopbackServer;
  let dataApi: RecordedServer;
  let busy: unknown[] = [];

  before(async () => {
    await activateExtension();
    server = await startRpcServer(({ id }) => ({ jsonrpc: '2.0', id, result: '0x10' }));
    dataApi = await startRecordedServer();
    dataApi.answer = ({ url }) => balancesOf(/address\/(0x\w+)\//.exec(url)?.[1] ?? '', itemsOf(1));
  });
  after(() => Promise.all([server.close(), dataApi.close()]));
  useNetworks(() => ({
    refreshed: { name: 'Refreshed', chainId: 5, rpcUrl: server.url },
    priced: { name: 'Priced', chainId: 7_700_085, rpcUrl: server.url, dataApiUrl: dataApi.url },
  }));
  beforeEach(() => {
    busy = [];
    const noted: typeof withProgress = (options: ProgressOptions, task) => {
      busy.push(options.location);
      return withProgress(options, task);
    };
    Object.assign(window, { withProgress: noted });
  });
  afterEach(() => void Object.assign(window, { withProgress }));

  it('shows that it is at work in each view that is read again: of all addresses, and of one', async () => {
    await selectNetwork('refreshed');
    const views = [viewIds.chain, viewIds.addresses].map((viewId) => ({ viewId }));
    await commands.executeCommand('chainside.refresh');
    assert.deepEqual(busy, views);
    busy = [];
    await commands.executeCommand('chainside.refresh', ADDRESS);
    assert.deepEqual(busy, views);
  });

  it('asks before it takes many credits, and reads nothing unless it may', async () => {
    await selectNetwork('priced');
    const words = recordShownTexts();
    try {
      words.typed = ['ckey_0123456789abcdef0123456789a'];
      await commands.executeCommand('chainside.setApiKey');
      for (const address of holders) await commands.executeCommand('chainside.lookUpAddress', address);
      assert.ok(dataApi.requests.length >= holders.length);
      dataApi.requests.length = 0;
      await commands.executeCommand('chainside.refresh');
      const question =
        /^Reading the tokens of 5 addresses again takes \d+ to \d+ credits of your data API key\.$/;
      assert.equal(words.shown.filter((text) => question.test(text)).length, 1);
      assert.deepEqual(dataApi.requests, []);
      words.choose = (labels) => labels.indexOf('Read Tokens');
      await commands.executeCommand('chainside.refresh');
      assert.ok(dataApi.requests.length >= holders.length);
      words.choose = (labels) => labels.indexOf('Forget');
      await commands.executeCommand('chainside.forgetApiKey');
    } finally {
      words.leave();
      // The rows that were looked up are in sight no more.
      await commands.executeCommand('workbench.view.explorer');
    }
  });
});
