import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compileFunction, createContext } from 'node:vm';
import type * as vscode from 'vscode';
import { Editor, type EditorOptions } from '../../support/vscode/editor.ts';
import { environment } from './environment.ts';

interface BuiltExtension {
  activate(context: vscode.ExtensionContext): unknown;
  deactivate(): Promise<void>;
}

/** An editor with the extension as it is built for production, activated. */
export interface ActivatedEditor extends AsyncDisposable {
  readonly editor: Editor;
}

export async function activateExtension(options: Omit<EditorOptions, 'extension'>): Promise<ActivatedEditor> {
  const editor = new Editor({ ...options, extension: environment().extension });
  const context = editor.createContext();
  const folder = join(environment().extension, 'dist');
  const extension = options.isWeb
    ? loadInBrowser(join(folder, 'web.cjs'), editor.api)
    : (createLoader(editor.api)(join(folder, 'extension.cjs')) as BuiltExtension);
  await extension.activate(context);
  return {
    editor,
    // As VS Code does: it disposes of the subscriptions at once, and waits for the extension then.
    async [Symbol.asyncDispose]() {
      editor.closePanels();
      const ended = extension.deactivate();
      for (const { dispose } of context.subscriptions.map(bound).reverse()) dispose();
      await ended;
    },
  };
}

/** As the editor does in a browser: runs one file, without Node, that can require nothing but the editor's API. */
function loadInBrowser(file: string, api: typeof vscode): BuiltExtension {
  const globals = Object.fromEntries(workerGlobals.map((name) => [name, globalThis[name]]));
  const run = compileFunction(readFileSync(file, 'utf8'), ['module', 'exports', 'require'], {
    filename: file,
    parsingContext: createContext(globals),
  });
  const module = { exports: {} };
  run(module, module.exports, (id: string) => {
    if (id === 'vscode') return api;
    throw new Error(`Cannot load module '${id}'.`);
  });
  return module.exports as BuiltExtension;
}

/** What a web worker has beside the language, as far as Node has it too. */
const workerGlobals = [
  ...['AbortController', 'AbortSignal', 'Blob', 'CompressionStream', 'DecompressionStream', 'DOMException'],
  ...['Event', 'EventTarget', 'Headers', 'MessageChannel', 'ReadableStream', 'Request', 'Response'],
  ...['TextDecoder', 'TextEncoder', 'TransformStream', 'URL', 'URLSearchParams', 'WritableStream'],
  ...['atob', 'btoa', 'clearInterval', 'clearTimeout', 'console', 'crypto', 'fetch', 'performance'],
  ...['queueMicrotask', 'setInterval', 'setTimeout', 'structuredClone'],
  // The editor's API and the servers are outside: what they give is of these classes.
  ...['ArrayBuffer', 'Error', 'Promise', 'TypeError', 'Uint8Array'],
] as readonly (keyof typeof globalThis)[];

function bound(disposable: { dispose(): unknown }) {
  return { dispose: () => void disposable.dispose() };
}

/** As the editor does: loads the files of the extension anew for each window, with the editor's API in place of `vscode`. */
function createLoader(api: typeof vscode): (file: string) => unknown {
  const modules = new Map<string, { exports: unknown }>();
  function load(file: string): unknown {
    const loaded = modules.get(file);
    if (loaded) return loaded.exports;
    const module = { exports: {} as unknown };
    modules.set(file, module);
    const builtIn = createRequire(file);
    const require = (id: string) => {
      if (id === 'vscode') return api;
      return id.startsWith('.') ? load(join(dirname(file), id)) : builtIn(id);
    };
    const run = compileFunction(readFileSync(file, 'utf8'), ['module', 'exports', 'require'], {
      filename: file,
    });
    run(module, module.exports, require);
    return module.exports;
  }
  return load;
}
