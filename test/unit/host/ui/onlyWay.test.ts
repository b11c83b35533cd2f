import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fromRoot } from '../../../../scripts/support/paths.ts';

const UI = 'src/host/ui/';

/**
 * What a file outside of `host/ui` may take from the editor: nothing that shows words. What does belongs into
 * `src/host/ui`, where each text passes `escapeUiText`.
 */
const allowed = new Set(
  `l10n workspace commands env Uri Disposable EventEmitter Range Position Selection ThemeIcon ThemeColor
  TreeItemCollapsibleState QuickPickItemKind ConfigurationTarget InputBoxValidationSeverity RelativePattern FileType
  FileStat FilePermission FileSystemError WorkspaceEdit WorkspaceFolder languages.getLanguages languages.match
  window.activeTextEditor window.onDidChangeActiveTextEditor window.onDidChangeWindowState
  window.registerWebviewPanelSerializer window.showTextDocument window.state`.split(/\s+/),
);
/** Types of what is handed on or read. */
const allowedTypes = new Set(
  `Command CancellationToken TextEditor DocumentSelector Event ExtensionContext InputBoxValidationMessage
  LogOutputChannel Memento NotebookSerializer SecretStorage TextDocument TreeView Webview WebviewPanel`.split(
    /\s+/,
  ),
);

describe('host/ui', () => {
  const files = globSync('src/**/*.ts', { cwd: fromRoot('.') })
    .map((file) => file.replaceAll('\\', '/'))
    .map((file) => ({ file, code: withoutComments(readFileSync(fromRoot(file), 'utf8')) }))
    .filter(({ code }) => /'vscode'/.test(code));
  // The entry in a browser hands the whole API to the chunks, which are made of these files.
  const others = files.filter(({ file }) => !file.startsWith(UI) && file !== 'src/web.ts');

  it('is one of many that know the editor', () => {
    assert.ok(others.length >= 40, `${others.length} files`);
    assert.ok(files.length - others.length >= 8);
  });

  for (const { file, code } of others) {
    it(`is the only way of words to the editor: ${file}`, () => assert.deepEqual(waysAround(code), []));
  }

  it('is not gone around in any of these ways', () => {
    for (const way of [
      'vscode.window.showErrorMessage(message)',
      'vscode.window\n  .showQuickPick(items)',
      'const { window } = vscode;',
      "vscode['window']",
      'const editor = vscode;',
      "import { window } from 'vscode';",
      'new vscode.MarkdownString(text)',
      'vscode.languages.registerHoverProvider(all, provider)',
      'const row: vscode.TreeItem = { label }',
      'this.panel.title = name;',
      'view.message = name;',
      "import {\n  window,\n} from 'vscode';",
      "const { window } = await import('vscode');",
    ]) {
      assert.equal(waysAround(way).length, 1, way);
    }
  });
});

/** Every place of `code` where words may reach the editor without passing the gate. */
function waysAround(code: string): readonly string[] {
  const found: string[] = [];
  for (const [, names = ''] of code.matchAll(/import (?:type )?([^;]*?) from 'vscode'/g)) {
    if (names !== '* as vscode') found.push(names);
  }
  found.push(...(code.match(/\(\s*['"`]vscode['"`]/g) ?? []));
  const body = code.replace(/import [^;]*;/g, '').replace(/const \{ l10n \} = vscode;/g, '');
  for (const [use, first = '', second = ''] of body.matchAll(
    /(?<!['"`.\w-])vscode\b(?:\s*\??\.\s*(\w+)(?:\s*\??\.\s*(\w+))?)?/g,
  )) {
    if (![first, `${first}.${second}`].some((name) => allowed.has(name) || allowedTypes.has(name)))
      found.push(use);
  }
  const shownFields = /[\w)\]]\.(?:title|message|description|badge|tooltip|text|label|detail)\s*=(?![=>]).*/g;
  return [...found, ...(body.match(shownFields) ?? [])];
}

function withoutComments(code: string): string {
  return code.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
}
