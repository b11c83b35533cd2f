// Builds the bundles: `node esbuild.mjs [--production] [--watch] [--only BUNDLE] [--outdir DIR] [--metadir DIR]`.
// Writes the inputs of each bundle to the metadir, one JSON file a bundle, and the third-party notices to the outdir.
// The bundle `cli` is not part of the extension and built only by name.
import { globSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { pastDoor } from './scripts/support/pastDoor.ts';
import { thirdPartyNotices } from './scripts/support/thirdPartyNotices.ts';

const root = import.meta.dirname;
const { production, watch, only, outdir, metadir } = parseArgs({
  options: {
    production: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
    only: { type: 'string' },
    outdir: { type: 'string', default: join(root, 'dist') },
    metadir: { type: 'string', default: join(root, '.cache', 'meta') },
  },
}).values;

/**
 * Names of chunks come from the paths of files: with these they are the same in every folder, also where node_modules is a
 * link.
 */
const paths = { absWorkingDir: root, preserveSymlinks: true };

/** @type {esbuild.BuildOptions} */
const shared = {
  ...paths,
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  legalComments: 'none',
  target: 'es2023',
  metafile: true,
  logLevel: watch ? 'silent' : 'warning',
};

// Packages that are CommonJS require what is built into Node.
const requireInModule =
  "import { createRequire as requiring } from 'node:module'; const require = requiring(import.meta.url);";

const { engines } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const oldestNode = /[\d.]+/.exec(engines.node)?.[0] ?? '';

// An older Node would print the stack of an error, with whole lines of the bundle.
const requireNode = `{
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [leastMajor, leastMinor] = [${oldestNode.split('.').slice(0, 2)}];
  if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
    console.error('Chainside needs Node ${oldestNode} or newer. This is Node ' + process.versions.node + '.');
    process.exit(1);
  }
}`;

/** What the programs use of packages that bring much more, and that esbuild cannot shorten by itself. */
const partsOfPackages = {
  // The index loads web sockets, caches and mocks, too. Tunnels through a proxy are made by a method of the API.
  undici: `
    import api from 'undici/lib/api/index.js';
    import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
    Object.assign(Dispatcher.prototype, api);
    export { default as EnvHttpProxyAgent } from 'undici/lib/dispatcher/env-http-proxy-agent.js';
    export { fetch } from 'undici/lib/web/fetch/index.js';`,
  // Ajv validates what a client answers to questions of the server, and ours asks none.
  '@modelcontextprotocol/server/_shims': `
    export { default as process } from 'node:process';
    export class DefaultJsonSchemaValidator {
      getValidator() {
        throw new Error('This program has no validator for JSON schemas.');
      }
    }`,
};

/** @type {Record<string, esbuild.BuildOptions>} */
const bundles = {
  // Neutral, so that a Node built-in module in the extension is a build error. Dynamic imports are split off.
  extension: {
    outdir,
    entryPoints: ['src/extension.ts'],
    chunkNames: '[name]-[hash]',
    outExtension: { '.js': '.cjs' },
    format: 'esm',
    splitting: true,
    // esbuild creates a chunk for each set of entry points that share code. If every lazy chunk imports the
    // start, all code of the start is shared by all of them, and so becomes one file.
    inject: ['src/extension.ts'],
    platform: 'neutral',
    mainFields: ['module', 'main'],
    // Prefers a package's build for any platform over the one for Node.
    conditions: ['browser'],
    // Only host/files/atomicFiles.ts uses Node, and works without it.
    external: ['vscode', 'node:fs/promises'],
    sourcemap: production ? false : 'inline',
    write: false,
    plugins: [pastDoor(join(root, 'src', 'core', 'index.ts')), writeAsCommonJs()],
  },
  // The pages, and the renderer of notebook outputs. What they share, and what one loads late, are chunks.
  views: {
    outdir: join(outdir, 'webview'),
    entryPoints: { ...listPages(), answer: 'src/webview/logs/notebookOutput.tsx' },
    chunkNames: '[name]-[hash]',
    format: 'esm',
    splitting: true,
    platform: 'browser',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    plugins: [pastDoor(join(root, 'src', 'core', 'index.ts')), loadStyleAsText()],
  },
  // A separate program that agents start, on Node.
  mcp: {
    ...nodeProgram({ mcp: 'src/cli/mcp/main.ts' }),
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
  },
  // The program of the npm package, with the MCP server in it.
  cli: {
    ...nodeProgram({ cli: 'src/cli/main.ts' }),
    format: 'esm',
    mainFields: ['module', 'main'],
    banner: { js: `#!/usr/bin/env node\n${requireInModule}\n${requireNode}` },
  },
  // The GitHub Action. It is no part of the extension, and built by `--only action`.
  action: {
    ...nodeProgram({ action: 'src/cli/action/main.ts' }),
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    // jsonc-parser has a bundle that cannot be bundled.
    mainFields: ['module', 'main'],
  },
};

/** @returns {esbuild.BuildOptions} */
function nodeProgram(entryPoints) {
  return {
    outdir,
    entryPoints,
    platform: 'node',
    target: 'node20',
    banner: { js: requireNode },
    // Of undici's parsers for HTTP, the one that every processor runs is enough: undici falls back to it. The others have
    // 220 KB.
    external: ['../milo/*', '../llhttp/llhttp_simd-wasm.js'],
    plugins: [pastDoor(join(root, 'src', 'core', 'index.ts')), replaceModules(partsOfPackages)],
  };
}

/** Has modules of packages replaced by the given sources. */
function replaceModules(sources) {
  return {
    name: 'replace modules',
    setup(build) {
      for (const [name, contents] of Object.entries(sources)) {
        build.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: 'replaced' }));
        build.onLoad({ filter: new RegExp(`^${name}$`), namespace: 'replaced' }, () => ({
          contents,
          resolveDir: root,
        }));
      }
    },
  };
}

