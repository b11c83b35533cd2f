import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fromRoot } from '../../../scripts/support/paths.ts';

/** A use of the file system: Node's, the editor's, or the port to Node's. */
const ACCESS =
  /'node:fs(?:\/promises)?'|\bworkspace\s*\.\s*fs\b|\bfs\b[^;]*\}\s*=\s*vscode\.workspace|\bloadNodeFiles\(/;

/**
 * Who may use the file system, and why. Everything else reads a project by `createFilesInside` or `findFolderFile`, and
 * writes by `writeInside`: they follow no link out of a folder, and wait for no pipe.
 */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/cli/action/inputs.ts': 'only asks where links lead, to refuse those that leave the repository',
  'src/cli/context.ts': 'the package.json of Chainside itself',
  'src/cli/disk.ts': 'reads what the user has named; the disk for the writers of core',
  'src/cli/operationDeps.ts': 'creates new files in the folder of --out, by names without a folder',
  'src/cli/projectFolder.ts': 'gives Node to createFilesInside; names of the folders above a file',
  'src/cli/queryFileText.ts': 'only asks where links lead, and whether a file may be written',
  'src/cli/queryPaths.ts': 'lists folders that the user has named, and enters no link',
  'src/features/addresses/addressBook.ts': 'storage of the extension',
  'src/features/agents/agents.ts': 'storage of the extension',
  'src/features/logs/export/saveQueryFile.ts': 'a file of the save dialog',
  'src/features/logs/queries/queryStore.ts': 'storage of the extension',
  'src/host/files/atomicFiles.ts': 'a file of the save dialog, and the list of unfinished exports',
  'src/host/files/nodeFiles.ts': 'loads Node',
  'src/host/files/nodeFs.d.ts': 'types',
  'src/host/files/storage.ts': 'storage of the extension; whether something exists',
  'src/host/names/nameProviders.ts':
    'writes where isWrittenInside has found no link; whether a file has content',
  'src/host/ui/diagnostics.ts': 'whether a file system can be written',
  'src/host/workspace/folderFiles.ts': 'the reader of workspace folders',
  'src/host/workspace/workspaceFiles.ts': 'watches folders; lstat follows no link',
  'src/web.ts': 'the chunks of Chainside itself',
};

describe('the file system', () => {
  const users = globSync('src/**/*.{ts,tsx}', { cwd: fromRoot('.') })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => ACCESS.test(withoutComments(readFileSync(fromRoot(file), 'utf8'))))
    .sort();

  it('is used by the readers and writers that follow no link out of a folder, and by few others', () => {
    assert.deepEqual(users, Object.keys(ALLOWED).sort());
  });

  it('would be seen in each of these uses', () => {
    for (const use of [
      "import { readFile } from 'node:fs/promises';",
      "import { readFileSync } from 'node:fs';",
      "const fs = await import('node:fs/promises');",
      'await vscode.workspace.fs.readFile(uri)',
      'workspace\n  .fs.stat(uri)',
      'const { fs } = vscode.workspace;',
      'const { textDocuments, fs: files } = vscode.workspace;',
      'const fs = await loadNodeFiles();',
    ])
      assert.match(use, ACCESS);
    assert.doesNotMatch(withoutComments("/** As 'node:fs' has it. */\n// workspace.fs"), ACCESS);
  });
});

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
}
