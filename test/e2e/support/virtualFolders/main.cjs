// Folders of the disk under a scheme that only `workspace.fs` can read, as those of repositories without a checkout.
const { readdir, readFile, stat } = require('node:fs/promises');
const vscode = require('vscode');

const typeOf = (entry) => (entry.isDirectory() ? vscode.FileType.Directory : vscode.FileType.File);

async function refuse() {
  throw vscode.FileSystemError.NoPermissions('This folder can only be read.');
}

function find(uri, read) {
  return read(uri.path).catch(() => {
    throw vscode.FileSystemError.FileNotFound(uri);
  });
}

const provider = {
  onDidChangeFile: () => new vscode.Disposable(() => undefined),
  watch: () => new vscode.Disposable(() => undefined),
  async stat(uri) {
    const found = await find(uri, stat);
    return { type: typeOf(found), ctime: found.ctimeMs, mtime: found.mtimeMs, size: found.size };
  },
  async readDirectory(uri) {
    const entries = await find(uri, (path) => readdir(path, { withFileTypes: true }));
    return entries.map((entry) => [entry.name, typeOf(entry)]);
  },
  readFile: (uri) => find(uri, readFile),
  ...{ createDirectory: refuse, writeFile: refuse, delete: refuse, rename: refuse },
};

exports.activate = ({ subscriptions }) => {
  subscriptions.push(vscode.workspace.registerFileSystemProvider('memfs', provider, { isReadonly: true }));
};
