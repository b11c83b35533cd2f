import { once } from 'node:events';
import type { DemoChain } from '../../localnet/chain/demoChain.ts';
import type { DialectName } from '../../localnet/explorer/dialects.ts';
import { startProcess, stopProcess } from '../../scripts/support/childProcess.ts';
import { fromRoot } from '../../scripts/support/paths.ts';
import { hold } from '../../scripts/support/script.ts';
import type { EndpointProfile, QuickExplorer } from './quickExplorer.ts';

export type ServerRequest =
  | { readonly serve: 'chain'; readonly logs: number; readonly profiles: readonly EndpointProfile[] }
  | { readonly serve: 'demo'; readonly dialects: readonly DialectName[] };

/** The demo chain on anvil, behind explorers of several releases. */
export interface ServedDemo {
  readonly chain: DemoChain;
  /** The node itself, where nothing counts requests. */
  readonly anvilUrl: string;
  /** Name of a server profile and its endpoint. */
  readonly profiles: readonly (readonly [string, string])[];
}

/** A chain with the logs of one contract; `urlAt` is its endpoint with one of the latencies. */
export async function serveChain(
  resources: AsyncDisposableStack,
  logs: number,
  latenciesMs: readonly number[],
): Promise<{ readonly address: string; urlAt(latencyMs: number): string }> {
  const profiles = latenciesMs.map((latencyMs) => ({ latencyMs }));
  const { address, urls } = await serveProfiles(resources, logs, profiles);
  return { address, urlAt: (latencyMs) => urls[latenciesMs.indexOf(latencyMs)] ?? '' };
}

/** A chain with the logs of one contract, behind an endpoint of each profile. */
export function serveProfiles(
  resources: AsyncDisposableStack,
  logs: number,
  profiles: readonly EndpointProfile[],
): Promise<QuickExplorer> {
  return startServer(resources, { serve: 'chain', logs, profiles });
}

export function serveDemo(
  resources: AsyncDisposableStack,
  dialects: readonly DialectName[],
): Promise<ServedDemo> {
  return startServer(resources, { serve: 'demo', dialects });
}

async function startServer<T>(resources: AsyncDisposableStack, request: ServerRequest): Promise<T> {
  const program = fromRoot('bench', 'support', 'server.ts');
  const args = ['--disable-warning=ExperimentalWarning', program, JSON.stringify(request)];
  const child = startProcess(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ready = once(child, 'message').then(([message]) => message as T);
  const failed = once(child, 'exit').then(() => {
    throw new Error('The server of the benchmark ended before it was ready.');
  });
  const starting = Promise.race([ready, failed]);
  failed.catch(() => undefined);
  return hold(resources, starting, () => stopProcess(child));
}
