import type { WaitForBackoff } from '../base/clock.ts';
import type { Abortable } from '../base/concurrency.ts';
import { AppError, asAppError, safeUrl, throwIfAborted } from '../base/errors.ts';
import { createWorkQueue, type WorkQueue } from '../base/timeSlices.ts';
import { parseQuantity, toQuantity } from '../eth/hex.ts';
import { type HttpDeps, redactError, sendRequest, type TimedResponse } from '../http/exchange.ts';
import { LARGE_RESPONSE_BYTES, parseJsonBody } from '../http/response.ts';
import { createOriginGates, withRetry } from '../http/retry.ts';
import { getPortalRouteUrl, type PortalRoute } from '../networks/portalDatasets.ts';
import { BLOCK_NUMBER_METHOD } from '../rpc/methods.ts';
import type { RpcCallOptions, RpcClient } from '../rpc/rpcClient.ts';
import {
  type BlockRef,
  type PortalClient,
  type PortalRetryOptions,
  parseBlockLines,
  parseBlockRef,
  parseMetadata,
  parsePreviousBlocks,
  readHead,
  type StreamRequest,
  type StreamResponse,
  toPortalError,
  toStreamBody,
} from './portalMessages.ts';

interface PortalOptions extends HttpDeps {
  /** Of the dataset. */
  readonly url: string;
  readonly timeoutMs?: number;
  /** In which large answers are read; default: the client's own turns. */
  readonly turn?: WorkQueue;
  /** Waits before a second try; default: by the clock, unseen. */
  readonly wait?: WaitForBackoff;
  /** Told of each answer to a stream request, and of one that is a refusal with its error. */
  readonly onAnswer?: (answer: TimedResponse, error: AppError | undefined) => void;
}

/** As much as a JSON-RPC answer may have. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
const MAX_SHORT_RESPONSE_BYTES = 256 * 1024;

/** A client of the dataset at `options.url`. Asks nothing yet. */
export function createPortalClient(options: PortalOptions): PortalClient {
  const { clock, wait, url } = options;
  const origin = safeUrl(url);
  const turn = options.turn ?? createWorkQueue(clock);
  const deps = { ...options, gates: options.gates ?? createOriginGates(clock) };
  const gate = deps.gates.of(url);
  const timeout = options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs };

  function get(
    route: PortalRoute,
    effort: PortalRetryOptions,
    query?: Readonly<Record<string, string>>,
  ): Promise<unknown> {
    return withRetry({ clock, wait, gate, ...effort }, async () => {
      const answer = await sendRequest(deps, {
        ...{ url: getPortalRouteUrl(url, route, query), method: 'GET', ...timeout },
        ...{
          headers: { accept: 'application/json' },
          maxBytes: MAX_SHORT_RESPONSE_BYTES,
          signal: effort.signal,
        },
      });
      try {
        if (answer.status !== 200) throw toPortalError(answer, origin, clock.now());
        return await parseJsonBody(answer, { origin, clock, signal: effort.signal });
      } catch (cause) {
        throw await redactError(deps, asAppError(cause));
      }
    });
  }

  async function streamOnce(
    question: StreamRequest,
    maxBytes: number,
    { signal }: Abortable,
  ): Promise<StreamResponse> {
    const answer = await sendRequest(deps, {
      ...{
        url: getPortalRouteUrl(url, 'stream'),
        method: 'POST',
        signal,
        maxBytes,
        larger: 'cut',
        ...timeout,
      },
      headers: { 'content-type': 'application/json', accept: 'application/jsonl' },
      body: JSON.stringify(toStreamBody(question)),
    });
    try {
      const work = () => read(answer, question, { signal });
      const told = await (answer.body.length >= LARGE_RESPONSE_BYTES ? turn(work) : work());
      options.onAnswer?.(answer, undefined);
      return told;
    } catch (cause) {
      const error = await redactError(deps, asAppError(cause));
      options.onAnswer?.(answer, error);
      throw error;
    }
  }

  async function read(
    answer: TimedResponse,
    { fromBlock, toBlock }: StreamRequest,
    { signal }: Abortable,
  ): Promise<StreamResponse> {
    throwIfAborted(signal);
    const { status, isCut } = answer;
    const head = readHead(answer.headers);
    if (status === 204) return { state: 'none', head };
    const previousBlocks = parsePreviousBlocks(answer);
    if (previousBlocks) return { state: 'fork', previousBlocks };
    if (status !== 200) throw toPortalError(answer, origin, clock.now());
    const blocks = await parseBlockLines(answer, { origin, clock, isCut, signal });
    const last = blocks[blocks.length - 1]?.number;
    // The first block that is covered always stands in the answer: one without it has lost some.
    if (blocks[0]?.number !== fromBlock || last === undefined || last > toBlock) {
      throw new AppError('badResponse', `${origin} answered with other blocks than were asked for.`);
    }
    return { state: 'blocks', blocks, bytes: answer.body.length, head };
  }

  async function headAt(
    route: 'finalized-head' | 'head',
    effort: PortalRetryOptions,
  ): Promise<BlockRef | undefined> {
    const body = await get(route, effort);
    if (body === null) return undefined;
    const ref = parseBlockRef(body);
    if (!ref) throw new AppError('badResponse', `${origin} named no block as its newest.`);
    return ref;
  }

  return {
    async head(effort = {}) {
      // It has none for a moment after it was started, while it knows what is final.
      const head = (await headAt('head', effort)) ?? (await headAt('finalized-head', effort));
      if (!head) throw new AppError('unavailable', `${origin} has no blocks yet.`);
      return head;
    },
    async metadata(effort = {}) {
      const metadata = parseMetadata(await get('metadata', effort, { 'expand[]': 'metadata' }));
      if (!metadata) throw new AppError('badResponse', `${origin} is no SQD Portal.`);
      return metadata;
    },
    stream: (question, { maxBytes = MAX_RESPONSE_BYTES, ...effort } = {}) =>
      withRetry({ clock, wait, gate, ...effort }, () => streamOnce(question, maxBytes, effort)),
  };
}

