/** A part of the sources: its files, what they may import beside their own part, and which packages. */
export interface SourceArea {
  /** As the table in ARCHITECTURE.md names it. */
  readonly name: string;
  /** Of a path from the root. A first group tells apart the instances of an area, of which each is a part of its own. */
  readonly files: RegExp;
  /** Names of areas. */
  readonly may: readonly string[];
  readonly packages: readonly string[];
  /** Whether the documents have a row for it; default: yes. */
  readonly shown?: false;
}

const FEATURE_MAY = ['the door of `core`', '`messaging`', '`host`', '`manifest.ts`'];

/** Who may import whom. The first area whose pattern fits has the file. */
export const importTable: readonly SourceArea[] = [
  { name: 'the door of `core`', files: /^src\/core\/index\.ts$/, may: ['`core`'], packages: [] },
  {
    name: '`core`',
    files: /^src\/core\//,
    may: [],
    packages: ['zod/mini', 'ox', '@noble/hashes', 'hyparquet-writer', 'jsonc-parser', 'smol-toml'],
  },
  { name: '`package.json`', files: /^package(?:\.nls)?\.json$/, may: [], packages: [], shown: false },
  {
    name: '`manifest.ts`',
    files: /^src\/manifest\.ts$/,
    may: ['`package.json`'],
    packages: [],
  },
  { name: '`api.d.ts`', files: /^src\/api\.d\.ts$/, may: [], packages: [], shown: false },
  { name: '`messaging`', files: /^src\/messaging\//, may: [], packages: ['zod/mini'] },
  {
    name: '`host`',
    files: /^src\/host\//,
    may: ['the door of `core`', '`messaging`', '`manifest.ts`'],
    packages: ['vscode', 'zod/mini', 'ignore', 'picomatch', 'node:fs/promises'],
  },
  {
    name: 'a feature’s `protocol`',
    files: /^src\/features\/([^/]+)\/protocol(?:\/|\.ts$)/,
    may: ['the door of `core`', '`messaging`', '`host`'],
    packages: ['zod/mini'],
  },
  {
    name: 'a feature’s `register.ts`',
    files: /^src\/features\/([^/]+)\/register\.ts$/,
    may: [...FEATURE_MAY, 'a feature', 'a feature’s `protocol`'],
    packages: ['vscode', 'zod/mini'],
  },
  {
    name: 'a feature',
    files: /^src\/features\/([^/]+)\//,
    may: [...FEATURE_MAY, 'a feature’s `protocol`'],
    packages: ['vscode', 'zod/mini'],
  },
  {
    name: '`webview/kit`',
    files: /^src\/webview\/kit\//,
    may: ['`messaging`'],
    packages: ['preact', '@preact/signals', 'zod/mini'],
  },
  {
    name: 'a webview',
    files: /^src\/webview\/([^/]+)\//,
    may: ['the door of `core`', '`messaging`', '`webview/kit`', 'a feature’s `protocol`'],
    packages: ['preact', '@preact/signals', 'uplot'],
  },
  {
    name: '`api`',
    files: /^src\/api\//,
    may: ['the door of `core`', '`host`', '`api.d.ts`'],
    packages: ['vscode'],
  },
  {
    name: '`cli`',
    files: /^src\/cli\//,
    may: ['the door of `core`'],
    packages: ['undici', '@modelcontextprotocol/server', 'node:'],
  },
  {
    name: '`extension.ts`',
    files: /^src\/extension\.ts$/,
    may: ['`host`', 'a feature’s `register.ts`', '`api`', '`api.d.ts`', '`manifest.ts`'],
    packages: ['vscode'],
  },
  {
    name: '`web.ts`',
    files: /^src\/web\.ts$/,
    may: ['`extension.ts`'],
    packages: ['vscode'],
  },
  {
    name: '`localnet`',
    files: /^localnet\//,
    may: [],
    packages: ['node:', 'ox', 'solc', 'undici', 'zod/mini'],
  },
  {
    name: '`scripts`',
    files: /^scripts\//,
    may: ['`localnet`', '`bench`', '`cli`', '`manifest.ts`', 'the tests’ `support`'],
    packages: ['node:', '@vscode/test-electron', 'esbuild', 'mocha', 'playwright-core', 'zod/mini'],
  },
  {
    name: '`bench`',
    files: /^bench\//,
    may: ['the door of `core`', '`host`', '`localnet`', '`scripts`', '`cli`'],
    packages: ['node:', 'playwright-core', 'undici', 'vscode', 'zod/mini'],
  },
  {
    name: 'the tests’ `support`',
    files: /^test\/(?:[^/]+\/)?support\//,
    may: [],
    packages: [],
    shown: false,
  },
];
