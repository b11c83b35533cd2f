import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { compileFunction, createContext } from 'node:vm';
import { URI, Utils } from 'vscode-uri';
import { buildAll, readMetafile } from '../../../scripts/support/build.ts';

type Load = (name: string) => Promise<object>;

/** A start that gives the test what chunks are loaded with. */
const START = 'exports.activate = () => require.load;';

for (const mode of ['extension', 'development'] as const) {
  describe(`the entry for browsers of the ${mode} build`, () => {
    let folder: string;
    let chunks: readonly string[];

    before(async () => {
      folder = (await buildAll())[mode];
      const meta = await readMetafile(folder, 'extension');
      chunks = Object.keys(meta.outputs).map((file) => `./${basename(file)}`);
    });

    /** Runs the entry without Node, in an editor that reads files by `read`. */
    async function openLoader(read: (path: string) => Promise<Uint8Array> = (path) => readFile(path)) {
      const reads: string[] = [];
      const fs = {
        async readFile({ fsPath }: URI): Promise<Uint8Array> {
          const name = basename(fsPath);
          reads.push(name);
          return name === 'extension.cjs' ? new TextEncoder().encode(START) : read(fsPath);
        },
      };
      const editor = anything({ Uri: Utils, workspace: anything({ fs }) });
      const file = join(folder, 'dist', 'web.cjs');
      const globals = { AbortController, Error, TextDecoder, TextEncoder, URL };
      const runEntry = compileFunction(await readFile(file, 'utf8'), ['module', 'exports', 'require'], {
        filename: file,
        parsingContext: createContext(globals),
      });
      const module = { exports: {} as { activate(context: unknown): Promise<Load> } };
      const required: string[] = [];
      runEntry(module, module.exports, (name: string) => {
        required.push(name);
        return editor;
      });
      const load = await module.exports.activate({ extensionUri: URI.file(folder) });
      return { load, reads, required };
    }

    it('reads and runs every chunk once, without Node, and requires the editor alone', async () => {
      const { load, reads, required } = await openLoader();
      const modules = await Promise.all(chunks.map(load));
      assert.deepEqual(await Promise.all(chunks.map(load)), modules);
      assert.deepEqual([...reads].sort(), chunks.map((chunk) => basename(chunk)).sort());
      assert.deepEqual([...new Set(required)], ['vscode']);
    });

    it('reads a chunk that could not be read again, and no other', async () => {
      let isOffline = true;
      const panel = chunks.find((chunk) => chunk.startsWith('./logsPanel-')) ?? '';
      const { load, reads } = await openLoader(async (path) => {
        if (isOffline && basename(path) === basename(panel)) throw new Error('Offline.');
        return readFile(path);
      });
      await assert.rejects(load(panel), /A part of Chainside could not be loaded/);
      isOffline = false;
      assert.notDeepEqual(Object.keys(await load(panel)), []);
      const repeated = reads.filter((name, index) => reads.indexOf(name) !== index);
      assert.deepEqual(repeated, [basename(panel)]);
    });
  });
}

/** What can be called, constructed, extended and read from without end. It has what is `known`. */
function anything(known: object = {}): object {
  return new Proxy(class {}, {
    get: (target, name) => Reflect.get(known, name) ?? (name === 'prototype' ? target.prototype : anything()),
    apply: () => anything(),
  });
}
