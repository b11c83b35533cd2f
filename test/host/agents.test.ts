import assert from 'node:assert/strict';
import { commands, LanguageModelTextPart, lm, Selection, Uri, window, workspace } from 'vscode';
import { openText } from '../support/host/openText.ts';
import { localnetFromEnv } from '../support/localnetAddresses.ts';
import { activateExtension, selectNetwork, useNetworks, waitUntil } from './support/extension.ts';

describe('What agents are offered', () => {
  const { anvilUrl, chain } = localnetFromEnv();
  const usd = chain.contracts.usd.address;
  useNetworks(() => ({
    node: { name: 'Node', chainId: chain.chainId, rpcUrl: anvilUrl, symbol: 'ETH' },
  }));
  before(async () => {
    await activateExtension();
    await selectNetwork('node');
  });

  async function invoke(input: object): Promise<Record<string, unknown>> {
    const result = await lm.invokeTool('chainside_open_query', { input, toolInvocationToken: undefined });
    const [part] = result.content;
    assert.ok(part instanceof LanguageModelTextPart);
    return JSON.parse(part.value);
  }

  it('is a tool that opens a query in a panel, and tells of it without its rows', async () => {
    const told = await invoke({ address: usd, event: 'Transfer' });
    assert.equal(told.opened, true);
    assert.ok(Number(told.rowsRead) > 0);
    assert.deepEqual(told.network, { chainId: 31337, name: 'Node' });
    assert.ok(JSON.stringify(told).length < 1500);
    assert.ok(!JSON.stringify(told).includes(chain.accounts.alice.slice(2).toLowerCase()));
    await commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('says which parameter is wrong, and what it takes', async () => {
    await assert.rejects(invoke({ adress: usd }), /adress is not a parameter\. Parameters: what, address/);
  });

  it('decodes the selection, and says where there is no hex', async () => {
    const document = await openText('call 0xa9059cbb here');
    const editor = await window.showTextDocument(document);
    editor.selection = new Selection(0, 5, 0, 15);
    const told = await invoke({ what: 'selection' });
    const [first] = told.candidates as { signature: string }[];
    assert.equal(first?.signature, 'transfer(address,uint256)');
    editor.selection = new Selection(0, 0, 0, 0);
    await assert.rejects(invoke({ what: 'selection' }), /no hex/);
    await commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('tells of the contracts of the open file, and says where there are none', async () => {
    const folder = workspace.workspaceFolders?.[0]?.uri ?? assert.fail('No folder is open.');
    const file = Uri.joinPath(folder, 'agents', 'Kiosk.sol');
    await workspace.fs.writeFile(file, Buffer.from('contract Kiosk { event Sold(uint indexed item); }\n'));
    await window.showTextDocument(file);
    let told: Record<string, unknown> = {};
    await waitUntil(async () => {
      told = await invoke({ what: 'openFile' }).catch(() => ({}));
      return 'file' in told;
    });
    assert.deepEqual(
      [told.file, told.contracts],
      [{ chainText: 'agents/Kiosk.sol' }, [{ chainText: 'Kiosk' }]],
    );
    assert.match(JSON.stringify(told.answers), /Sold\(uint256 indexed item\)/);
    await window.showTextDocument(await openText('nothing'));
    await assert.rejects(invoke({ what: 'openFile' }), /declares no contract/);
    await commands.executeCommand('workbench.action.closeAllEditors');
    await workspace.fs.delete(Uri.joinPath(folder, 'agents'), { recursive: true });
  });
});
