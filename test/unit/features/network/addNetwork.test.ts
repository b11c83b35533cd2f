import assert from 'node:assert/strict';
import { window } from 'vscode';
import { builtInNetworks } from '../../../../src/core/index.ts';
import { addNetwork } from '../../../../src/features/network/addNetwork.ts';
import { editNetwork, removeNetwork } from '../../../../src/features/network/editNetwork.ts';
import { useDialogs } from '../../../support/host/dialogs.ts';
import { networkDialogs, useNodeOf1337 } from '../../../support/host/networkDialogs.ts';
import { anyNetwork } from '../../../support/stubs.ts';

describe('the question for a network', () => {
  const log = window.createOutputChannel('Added networks under test', { log: true });
  const node = useNodeOf1337();
  const words = useDialogs();
  let opened: ReturnType<typeof networkDialogs>;

  after(() => log.dispose());
  beforeEach(() => {
    opened = networkDialogs({ log });
  });

  it('says at the field what is no URL, or has a password in it', async () => {
    for (const url of ['ftp://chain.example', 'http://user:secret@chain.example']) {
      words.shown.length = 0;
      words.types = [url];
      await addNetwork(opened.deps);
      assert.ok(
        words.shown.includes('Enter an http or https URL without user name and password.'),
        words.shown.join('\n'),
      );
    }
    assert.deepEqual(opened.settings.done, []);
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
    await addNetwork(opened.deps);
    const added = opened.settings.networks.at(-1);
    assert.deepEqual([added?.name, added?.symbol, added?.chainId], ['Mine', 'TST', 1337]);
    const shown = words.shown.join('\n');
    assert.match(shown, /^Name of the network$/m);
    for (const row of [`URL\n${node.url}`, 'Chain ID\n1337', 'Symbol\nETH', 'Symbol\nTST', 'Name\nMine']) {
      assert.ok(shown.includes(row), `${row}\n${shown}`);
    }
  });

  it('says that a key in a URL is kept as plain text', async () => {
    words.types = [`${node.url}/?apikey=Zx81nBq0Lr5tYw93KdPmVa72`];
    await addNetwork(opened.deps);
    assert.match(
      words.shown.join('\n'),
      /^The URL seems to contain a key\nsettings\.json stores it as plain text$/m,
    );
  });

  it('edits what is picked, and removes it after a question that says it is the active one', async () => {
    const network = anyNetwork(1337, { id: 'mine', name: 'Mine', rpcUrl: node.url });
    const { settings, deps } = opened;
    settings.networks = [...builtInNetworks, network];
    Object.assign(deps.session, { network });
    const mine = () => settings.named('mine');
    const picks = ['Mine', 'Symbol', 'Save'];
    words.choose = (labels) => labels.indexOf(picks.shift() ?? '');
    words.types = ['TST'];
    await editNetwork(deps);
    assert.equal(mine()?.symbol, 'TST');
    assert.deepEqual(picks, []);
    words.choose = (labels) => labels.indexOf('Mine');
    await removeNetwork(deps);
    assert.ok(mine(), 'it stays unless they agree');
    assert.match(
      words.shown.join('\n'),
      /^Remove Mine from your settings\?\nThis is the active network\. Choose another one afterwards\.$/m,
    );
    words.choose = (labels) => Math.max(labels.indexOf('Mine'), labels.indexOf('Remove'));
    await removeNetwork(deps);
    assert.equal(mine(), undefined);
  });
});