/** Each folder of the webview with a `main.tsx` is a page named after the folder. */
function listPages() {
  const files = globSync('src/webview/*/main.tsx', { cwd: root });
  return Object.fromEntries(files.map((file) => [basename(dirname(file)), file.replaceAll('\\', '/')]));
}

/** Styles of notebook outputs, which share their page with others: rules on its body apply to the host of a shadow tree. */
function loadStyleAsText() {
  return {
    name: 'style as text',
    setup(build) {
      build.onLoad({ filter: /[\\/]output\.css$/ }, async ({ path }) => {
        const bundled = await esbuild.build({
          ...paths,
          entryPoints: [path],
          bundle: true,
          write: false,
          minify: production,
          metafile: true,
          target: 'chrome130',
        });
        const [{ text }] = bundled.outputFiles;
        const style = text.replace(/\bbody((?:\.[\w-]+)+)/g, ':host-context(body$1)');
        const contents = `export const style = ${JSON.stringify(style)};`;
        return { contents, loader: 'js', watchFiles: Object.keys(bundled.metafile.inputs) };
      });
    },
  };
}

/**
 * Turns each file into CommonJS: esbuild splits only ES modules, but both kinds of extension host load CommonJS.
 */
function writeAsCommonJs() {
  const options = {
    format: 'cjs',
    minify: production,
    sourcemap: production ? false : 'inline',
    target: shared.target,
    // Lazy modules are loaded by `require` too.
    supported: { 'dynamic-import': false },
  };
  return {
    name: 'write as CommonJS',
    setup(build) {
      build.onEnd(async ({ outputFiles = [], metafile }) => {
        await mkdir(outdir, { recursive: true });
        const entry = metafile ? await bundleWebEntry(metafile) : [];
        for (const { path, text } of [...outputFiles, ...entry]) {
          const prepared = loadLazyChunks(requireEditorOnce(text));
          const { code } = await esbuild.transform(prepared, { ...options, sourcefile: path });
          await writeFile(path, code);
        }
      });
    },
  };
}

