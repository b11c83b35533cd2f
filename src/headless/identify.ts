import { AppError, type HttpDeps, identityToJson, requireAddress } from '../core/index.ts';
import type { CommandLine } from './line/commandLine.ts';
import { openSource } from './line/openSource.ts';
import { printLines, say } from './line/output.ts';
import { keyHint } from './line/rpcKey.ts';

/** Prints what is at an address. */
export async function printIdentity(
  http: HttpDeps,
  line: CommandLine,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  const address = requireAddress(line.subject);
  const { rpcUrl, chainId } = line;
  const source = await openSource(http, 'identity', { rpcUrl, chainId, signal });
  if (!source) throw new AppError('notServed', 'The endpoint does not tell what is at an address.');
  const identity = await source.identity(address, { signal });
  await printLines([identityToJson(identity)]);
  if (identity.kind === 'unknown') say(`Nobody tells what is at ${address}: see the sources.`);
  const hint = identity.sources.some(({ gap }) => gap === 'refused') ? keyHint(line) : undefined;
  if (hint) say(hint);
}
