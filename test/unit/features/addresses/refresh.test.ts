import assert from 'node:assert/strict';
import { commands, type ProgressOptions, Uri, window } from 'vscode';
import {
  parseAccountArgument,
  parseAddressArgument,
  parseContractArgument,
  parseRowArgument,
} from '../../../../src/host/rowArguments.ts';
import { viewIds } from '../../../../src/manifest.ts';
import { stubDialogs } from '../../../support/host/dialogs.ts';
import { HOLDER, nodesNamed } from '../../../support/host/hostileNodes.ts';
import { balancesOf, itemsOf, useNode, useRecordedServer } from '../../../support/host/recordedServer.ts';
import { selectNetwork, useNetworks, waitUntil } from '../../../support/host/settings.ts';
import { useExtension } from '../../../support/vscode/extension.ts';

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

describe('Refresh', () => {
  useExtension();
  const { withProgress } = window;
  const holders = [1, 2, 3, 4, 5].map((digit) => `0x${`${digit}`.repeat(40)}`);
  const server = useNode(() => '0x10');
  const dataApi = useRecordedServer(({ url }) =>
    balancesOf(/address\/(0x\w+)\//.exec(url)?.[1] ?? '', itemsOf(1)),
  );
  let busy: unknown[] = [];

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
    using words = stubDialogs();
    try {
      words.types = ['ckey_0123456789abcdef0123456789a'];
      await commands.executeCommand('chainside.setApiKey');
      for (const address of holders) await commands.executeCommand('chainside.lookUpAddress', address);
      // A row reads its tokens when it is in sight.
      await waitUntil(() => dataApi.requests.length >= holders.length);
      dataApi.requests.length = 0;
      await commands.executeCommand('chainside.refresh');
      const question = /^Reloading the tokens of 5 addresses uses \d+ to \d+ credits of your data API key\.$/;
      assert.equal(words.shown.filter((text) => question.test(text)).length, 1);
      assert.deepEqual(dataApi.requests, []);
      words.choose = (labels) => labels.indexOf('Reload Tokens');
      await commands.executeCommand('chainside.refresh');
      assert.ok(dataApi.requests.length >= holders.length);
      words.choose = (labels) => labels.indexOf('Forget');
      await commands.executeCommand('chainside.forgetApiKey');
    } finally {
      // The rows that were looked up are in sight no more.
      await commands.executeCommand('workbench.view.explorer');
    }
  });
});

const CONTRACT = `0x${'22'.repeat(20)}`;

describe('what a menu hands to a command on an address', () => {
  useExtension();
  const held = { kind: 'token', account: HOLDER, contract: CONTRACT, rawAmount: '5', copyText: '0.5' };

  it('is an address as text, or a row: of the account, of something that it holds, or under either', () => {
    assert.deepEqual(
      [parseAddressArgument(HOLDER), parseAccountArgument(HOLDER), parseContractArgument(HOLDER)],
      [HOLDER, HOLDER, HOLDER],
    );
    const account = { kind: 'address', account: HOLDER };
    assert.deepEqual(
      [parseAddressArgument(account), parseAccountArgument(account), parseContractArgument(account)],
      [...[HOLDER, HOLDER, undefined]],
    );
    assert.deepEqual(
      [parseAddressArgument(held), parseAccountArgument(held), parseContractArgument(held)],
      [CONTRACT, HOLDER, CONTRACT],
    );
    assert.equal(parseAccountArgument({ kind: 'note', parent: account }), HOLDER);
  });

  it('names the account for each kind of row that there is', () => {
    for (const node of nodesNamed('x')) assert.equal(parseAccountArgument(node), HOLDER, node.kind);
  });

  it('brings what the row has: amounts, a token id as text, a place', () => {
    assert.equal(parseRowArgument(held)?.rawAmount, '5');
    assert.equal(parseRowArgument({ ...held, tokenId: 7n })?.tokenId, '7');
    const uri = Uri.file('/x/A.sol');
    assert.deepEqual(parseRowArgument({ account: HOLDER, occurrence: { uri, line: 3 } })?.place, {
      uri,
      line: 3,
    });
  });

  it('may be nothing of these, and is refused where it names an address that is none', () => {
    for (const nothing of [
      undefined,
      null,
      7,
      { ...held, tokenId: {} },
      { occurrence: { uri: 'x', line: 0 } },
    ]) {
      assert.equal(parseRowArgument(nothing), undefined);
      assert.equal(parseAddressArgument(nothing), undefined);
    }
    assert.equal(parseAddressArgument(Uri.file('/x')), undefined);
    assert.throws(() => parseAddressArgument('0x12'), { kind: 'badInput' });
    assert.throws(() => parseAddressArgument({ ...held, contract: '0x12' }), { kind: 'badInput' });
  });

  it('is the row of the network for Select Network, which lets one be picked', async () => {
    using words = stubDialogs();
    await commands.executeCommand('chainside.selectNetwork', { kind: 'fact', fact: 'network' });
    assert.ok(words.shown.includes('Select Network'), words.shown.join('\n'));
    await commands.executeCommand('chainside.selectNetwork', 'nowhere');
    assert.ok(words.shown.includes('No network has the ID “nowhere”.'), words.shown.join('\n'));
  });
});
