import assert from 'node:assert/strict';
import { commands, extensions, Uri, window } from 'vscode';
import { type LoopbackServer, startRpcServer } from '../support/loopbackServer.ts';
import { activateExtension, selectNetwork, useNetworks } from './support/extension.ts';

describe('activation', () => {
  let server: LoopbackServer;
  let requests = 0;

  before(async () => {
    server = await startRpcServer(({ id }) => {
      requests++;
      return { jsonrpc: '2.0', id, result: '0x1' };
    });
  });
  after(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    await server.close();
  });
  useNetworks(() => ({ counted: { name: 'Counted', chainId: 5, rpcUrl: server.url } }));

  it('registers every command', async () => {
    await activateExtension();
    const registered = new Set(await commands.getCommands(true));
    const contributed: readonly { command: string }[] =
      extensions.getExtension('chainside.chainside')?.packageJSON.contributes.commands;
    assert.ok(contributed.length > 0);
    assert.deepEqual(
      contributed.filter(({ command }) => !registered.has(command)),
      [],
    );
  });

  it('makes no request, nor does selecting a network or opening a file while nothing is looked at', async () => {
    await selectNetwork('counted');
    const { extensionUri } = extensions.getExtension('chainside.chainside') ?? {};
    assert.ok(extensionUri);
    await window.showTextDocument(Uri.joinPath(extensionUri, 'package.json'));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    assert.equal(requests, 0);
  });
});
