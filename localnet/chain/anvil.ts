import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type Anvil = { readonly url: string; stop(): Promise<void> };

const startTimeoutMs = 60_000;

/** Starts anvil without mining of its own. Port 0 takes a free one. */
export async function startAnvil(options: {
  readonly port: number;
  readonly genesisTime: number;
  /** Default: Prague. */
  readonly hardfork?: string;
}): Promise<Anvil> {
  const child = spawn(
    anvilBinary(),
    [
      ...['--host', '127.0.0.1', '--port', String(options.port)],
      ...['--chain-id', '31337', '--hardfork', options.hardfork ?? 'prague'],
      // Room for one block with more logs than a page of an explorer holds.
      ...['--gas-limit', '200000000', '--order', 'fifo', '--no-mining'],
      ...['--timestamp', String(options.genesisTime)],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const killWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', killWithUs);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));

  const stop = async (): Promise<void> => {
    process.off('exit', killWithUs);
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exited;
  };
  try {
    const address = await listeningAddress(child);
    // anvil writes a line for every call; unread, the full pipe would stop it.
    child.stdout?.resume();
    child.stderr?.resume();
    return { url: `http://${address}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function anvilBinary(): string {
  const system = { linux: 'linux', darwin: 'darwin', win32: 'win32' }[process.platform as string];
  const processor = { x64: 'amd64', arm64: 'arm64' }[process.arch as string];
  if (!system || !processor) throw new Error(`anvil is not made for ${process.platform} ${process.arch}`);
  const name = `@foundry-rs/anvil-${system}-${processor}`;
  const nodeRequire = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'));
  const folder = dirname(nodeRequire.resolve(`${name}/package.json`));
  const file = join(folder, 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil');
  // npm leaves the mode of the archive, which some mirrors lose.
  chmodSync(file, 0o755);
  return file;
}

function listeningAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const address = /Listening on (\S+)/.exec(output)?.[1];
      if (address) settle(() => resolve(address));
    };
    const failed = (): void =>
      settle(() => reject(new Error(`anvil did not start:\n${output.slice(-2000)}`)));
    const timer = setTimeout(failed, startTimeoutMs);
    const settle = (result: () => void): void => {
      clearTimeout(timer);
      child.stdout?.off('data', read);
      child.stderr?.off('data', read);
      child.off('exit', failed);
      child.off('error', failed);
      result();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.on('exit', failed);
    child.on('error', failed);
  });
}
