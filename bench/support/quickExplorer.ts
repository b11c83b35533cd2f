import * as z from 'zod/mini';
import { type CountedReply, type CountedRequest, startCountingServer } from './countingServer.ts';
import { createSyntheticChain, type SyntheticChain } from './syntheticChain.ts';

const PAGE = 1000;
const RPC_PATH = '/api/eth-rpc';

const block = z.union([
  z.literal('earliest'),
  z.literal('latest'),
  z.string().check(z.regex(/^0x[0-9a-f]+$/)),
]);
const bareHex = z.string().check(z.regex(/^[0-9a-f]+$/));
const Call = z.object({
  id: z.number(),
  method: z.string(),
  params: z.array(z.unknown()),
});
const Query = z.object({
  address: z.string(),
  fromBlock: block,
  toBlock: block,
  paging_options: z.optional(z.object({ blockNumber: bareHex, logIndex: bareHex })),
});

/** How one endpoint of a chain answers. */
export interface EndpointProfile {
  /** Waited before every response. */
  readonly latencyMs: number;
  /** A node in place of an explorer: it refuses what exceeds its limits, and does not page. */
  readonly node?: { readonly maxRows?: number; readonly maxBlocks?: number };
  /** More requests in a second are refused with HTTP 429. */
  readonly maxRequestsPerSecond?: number;
}

/** A made-up chain and its endpoints, in the order of the profiles. */
export interface QuickExplorer {
  readonly address: string;
  readonly urls: readonly string[];
}

/**
 * An explorer that pages as Blockscout v11.2 does and answers out of finished JSON, so that what a measurement shows
 * is the client's work. It knows the logs of one contract, and no topics.
 */
export async function startQuickExplorer(
  logs: number,
  profiles: readonly EndpointProfile[],
): Promise<QuickExplorer> {
  const chain = createSyntheticChain(logs);
  const urls: string[] = [];
  for (const profile of profiles) {
    const { latencyMs, maxRequestsPerSecond } = profile;
    const isOver = createRateLimit(maxRequestsPerSecond);
    const origin = await startCountingServer({
      latencyMs,
      answer: (request) => (isOver() ? TOO_MANY : answer(chain, profile, request)),
    });
    urls.push(`${origin}${RPC_PATH}`);
  }
  return { address: chain.address, urls };
}

const TOO_MANY: CountedReply = { ...json(['"Too many requests"']), status: 429 };

/** Whether a request comes after as many as are allowed in the last second. */
function createRateLimit(maxRequestsPerSecond = Number.POSITIVE_INFINITY): () => boolean {
  let accepted: number[] = [];
  return () => {
    const now = performance.now();
    accepted = accepted.filter((at) => now - at < 1000);
    if (accepted.length >= maxRequestsPerSecond) return true;
    accepted.push(now);
    return false;
  };
}

function answer(
  chain: SyntheticChain,
  profile: EndpointProfile,
  { url, body }: CountedRequest,
): CountedReply {
  if (url === '/api/v2/config/backend-version' && !profile.node)
    return json(['{"backend_version":"v11.2.7.+commit.86092e0c"}']);
  if (url !== RPC_PATH) return { ...json(['"Page not found"']), status: 404 };
  const asked: unknown = JSON.parse(body);
  if (!Array.isArray(asked)) return json(answerCall(chain, profile, asked));
  const answers = asked.flatMap((call, place) => [
    place === 0 ? '' : ',',
    ...answerCall(chain, profile, call),
  ]);
  return json(['[', ...answers, ']']);
}

function answerCall(chain: SyntheticChain, { node }: EndpointProfile, call: unknown): CountedReply['body'] {
  const { id, method, params } = Call.parse(call);
  if (method === 'web3_clientVersion' && !node) return respond(id, '"error":', ['"Action not found."']);
  if (method !== 'eth_getLogs') return respond(id, '"result":', shortResult(chain, method));
  const query = Query.parse(params[0]);
  const refusal = node && findRefusal(chain, node, query);
  return refusal
    ? respond(id, '"error":', [`{"code":-32005,"message":"${refusal}"}`])
    : respond(id, '"result":', getLogs(chain, query, node ? Number.POSITIVE_INFINITY : PAGE));
}

function respond(id: number, key: string, value: CountedReply['body']): CountedReply['body'] {
  return [`{"jsonrpc":"2.0",${key}`, ...value, `,"id":${id}}`];
}

function shortResult({ head }: SyntheticChain, method: string): readonly string[] {
  if (method === 'web3_clientVersion') return ['"Bench/v1.0.0"'];
  if (method !== 'eth_blockNumber') throw new Error(`This server does not know ${method}.`);
  return [`"0x${head.toString(16)}"`];
}

function findRefusal(
  chain: SyntheticChain,
  {
    maxRows = Number.POSITIVE_INFINITY,
    maxBlocks = Number.POSITIVE_INFINITY,
  }: NonNullable<EndpointProfile['node']>,
  query: z.infer<typeof Query>,
): string | undefined {
  const { first, end } = placesOf(chain, query);
  const { from, to } = blocksOf(chain, query);
  if (to - from >= maxBlocks) return `exceed maximum block range ${maxBlocks}`;
  return end - first > maxRows ? `query returned more than ${maxRows} results` : undefined;
}

function blocksOf({ head }: SyntheticChain, { fromBlock, toBlock }: z.infer<typeof Query>) {
  return {
    from: fromBlock === 'earliest' ? 0 : Number(fromBlock),
    to: toBlock === 'latest' ? head : Number(toBlock),
  };
}

/** Numbers of the logs of a query: the first, and behind the last. */
function placesOf(chain: SyntheticChain, query: z.infer<typeof Query>) {
  const { from, to } = blocksOf(chain, query);
  return { first: chain.firstLogAt(from), end: chain.firstLogAt(to + 1) };
}

function getLogs(chain: SyntheticChain, query: z.infer<typeof Query>, maxRows: number): CountedReply['body'] {
  const { address, paging_options: cursor } = query;
  if (address !== chain.address) return ['[]'];
  const { first: from, end } = placesOf(chain, query);
  // Log indices count from 0 in every block.
  const after = cursor
    ? chain.firstLogAt(Number.parseInt(cursor.blockNumber, 16)) + Number.parseInt(cursor.logIndex, 16) + 1
    : 0;
  const first = Math.max(from, after);
  return ['[', chain.json(first, Math.min(end, first + maxRows)), ']'];
}

function json(body: CountedReply['body']): CountedReply {
  return { status: 200, type: 'application/json; charset=utf-8', body };
}
