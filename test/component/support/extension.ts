import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import type * as vscode from 'vscode';
import { Editor, type EditorOptions } from './editor.ts';
import { environment } from './environment.ts';

interface BuiltExtension {
  activate(context: vscode.ExtensionContext): unknown;
  deactivate(): Promise<void>;
}

/** An editor with the extension as it is built for production, activated. */
export interface ActivatedEditor extends AsyncDisposable {
  readonly editor: Editor;
}

export async function activateExtension(options: EditorOptions): Promise<ActivatedEditor> {
  const editor = await Editor.open(options);
  const context = editor.createContext();
  const load = createLoader(editor.api);
  const extension = load(join(environment().extension, 'dist', 'extension.cjs')) as BuiltExtension;
  extension.activate(context);
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
