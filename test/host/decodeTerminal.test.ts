import assert from 'node:assert/strict';
import { commands, EventEmitter, env, Selection, type Terminal, window, workspace } from 'vscode';
import { findTerminalLinks } from '../../src/features/decode/terminalLinks.ts';
import { encodeItem } from '../support/decodingStubs.ts';
import { stubDialogs } from '../support/host/dialogs.ts';
import { activateExtension, waitUntil } from './support/extension.ts';

const ADDRESS = `0x${'5a'.repeat(20)}`;
const HASH = `0x${'7a'.repeat(32)}`;
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

  const linksOf = (line: string) =>
    findTerminalLinks(line).map(({ kind, startIndex, length }) => [
      kind,
      line.slice(startIndex, startIndex + length),
    ]);

  it('runs the call of an error that has its target as well', () => {
    const data = `0x12345678${'5'.padStart(64, '0')}`;
    const line = `Error: execution reverted (data="${IN_TERMINAL}", transaction={ "data": "${data}", "to": "${ADDRESS}" })`;
    const links = findTerminalLinks(line).map(({ tooltip, call }) => [tooltip, call]);
    assert.deepEqual(links, [
      ['Look Up Address', undefined],
      ['Decode', undefined],
      ['Simulate Call', { to: ADDRESS, data, value: '0x0' }],
    ]);
  });

  it('links addresses, hashes and hex of a call or a revert', () => {
    const panic = `0x4e487b71${'32'.padStart(64, '0')}`;
    const unknown = `0x245aecd3: ${'1'.padStart(64, '0')}`;
    assert.deepEqual(linksOf(`from ${ADDRESS}, tx ${HASH}: ${panic} | custom error ${unknown}`), [
      ['address', ADDRESS],
      ['transaction', HASH],
      ['hex', panic],
      ['hex', unknown],
    ]);
    assert.deepEqual(linksOf('custom error 0x245aecd3'), [['hex', '0x245aecd3']]);
    const word = `0x${'5'.padStart(64, '0')}`;
    assert.deepEqual(linksOf(`slot ${word}`), [['hex', word]], 'a small number is no hash');
    assert.deepEqual(linksOf(`code 0x6080${'ab'.repeat(50)} and 0x12`), []);
    const [link] = findTerminalLinks(`custom error ${unknown}`);
    assert.equal(link?.value, unknown.replace(': ', ''));
  });

  it('offers no private key to be looked up', () => {
    for (const line of [`Private key: ${HASH}`, `PRIVATE_KEY=${HASH} forge test`, `(0) ${HASH}`]) {
      assert.deepEqual(linksOf(line), [], line);
    }
    assert.deepEqual(linksOf(`(0) ${ADDRESS} (10000 ETH)`), [['address', ADDRESS]]);
  });

  it('links the beginning of a line of megabytes', () => {
    assert.equal(findTerminalLinks(`${ADDRESS} `.repeat(100_000)).length, 50);
  });
});
