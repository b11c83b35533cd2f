// The entry in a browser, where the extension host runs one file and knows no module but `vscode`. All else are the
// chunks of the desktop, read from the extension's folder when they are first needed.
import * as vscode from 'vscode';
import type * as extension from './extension.ts';

/** The chunks that each chunk imports statically, by name. The build defines it. */
declare const CHUNK_IMPORTS: Readonly<Record<string, readonly string[]>>;

type RunChunk = (module: { exports: object }, exports: object, require: RequireChunk) => void;

interface RequireChunk {
  (name: string): object;
  /** What `import()` calls in a chunk: fetches the chunk and the chunks that it imports, and runs them. */
  load(name: string): Promise<object>;
}

const chunks = new Map<string, RunChunk>();
const modules = new Map<string, { exports: object }>();
const reads = new Map<string, Promise<void>>();
let folder: vscode.Uri | undefined;
let started: typeof extension | undefined;

export async function activate(context: vscode.ExtensionContext) {
  folder = vscode.Uri.joinPath(context.extensionUri, 'dist');
  started = (await requireChunk.load('./extension.cjs')) as typeof extension;
  return started.activate(context);
}

export async function deactivate(): Promise<void> {
  await started?.deactivate();
}

function requireLoaded(name: string): object {
  if (name === 'vscode') return vscode;
  const known = modules.get(name);
  if (known) return known.exports;
  const run = chunks.get(name);
  if (!run) throw new Error(`${name} is not available in a browser.`);
  const module = { exports: {} };
  // Before it runs, as chunks may import each other.
  modules.set(name, module);
  try {
    run(module, module.exports, requireChunk);
  } catch (error) {
    modules.delete(name);
    throw error;
  }
  return module.exports;
}

const requireChunk: RequireChunk = Object.assign(requireLoaded, {
  async load(name: string) {
    await Promise.all(listImports(name).map(readChunk));
    return requireLoaded(name);
  },
});

/** The chunk and all that it imports, directly or not. */
function listImports(name: string): readonly string[] {
  const found = new Set([name]);
  for (const chunk of found) for (const imported of CHUNK_IMPORTS[chunk] ?? []) found.add(imported);
  return [...found];
}

/** A chunk that could not be read is read again the next time. */
function readChunk(name: string): Promise<void> {
  if (chunks.has(name)) return Promise.resolve();
  const reading = reads.get(name) ?? fetchChunk(name).finally(() => reads.delete(name));
  reads.set(name, reading);
  return reading;
}

async function fetchChunk(name: string): Promise<void> {
  if (!folder) throw new Error('Chainside is not active.');
  const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, name)).then(
    (read) => read,
    (cause: unknown) => {
      throw new Error('A part of Chainside could not be loaded. Check the connection, then try again.', {
        cause,
      });
    },
  );
  const code = `${new TextDecoder().decode(bytes)}\n//# sourceURL=chainside/${name.slice(2)}`;
  // The extension host runs this file in the same way.
  chunks.set(name, new Function('module', 'exports', 'require', code) as RunChunk);
}
