import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { run } from '../../../scripts/support/childProcess.ts';
import { cacheFolder, fromRoot } from '../../../scripts/support/paths.ts';
import type { Course } from './bounds.ts';
import type { Strain } from './strain.ts';

const manifest = {
  ...{ name: 'probe', publisher: 'chainside-test', version: '1.0.0', engines: { vscode: '^1.100.0' } },
  ...{ main: './extension.cjs', activationEvents: ['*'], extensionKind: ['workspace'] },
  ...{ license: 'MIT', repository: 'https://example.test/probe' },
};

/** Packs the extension that watches an extension host from inside; returns its VSIX. */
export async function packageProbe(): Promise<string> {
  const folder = join(cacheFolder, 'probe');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await build({
    ...{ entryPoints: [fromRoot('test/attack/probe/extension.ts')], outfile: join(folder, 'extension.cjs') },
    ...{ bundle: true, format: 'cjs', platform: 'node', target: 'node22', logLevel: 'warning' },
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
  /** For the environment of the extension host. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs `attack` and tells what the extension host went through meanwhile. */
  watch(attack: () => Promise<void>): Promise<Course>;
}

/** The way to the probe of one workbench, which is not started yet. */
export async function createHostProbe(): Promise<HostProbe> {
  const folder = await mkdtemp(join(tmpdir(), 'chainside-probe-'));
  const file = join(folder, 'port');
  async function port(): Promise<string> {
    for (;;) {
      const told = await readFile(file, 'utf8').catch(() => '');
      if (told !== '') return told;
      await sleep(50);
    }
  }
  async function ask(path: string): Promise<Strain> {
    // A connection kept from before may just be ended by a host that was held.
    const headers = { connection: 'close' };
    const response = await fetch(`http://127.0.0.1:${await port()}/${path}`, { headers });
    return (await response.json()) as Strain;
  }
  return {
    env: { CHAINSIDE_PROBE_FILE: file },
    async watch(attack) {
      await ask('reset');
      const started = performance.now();
      await attack();
      return { seconds: (performance.now() - started) / 1000, ...(await ask('read')) };
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