/** The entry for browsers, `src/web.ts`, with the names of the chunks that each chunk imports. */
async function bundleWebEntry({ outputs }) {
  const imports = Object.entries(outputs).map(([file, { imports }]) => [
    `./${basename(file)}`,
    imports
      .filter(({ kind, external }) => kind === 'import-statement' && !external)
      .map(({ path }) => `./${basename(path)}`),
  ]);
  const { outputFiles } = await esbuild.build({
    ...shared,
    entryPoints: ['src/web.ts'],
    outfile: join(outdir, 'web.cjs'),
    format: 'esm',
    platform: 'neutral',
    external: ['vscode'],
    sourcemap: false,
    write: false,
    define: { CHUNK_IMPORTS: JSON.stringify(Object.fromEntries(imports)) },
  });
  return outputFiles;
}

/** `import()` of a chunk asks the loader of `src/web.ts` in a browser, and `require` on the desktop. */
function loadLazyChunks(text) {
  const loading = text.replace(/\bimport\("\.\//g, 'loadChunk("./');
  return loading === text
    ? text
    : `const loadChunk = require.load ?? (async (name) => require(name));${loading}`;
}

const IMPORT_OF_EDITOR = /(?<=^|[;}])import ?\* ?as ([\w$]+) from ?"vscode";/gm;

/** Requires the VS Code API once a file: esbuild would copy its 300 names for each import. */
function requireEditorOnce(text) {
  const names = [...text.matchAll(IMPORT_OF_EDITOR)].map(([, name]) => name);
  const [first] = names;
  const requires = names
    .map((name) => `const ${name} = ${name === first ? 'require("vscode")' : first};`)
    .join('');
  return requires + text.replace(IMPORT_OF_EDITOR, '');
}

/** In watch mode, prints the lines that the problem matcher in .vscode/tasks.json expects. */
function reportBuild(name) {
  return {
    name: 'report',
    setup(build) {
      build.onStart(() => {
        if (watch) console.log('[watch] build started');
      });
      build.onEnd(async ({ errors, metafile }) => {
        if (metafile) await writeMetafile(name, metafile);
        if (!watch) return;
        for (const { text, location } of errors) {
          console.error(`✘ [ERROR] ${text}`);
          if (location) console.error(`    ${location.file}:${location.line}:${location.column}:`);
        }
        console.log('[watch] build finished');
      });
    },
  };
}

async function writeMetafile(name, metafile) {
  await mkdir(metadir, { recursive: true });
  // With paths of outputs from the folder of the build, which may move.
  const folder = relative(root, dirname(metadir)).replaceAll('\\', '/');
  const text =
    folder === '' ? JSON.stringify(metafile) : JSON.stringify(metafile).replaceAll(`"${folder}/`, '"');
  await writeFile(join(metadir, `${name}.json`), text);
  for (const [file, { bytes }] of Object.entries(metafile.outputs)) {
    if (!file.endsWith('.map')) console.log(`${file}  ${(bytes / 1024).toFixed(1)} KiB`);
  }
}

async function writeNotices(metafiles) {
  await writeFile(join(outdir, 'THIRD-PARTY-NOTICES.txt'), await thirdPartyNotices(root, metafiles));
}

// A bundle that is built alone leaves the others as they are.
if (only === undefined) await rm(outdir, { recursive: true, force: true });
const contexts = await Promise.all(
  Object.entries(bundles)
    .filter(([name]) => (only === undefined ? !['cli', 'action'].includes(name) : name === only))
    .map(([name, bundle]) =>
      esbuild.context({ ...shared, ...bundle, plugins: [...(bundle.plugins ?? []), reportBuild(name)] }),
    ),
);
if (watch) {
  await Promise.all(contexts.map((context) => context.watch()));
} else {
  const results = await Promise.allSettled(contexts.map((context) => context.rebuild()));
  await Promise.all(contexts.map((context) => context.dispose()));
  if (results.some(({ status }) => status === 'rejected')) process.exitCode = 1;
  else await writeNotices(results.map(({ value }) => value.metafile));
}
