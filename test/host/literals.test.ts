import assert from 'node:assert/strict';
import {
  type CodeAction,
  commands,
  type Diagnostic,
  DiagnosticSeverity,
  languages,
  Range,
  type TextDocument,
  type Uri,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import { activated, until } from './support/extension.ts';

const RIGHT = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const WRONG = RIGHT.replace('Fb', 'fB');

describe('checksums in a text', () => {
  before(() => activated());
  afterEach(() => commands.executeCommand('workbench.action.closeAllEditors'));

  let files = 0;
  async function show(name: string, text: string): Promise<TextDocument> {
    const folder = workspace.workspaceFolders?.[0]?.uri ?? assert.fail('No folder is open.');
    const uri = folder.with({ path: `${folder.path}/${++files}${name}` });
    await workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    return (await window.showTextDocument(uri)).document;
  }

  const ours = (uri: Uri): readonly Diagnostic[] =>
    languages.getDiagnostics(uri).filter(({ source }) => source === 'Chainside');

  it('are errors in Solidity where they are wrong, and are mended by a quick fix', async () => {
    const document = await show('A.sol', `address constant A = ${WRONG};`);
    await until(() => ours(document.uri).length === 1);
    const [problem] = ours(document.uri);
    assert.equal(problem?.severity, DiagnosticSeverity.Error);
    assert.match(problem.message, new RegExp(RIGHT));
    assert.deepEqual(problem.range, new Range(0, 21, 0, 21 + WRONG.length));

    const actions = await commands.executeCommand<CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      problem.range,
    );
    const fix = actions.find(({ title }) => title === 'Write the address with its checksum');
    await workspace.applyEdit(fix?.edit ?? assert.fail('There is no fix.'));
    assert.equal(document.getText(), `address constant A = ${RIGHT};`);
    await until(() => ours(document.uri).length === 0);
  });

  it('are hints elsewhere, found anew as one types, and gone with the text', async () => {
    const document = await show('a.json', `{ "right": "${RIGHT}", "lower": "${RIGHT.toLowerCase()}" }`);
    const edit = new WorkspaceEdit();
    edit.insert(document.uri, document.positionAt(1), `"wrong": "${WRONG}", `);
    await workspace.applyEdit(edit);
    await until(() => ours(document.uri).length === 1);
    assert.equal(ours(document.uri)[0]?.severity, DiagnosticSeverity.Hint);
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await until(() => ours(document.uri).length === 0);
  });
});
