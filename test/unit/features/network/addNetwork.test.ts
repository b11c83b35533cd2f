import assert from 'node:assert/strict';
import { window } from 'vscode';
import { builtInNetworks, type Network } from '../../../../src/core/index.ts';
import { addNetwork } from '../../../../src/features/network/addNetwork.ts';
import { editNetwork, removeNetwork } from '../../../../src/features/network/editNetwork.ts';
import { createHttp } from '../../../../src/host/session/http.ts';
import { useDialogs } from '../../../support/host/dialogs.ts';
import { type LoopbackServer, startRpcServer } from '../../../support/loopbackServer.ts';

describe('the question for a network', () => {
  const log = window.createOutputChannel('Added networks under test', { log: true });
  let node: LoopbackServer;
  const words = useDialogs();
  let networks: readonly Network[];

  before(async () => {
    const results = new Map([
      ['eth_chainId', '0x539'],
      ['web3_clientVersion', 'Testnode/v1.2.3'],
    ]);
    node = await startRpcServer(({ id, method }) => ({
      ...{ jsonrpc: '2.0', id, result: results.get(method) ?? '0x7' },
    }));
  });
  after(async () => {
    log.dispose();
    await node.close();
  });
  beforeEach(() => {
    networks = builtInNetworks;
  });

  function services({ active = networks[0] }: { readonly active?: Network | undefined } = {}) {
    const http = createHttp(() => undefined);
    return {
      ...{ http, log, keys: { get: async () => undefined }, secrets: { get: async () => undefined } },
      session: { isChosen: true, network: active, httpFor: () => http },
      settings: {
        get current() {
          return { networks };
        },
        writtenIds: ['mine'],
        async saveNetwork(saved: Network) {
          networks = [...networks.filter(({ id }) => id !== saved.id), saved];
        },
        async removeNetwork({ id }: Network) {
          networks = networks.filter((network) => network.id !== id);
        },
        async selectNetwork() {},
      },
    } as never as Parameters<typeof addNetwork>[0];
  }
  const mine = () => networks.find(({ id }) => id === 'mine');

  it('says at the field what is no URL, or has a password in it', async () => {
    for (const url of ['ftp://chain.example', 'http://user:secret@chain.example']) {
      words.shown.length = 0;
      words.types = [url];
      await addNetwork(services());
      assert.ok(
        words.shown.includes('Enter an http or https URL without user name and password.'),
        words.shown.join('\n'),
      );
    }
    assert.equal(networks, builtInNetworks);
  });

  it('shows what was found in a row for each field, which can be left and changed before it is added', async () => {
    // A field without a text is left.
    const picks = [['Name'], ['Name', 'Mine'], ['Symbol', 'TST'], ['Add Without Selecting']];
    words.choose = (labels) => {
      const [label = '', ...texts] = picks.shift() ?? [];
      words.types = texts;
      return labels.indexOf(label);
    };
    words.types = [new URL(node.url).host];
    await addNetwork(services());
    const added = networks.at(-1);
    assert.deepEqual([added?.name, added?.symbol, added?.chainId], ['Mine', 'TST', 1337]);
    const shown = words.shown.join('\n');
    assert.match(shown, /^Name of the network$/m);
    for (const row of [`URL\n${node.url}`, 'Chain ID\n1337', 'Symbol\nETH', 'Symbol\nTST', 'Name\nMine']) {
      assert.ok(shown.includes(row), `${row}\n${shown}`);
    }
  });

  it('says that a key in a URL is kept as plain text', async () => {
    words.types = [`${node.url}/?apikey=Zx81nBq0Lr5tYw93KdPmVa72`];
    await addNetwork(services());
    assert.match(
      words.shown.join('\n'),
      /^The URL seems to contain a key\nsettings\.json stores it as plain text$/m,
    );
  });

  it('edits what is picked, and removes it after a question that says it is the active one', async () => {
    const described = { name: 'Mine', chainId: 1337, symbol: 'ETH', decimals: 18, rpcUrl: node.url };
    networks = [...builtInNetworks, { id: 'mine', ...described }];
    const picks = ['Mine', 'Symbol', 'Save'];
    words.choose = (labels) => labels.indexOf(picks.shift() ?? '');
    words.types = ['TST'];
    await editNetwork(services());
    assert.equal(mine()?.symbol, 'TST');
    assert.deepEqual(picks, []);
    words.choose = (labels) => labels.indexOf('Mine');
    await removeNetwork(services({ active: mine() }));
    assert.ok(mine(), 'it stays unless they agree');
    assert.match(
      words.shown.join('\n'),
      /^Remove Mine from your settings\?\nThis is the active network\. Choose another one afterwards\.$/m,
    );
    words.choose = (labels) => Math.max(labels.indexOf('Mine'), labels.indexOf('Remove'));
    await removeNetwork(services({ active: mine() }));
    assert.equal(mine(), undefined);
  });
});
