import assert from 'node:assert/strict';
import { commands, type TextDocument, Uri, window, workspace } from 'vscode';
import { encodeParameters, type Hex, parseAbiItem } from '../../src/core/index.ts';
import { createWorkspaceFolder } from '../support/host/workspaceFolder.ts';
import { activateExtension, waitUntil } from './support/extension.ts';

function encoded(item: string, ...values: Parameters<typeof encodeParameters>[1]): Hex {
  const parsed = parseAbiItem(item);
  if (!parsed || parsed.kind === 'event') return assert.fail(item);
  return `${parsed.selector}${encodeParameters(parsed.inputs, values).slice(2)}` as Hex;
}

const CALL = encoded('function transfer(address to, uint256 value)', `0x${'5a'.repeat(20)}`, 12_500n);
const REASON = encoded('error Error(string message)', 'not enough');

describe('documents of decoded hex', () => {
  let folder: Uri;

  before(async () => {
    await activateExtension();
    folder = await createWorkspaceFolder('decode');
  });
  after(() => workspace.fs.delete(folder, { recursive: true }));
  afterEach(() => commands.executeCommand('workbench.action.closeAllEditors'));

  let files = 0;
  /** A file of its own: the editor gives the name of an unsaved text that was closed to the next one. */
  async function open(content: string): Promise<TextDocument> {
    const file = Uri.joinPath(folder, `text-${++files}.txt`);
    await workspace.fs.writeFile(file, new TextEncoder().encode(content));
    return workspace.openTextDocument(file);
  }

  /** The text of the document that answers. */
  function decoded(): string {
    const { document } = window.activeTextEditor ?? assert.fail('No editor is active.');
    assert.equal(document.uri.scheme, 'chainside-decoded');
    return document.getText();
  }

  it('answers in a document for each hex, in the group in front, which cannot be changed', async () => {
    await window.showTextDocument(await open(CALL));
    await commands.executeCommand('chainside.decode');
    const first = decoded();
    assert.equal(window.activeTextEditor?.viewColumn, 1);
    await commands.executeCommand('chainside.decode', REASON);
    assert.match(decoded(), /not enough/);
    await commands.executeCommand('chainside.decode', CALL);
    await commands.executeCommand('chainside.decode', REASON);
    assert.equal(window.tabGroups.all.length, 1);
    const labels = window.tabGroups.all.flatMap((group) => group.tabs).map(({ label }) => label);
    assert.deepEqual(labels.slice(1), ['Decoded 0xa905…30d4', 'Decoded 0x08c3…0000']);
    const text = decoded();
    assert.notEqual(text, first);
    await commands.executeCommand('default:type', { text: 'typed' });
    assert.equal(decoded(), text);
  });

  it('takes the group that shows one already, and wraps long lines', async () => {
    await commands.executeCommand('chainside.decode', CALL);
    await window.showTextDocument(await open('other'), { viewColumn: 2 });
    await commands.executeCommand('chainside.decode', REASON);
    const { viewColumn, document } = window.activeTextEditor ?? assert.fail();
    assert.equal(viewColumn, 1);
    assert.equal(document.languageId, 'chainside');
    const editor = workspace.getConfiguration('editor', document);
    assert.equal(editor.get('wordWrap'), 'on');
    assert.equal(editor.get('minimap.enabled'), false);
  });

  it('lets a log panel into its group', async () => {
    await window.showTextDocument(await open('code'));
    const shown = await window.showTextDocument(await open('other'), { viewColumn: 2 });
    await commands.executeCommand('chainside.decode', CALL);
    await window.tabGroups.close(
      window.tabGroups.all.flatMap(({ tabs }) =>
        tabs.filter(({ label }) => shown.document.fileName.endsWith(label)),
      ),
    );
    await commands.executeCommand('chainside.queryLogs');
    const inGroups = () => window.tabGroups.all.map(({ tabs }) => tabs.length);
    await waitUntil(() => inGroups().join() === '1,2');
  });
});
