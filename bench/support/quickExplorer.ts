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

/** A made-up chain and its endpoints, one for each latency asked for. */
export interface QuickExplorer {
  readonly address: string;
  readonly urls: readonly (readonly [latencyMs: number, url: string])[];
}

/**
 * An explorer that pages as Blockscout v11.2 does and answers out of finished JSON, so that what a measurement shows
 * is the client's work. It knows the logs of one contract, and no topics.
 */
export async function startQuickExplorer(
  logs: number,
  latenciesMs: readonly number[],
): Promise<QuickExplorer> {
  const chain = createSyntheticChain(logs);
  const urls: [number, string][] = [];
  for (const latencyMs of latenciesMs) {
    const origin = await startCountingServer({ latencyMs, answer: (request) => answer(chain, request) });
    urls.push([latencyMs, `${origin}${RPC_PATH}`]);
  }
  return { address: chain.address, urls };
}

function answer(chain: SyntheticChain, { url, body }: CountedRequest): CountedReply {
  if (url === '/api/v2/config/backend-version')
    return json(['{"backend_version":"v11.2.7.+commit.86092e0c"}']);
  if (url !== RPC_PATH) return { ...json(['"Page not found"']), status: 404 };
  const asked: unknown = JSON.parse(body);
  if (!Array.isArray(asked)) return json(answerCall(chain, asked));
  const answers = asked.flatMap((call, place) => [place === 0 ? '' : ',', ...answerCall(chain, call)]);
  return json(['[', ...answers, ']']);
}

function answerCall(chain: SyntheticChain, call: unknown): CountedReply['body'] {
  const { id, method, params } = Call.parse(call);
  const result = method === 'eth_getLogs' ? getLogs(chain, params[0]) : headOnly(chain, method);
  return ['{"jsonrpc":"2.0","result":', ...result, `,"id":${id}}`];
}

function headOnly({ head }: SyntheticChain, method: string): readonly string[] {
  if (method !== 'eth_blockNumber') throw new Error(`This server does not know ${method}.`);
  return [`"0x${head.toString(16)}"`];
}

function getLogs(chain: SyntheticChain, param: unknown): CountedReply['body'] {
  const { address, fromBlock, toBlock, paging_options: cursor } = Query.parse(param);
  if (address !== chain.address) return ['[]'];
  const from = chain.firstLogAt(fromBlock === 'earliest' ? 0 : Number(fromBlock));
  const end = chain.firstLogAt((toBlock === 'latest' ? chain.head : Number(toBlock)) + 1);
  // Log indices count from 0 in every block.
  const after = cursor
    ? chain.firstLogAt(Number.parseInt(cursor.blockNumber, 16)) + Number.parseInt(cursor.logIndex, 16) + 1
    : 0;
  const first = Math.max(from, after);
  return ['[', chain.json(first, Math.min(end, first + PAGE)), ']'];
}

function json(body: CountedReply['body']): CountedReply {
  return { status: 200, type: 'application/json; charset=utf-8', body };
}
