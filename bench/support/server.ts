// A process of its own, so that the servers' work is not counted as the client's. Its argument says what to serve;
// it says where by one message, and ends with its parent.
import type { DialectName } from '../../localnet/explorer/dialects.ts';
import { startExplorer } from '../../localnet/explorer/server.ts';
import { startLocalnet } from '../../localnet/start.ts';
import { type CountedReply, type CountedRequest, startCountingServer } from './countingServer.ts';
import { startQuickExplorer } from './quickExplorer.ts';
import type { ServedDemo, ServerRequest } from './serverProcess.ts';

/** The demo chain as its node serves it, and behind an explorer of each release. */
async function serveDemo(names: readonly DialectName[]): Promise<ServedDemo> {
  const { index, anvilUrl, chain } = await startLocalnet();
  const profiles: [string, string][] = [];
  for (const dialect of names) {
    const { origin } = await startExplorer({ index, dialect });
    profiles.push([dialect, `${await startFront(origin)}/api/eth-rpc`]);
  }
  profiles.push(['anvil', await startFront(anvilUrl)]);
  return { chain, anvilUrl, profiles };
}

/** Counts what passes on its way to the server behind. */
function startFront(target: string): Promise<string> {
  return startCountingServer({ latencyMs: 0, answer: (request) => forward(target, request) });
}

async function forward(
  target: string,
  { method, url, body, headers }: CountedRequest,
): Promise<CountedReply> {
  const { 'content-type': sentType, accept } = headers;
  const response = await fetch(`${target}${url}`, {
    method,
    headers: { ...(sentType && { 'content-type': sentType }), ...(accept && { accept }) },
    ...(body !== '' && { body }),
  });
  const type = response.headers.get('content-type') ?? undefined;
  return { status: response.status, type, body: [await response.bytes()] };
}

process.once('disconnect', () => process.exit());
const request: ServerRequest = JSON.parse(process.argv[2] ?? '');
process.send?.(
  request.serve === 'chain'
    ? await startQuickExplorer(request.logs, request.profiles)
    : await serveDemo(request.dialects),
);
