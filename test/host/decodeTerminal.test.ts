import assert from 'node:assert/strict';
import { commands, EventEmitter, env, Selection, type Terminal, window, workspace } from 'vscode';
import { encodeItem } from '../support/decodingStubs.ts';
import { stubDialogs } from '../support/host/dialogs.ts';
import { activateExtension, waitUntil } from './support/extension.ts';

const IN_TERMINAL = encodeItem('error Error(string message)', 'said in the terminal');
const IN_EDITOR = encodeItem('error Error(string message)', 'said in the editor');

describe('decoding in a terminal', () => {
  let terminal: Terminal;
  const output = new EventEmitter<string>();

  before(async () => {
    await activateExtension();
    const isOpen = new Promise<void>((resolve) => {
      terminal = window.createTerminal({
        name: 'Output',
        pty: { onDidWrite: output.event, open: () => resolve(), close: () => undefined },
      });
      terminal.show();
    });
    await isOpen;
    output.fire(`reverted with ${IN_TERMINAL}\r\n`);
  });
  after(async () => {
    terminal.dispose();
    await commands.executeCommand('workbench.action.closePanel');
  });
  afterEach(async () => {
    await commands.executeCommand('workbench.action.terminal.clearSelection');
    await commands.executeCommand('workbench.action.closeAllEditors');
  });

  const decoded = () => window.activeTextEditor?.document.getText() ?? '';
  const openText = async (content: string) =>
    window.showTextDocument(await workspace.openTextDocument({ content }));
  /** The terminal draws what is written to it a little later. */
  async function selectAll(): Promise<void> {
    await waitUntil(async () => {
      await env.clipboard.writeText('');
      await commands.executeCommand('workbench.action.terminal.selectAll');
      await commands.executeCommand('workbench.action.terminal.copySelection');
      return (await env.clipboard.readText()).includes(IN_TERMINAL.slice(-20));
    });
  }

  it('takes the selection of its menu, and leaves the clipboard as it was', async () => {
    const editor = await openText(IN_EDITOR);
    editor.selection = new Selection(0, 0, 0, IN_EDITOR.length);
    await selectAll();
    await env.clipboard.writeText('kept');
    await commands.executeCommand('chainside.decodeTerminalSelection', terminal);
    assert.match(decoded(), /^Decoded from the selection in the terminal\n[\s\S]*said in the terminal/);
    assert.doesNotMatch(decoded(), /said in the editor/);
    assert.equal(await env.clipboard.readText(), 'kept');
  });

  it('lets the person choose from the palette where the editor has hex too', async () => {
    await openText(IN_EDITOR);
    await selectAll();
    using person = stubDialogs();
    person.picks = ['Editor', 'Terminal'];
    await commands.executeCommand('chainside.decodeTerminalSelection');
    assert.match(decoded(), /^Decoded at the cursor\n[\s\S]*said in the editor/);
    await openText(IN_EDITOR);
    await commands.executeCommand('chainside.decodeTerminalSelection');
    assert.match(decoded(), /said in the terminal/);
    await commands.executeCommand('workbench.action.closeAllEditors');
    await commands.executeCommand('chainside.decodeTerminalSelection');
    assert.match(decoded(), /said in the terminal/);
    assert.deepEqual(person.picked, ['Editor', 'Terminal']);
  });

  it('asks where nothing is selected, whatever the editor has', async () => {
    await openText(IN_EDITOR);
    using person = stubDialogs();
    try {
      person.types = [encodeItem('error Error(string message)', 'typed')];
      await commands.executeCommand('chainside.decodeTerminalSelection', terminal);
      assert.match(decoded(), /^Decoded from your input\n[\s\S]*"typed"/);
    } finally {
      await commands.executeCommand('notifications.clearAll');
    }
  });
});
