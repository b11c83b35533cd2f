import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { run } from '../../../scripts/support/childProcess.ts';
import { cacheFolder, fromRoot } from '../../../scripts/support/paths.ts';
import { waitUntil } from '../../../scripts/support/workbench/waitUntil.ts';
import { assertWithinBounds } from './bounds.ts';
import type { Strain } from './strain.ts';

const manifest = {
  ...{ name: 'probe', publisher: 'chainside-test', version: '1.0.0', engines: { vscode: '^1.100.0' } },
  ...{ main: './extension.cjs', activationEvents: ['*'], extensionKind: ['workspace'] },
  ...{ license: 'MIT', repository: 'https://example.test/probe' },
  capabilities: { untrustedWorkspaces: { supported: true } },
};

/** Packs the extension that watches an extension host from inside; returns its VSIX. */
export async function packageProbe(): Promise<string> {
  const folder = join(cacheFolder, 'probe');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await build({
    ...{ entryPoints: [fromRoot('test/attack/probe/extension.ts')], outfile: join(folder, 'extension.cjs') },
    ...{ bundle: true, format: 'cjs', platform: 'node', target: 'node22', logLevel: 'warning' },
    external: ['vscode'],
  });
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'README.md'), 'Watches the extension host that it runs in.\n');
  const file = join(folder, 'probe.vsix');
  const vsce = fromRoot('node_modules', '@vscode', 'vsce', 'vsce');
  await run(process.execPath, [vsce, 'package', '--no-dependencies', '--skip-license', '--out', file], {
    cwd: folder,
  });
  return file;
}

export interface HostProbe extends AsyncDisposable {
  /** For the environment of the extension hosts. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Runs `attack` and holds what the extension hosts go through meanwhile to the bounds: of each figure that of the worst.
   * The seconds are those of one of the `turns` that it takes.
   */
  watch(attack: () => Promise<void>, turns?: number): Promise<void>;
  /** The extension host of the window that was opened last. */
  newestHost(): Promise<ProbedHost>;
  /** The same of a window that `open` opens, once it is awake. */
  hostOpenedBy(open: () => Promise<unknown>): Promise<ProbedHost>;
}

export interface ProbedHost {
  /** Runs a command of the extension with arguments, as another extension may; resolves when it has ended. */
  run(command: string, ...args: readonly unknown[]): Promise<void>;
  /** Texts of the open documents that the extension made. */
  documents(): Promise<readonly string[]>;
}

/** The way to the probes of one workbench, which is not started yet: one for each of its windows. */
export async function createHostProbe(): Promise<HostProbe> {
  const folder = await mkdtemp(join(tmpdir(), 'chainside-probe-'));
  const file = join(folder, 'ports');
  async function ports(): Promise<readonly string[]> {
    let told = '';
    await waitUntil('an extension host tells where its probe listens', async () => {
      told = await readFile(file, 'utf8').catch(() => '');
      return told !== '';
    });
    return told.trimEnd().split('\n');
  }
  async function askAll(path: string): Promise<Strain> {
    const answers = await Promise.allSettled((await ports()).map((port) => ask(port, path)));
    // A window that was closed has no host any more.
    const strains = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    if (strains.length === 0) throw new Error('No extension host answers any more.');
    return {
      longestBlockMs: Math.max(...strains.map(({ longestBlockMs }) => longestBlockMs)),
      grownMiB: Math.max(...strains.map(({ grownMiB }) => grownMiB)),
    };
  }
  return {
    env: { CHAINSIDE_PROBE_FILE: file },
    async watch(attack, turns = 1) {
      await askAll('reset');
      const started = performance.now();
      await attack();
      const seconds = (performance.now() - started) / 1000 / turns;
      assertWithinBounds({ seconds, ...(await askAll('read')) }, 'extension host');
    },
    async newestHost() {
      for (const port of (await ports()).toReversed()) {
        const isAwake = await ask(port, 'read').catch(() => undefined);
        if (isAwake) return probedHost(port);
      }
      throw new Error('No extension host answers any more.');
    },
    async hostOpenedBy(open) {
      const { length } = await ports();
      await open();
      const opened = async () => (await ports())[length];
      await waitUntil('the window that was opened has an extension host', async () =>
        Boolean(await opened()),
      );
      return probedHost((await opened()) ?? '');
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

function probedHost(port: string): ProbedHost {
  return {
    async run(...call) {
      await ask(port, 'command', JSON.stringify(call));
    },
    documents: () => ask(port, 'documents'),
  };
}

async function ask<T = Strain>(port: string, path: string, body?: string): Promise<T> {
  // A connection kept from before may just be ended by a host that was held.
  const headers = { connection: 'close' };
  const init = body === undefined ? { headers } : { headers, method: 'POST', body };
  const response = await fetch(`http://127.0.0.1:${port}/${path}`, init);
  return (await response.json()) as T;
}
