import { setTimeout as delay } from 'node:timers/promises';
import { type RateLimit, RateLimiter } from '../explorer/rateLimiter.ts';
import type { RecordedRequest } from '../http/faults.ts';
import { type RecordingServer, type Reply, startRecordingServer } from '../http/recordingServer.ts';
import type { ExplorerIndex } from '../index/explorerIndex.ts';
import { coverLines, type PortalLimits } from './coverage.ts';
import { chainOf, type PortalChain, type TimestampOf } from './portalChain.ts';
import { type PortalQuery, RefusedByPortal, readPortalQuery } from './portalQuery.ts';

export type PortalServer = RecordingServer & {
  /** Of the dataset: the routes are below it. */
  readonly rpcUrl: string;
  /** Ends answers otherwise from now on. */
  setLimits(limits: PortalLimits): void;
};

export type PortalOptions = {
  readonly index: ExplorerIndex;
  /** Name of the dataset; default `local-evm`. */
  readonly slug?: string;
  /** Told where more of the dataset is asked for; default: not told. */
  readonly chainId?: number;
  readonly limits?: PortalLimits;
  /** Default none; that of the public portal is 20 requests in 10 seconds. */
  readonly rateLimit?: RateLimit;
  /** The first block that it has; default 0. */
  readonly startBlock?: number;
  /** Blocks below the head that are final; default 64. */
  readonly finality?: number;
  /** Item requests that one query may have; default 50. */
  readonly mostItems?: number;
  /** How long a question above the head is held before it is told that nothing is there; default 0. */
  readonly noDataMs?: number;
  /** Default two seconds for each block. */
  readonly timestampOf?: TimestampOf;
  readonly port?: number;
};

const canonicalTold = 5;

/** An SQD Portal with one dataset of an EVM chain, streamed from an index. */
export async function startPortal(options: PortalOptions): Promise<PortalServer> {
  const { index, slug = 'local-evm', finality = 64, startBlock = 0, mostItems = 50, noDataMs = 0 } = options;
  const chain = chainOf(index, options.timestampOf ?? ((number) => number * 2));
  const limiter = new RateLimiter(options.rateLimit);
  let limits = options.limits ?? {};
  const finalHead = () => Math.max(0, chain.head() - finality);

  async function stream(body: string, last: number): Promise<Reply> {
    let query: PortalQuery;
    try {
      query = readPortalQuery(body, mostItems);
    } catch (error) {
      if (!(error instanceof RefusedByPortal)) throw error;
      return refusal(400, {
        type: 'invalid_request_error',
        code: 'malformed_request',
        message: error.message,
      });
    }
    const { fromBlock, parentBlockHash } = query;
    if (fromBlock < startBlock) {
      const message = `Couldn't parse query: dataset starts from block ${startBlock}`;
      return refusal(400, { type: 'invalid_request_error', code: 'malformed_request', message });
    }
    if (isOfOtherChain(chain, fromBlock, parentBlockHash)) return conflict(chain, fromBlock);
    if (fromBlock > last) {
      if (noDataMs > 0) await delay(noDataMs);
      return { status: 204, headers: headHeaders(chain, finalHead()) };
    }
    const lines = await coverLines(chain, query, limits, last);
    return {
      status: 200,
      headers: { ...headHeaders(chain, finalHead()), 'content-type': 'application/jsonl' },
      gzip: true,
      body: `${lines.join('\n')}\n`,
    };
  }

  async function handle({ method, url, body }: RecordedRequest): Promise<Reply> {
    const { allowed, resetMs } = limiter.take();
    if (!allowed) {
      const retryAfter = { 'retry-after': String(Math.ceil(resetMs / 1000)) };
      const error = { type: 'rate_limit_error', code: 'overloaded', message: 'Too many requests' };
      return { ...refusal(429, error), headers: retryAfter };
    }
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const [, datasets, name, route, ...rest] = pathname.split('/');
    if (datasets !== 'datasets' || rest.length > 0) return { status: 404, body: '' };
    if (name !== slug) {
      const message = `Unknown dataset: ${name}`;
      return refusal(404, { type: 'invalid_request_error', code: 'unknown_dataset', message });
    }
    switch (`${method} ${route}`) {
      case 'POST stream':
        return stream(body, chain.head());
      case 'POST finalized-stream':
        return stream(body, finalHead());
      case 'GET head':
        return jsonReply(200, refOf(chain, chain.head()));
      case 'GET finalized-head':
        return jsonReply(200, refOf(chain, finalHead()));
      case 'GET metadata':
        return jsonReply(200, {
          ...{ dataset: slug, aliases: [], real_time: true, start_block: startBlock },
          ...(searchParams.getAll('expand[]').includes('metadata') && { metadata: metadataOf(options) }),
        });
      default:
        return { status: route === 'stream' || route === 'head' ? 405 : 404, body: '' };
    }
  }

  const server = await startRecordingServer({ port: options.port ?? 0, handle });
  return Object.assign(server, {
    rpcUrl: `${server.origin}/datasets/${slug}`,
    setLimits(next: PortalLimits) {
      limits = next;
    },
  });
}

function metadataOf({ chainId, slug = 'local-evm' }: PortalOptions) {
  return { kind: 'evm', display_name: slug, ...(chainId !== undefined && { evm: { chain_id: chainId } }) };
}

function isOfOtherChain(chain: PortalChain, from: number, parentHash: string | null | undefined): boolean {
  if (parentHash === undefined || parentHash === null || from === 0 || from - 1 > chain.head()) return false;
  return chain.block(from).parentHash !== parentHash;
}

/** The last blocks of the portal's own chain, up to the one before the first that was asked for. */
function conflict(chain: PortalChain, from: number): Reply {
  const first = Math.max(0, from - canonicalTold);
  const previousBlocks = Array.from({ length: from - first }, (_, place) => refOf(chain, first + place));
  const error = {
    ...{ type: 'invalid_request_error', code: 'base_block_mismatch' },
    message: `the parent of block ${from} has another hash`,
  };
  return jsonReply(409, { error, previousBlocks });
}

function refOf(chain: PortalChain, number: number) {
  const { hash } = chain.block(number);
  return { number, hash };
}

function headHeaders(chain: PortalChain, finalHead: number) {
  return {
    'x-sqd-head-number': String(chain.head()),
    'x-sqd-finalized-head-number': String(finalHead),
    'x-sqd-finalized-head-hash': chain.block(finalHead).hash,
  };
}

function refusal(status: number, error: { type: string; code: string; message: string }): Reply {
  return jsonReply(status, { error });
}

function jsonReply(status: number, body: object): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