/**
 * The few JSON-RPC methods to which a portal knows the answer, asked in its own way: the latest block, the chain id
 * where it tells that, and what stands in the header of a block.
 *
 * @param url of the dataset.
 * @returns a client that throws AppError `notServed` for every other method.
 */
export function createPortalRpc(portal: PortalClient, url: string): RpcClient {
  async function call(
    method: string,
    params: readonly unknown[],
    options?: RpcCallOptions,
  ): Promise<unknown> {
    switch (method) {
      case BLOCK_NUMBER_METHOD:
        return toQuantity((await portal.head(options)).number);
      case 'eth_chainId': {
        const { chainId } = await portal.metadata(options);
        if (chainId === undefined) throw notServed(method);
        return toQuantity(chainId);
      }
      case 'eth_getBlockByNumber': {
        const number = parseQuantity(params[0]);
        if (number === undefined || params[1] !== false) throw notServed(method);
        return header(number, options);
      }
      default:
        throw notServed(method);
    }
  }

  /** Null for a block that the portal does not have, as a node answers. */
  async function header(number: bigint, options?: RpcCallOptions) {
    const answer = await portal.stream({ fromBlock: number, toBlock: number, logs: [] }, options);
    const block = answer.state === 'blocks' ? answer.blocks[0] : undefined;
    if (block?.number !== number) return null;
    const { hash, parentHash, timestamp } = block;
    const time = timestamp === undefined ? {} : { timestamp: toQuantity(timestamp) };
    return { number: toQuantity(number), hash, ...(parentHash && { parentHash }), ...time };
  }

  return {
    url,
    call,
    callBatch: (calls, options) =>
      Promise.all(
        calls.map(async ({ method, params }) => {
          try {
            return { result: await call(method, params, options) };
          } catch (cause) {
            const error = asAppError(cause);
            if (error.kind === 'rpc' || error.kind === 'notServed') return { refusal: error };
            throw error;
          }
        }),
      ),
  };
}

function notServed(method: string): AppError {
  const why = 'An SQD Portal has logs and block headers, no balances and no calls: ask a node or an explorer';
  return new AppError('notServed', `${why} (${method}).`);
}
