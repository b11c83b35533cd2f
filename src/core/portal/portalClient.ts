import type { WaitForBackoff } from '../base/clock.ts';
import type { Abortable } from '../base/concurrency.ts';
import { AppError, asAppError, safeUrl, throwIfAborted } from '../base/errors.ts';
import { createWorkQueue, type WorkQueue } from '../base/timeSlices.ts';
import { parseQuantity, toQuantity } from '../eth/hex.ts';
import { type HttpDeps, redactError, sendRequest, type TimedResponse } from '../http/exchange.ts';
import { LARGE_RESPONSE_BYTES, parseJsonBody } from '../http/response.ts';
import { createOriginGates } from '../http/retry.ts';
import { withRetry } from '../http/withRetry.ts';
import { getPortalRouteUrl, type PortalRoute } from '../networks/portalDatasets.ts';
import { BLOCK_NUMBER_METHOD } from '../rpc/methods.ts';
import { callOneByOne, type RpcCallOptions, type RpcClient } from '../rpc/rpcClient.ts';
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

/** A client of the dataset at `options.url`. It sends nothing yet. */
export function createPortalClient(options: PortalOptions): PortalClient {
  const { clock, wait, url } = options;
  const origin = safeUrl(url);
  const queue = options.turn ?? createWorkQueue(clock);
  const deps = { ...options, gates: options.gates ?? createOriginGates(clock) };
  const gate = deps.gates.of(url);
  const timeout = options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs };

  function get(
    route: PortalRoute,
    retry: PortalRetryOptions,
    query?: Readonly<Record<string, string>>,
  ): Promise<unknown> {
    return withRetry({ clock, wait, gate, ...retry }, async () => {
      const response = await sendRequest(deps, {
        url: getPortalRouteUrl(url, route, query),
        method: 'GET',
        ...timeout,
        headers: { accept: 'application/json' },
        maxBytes: MAX_SHORT_RESPONSE_BYTES,
        signal: retry.signal,
      });
      try {
        if (response.status !== 200) throw toPortalError(response, origin, clock.now());
        return await parseJsonBody(response, { origin, clock, signal: retry.signal });
      } catch (cause) {
        throw await redactError(deps, asAppError(cause));
      }
    });
  }

  async function streamOnce(
    request: StreamRequest,
    maxBytes: number,
    { signal }: Abortable,
  ): Promise<StreamResponse> {
    const response = await sendRequest(deps, {
      url: getPortalRouteUrl(url, 'stream'),
      method: 'POST',
      signal,
      maxBytes,
      larger: 'cut',
      ...timeout,
      headers: { 'content-type': 'application/json', accept: 'application/jsonl' },
      body: JSON.stringify(toStreamBody(request)),
    });
    try {
      const parse = () => parseStream(response, request, { signal });
      const result = await (response.body.length >= LARGE_RESPONSE_BYTES ? queue(parse) : parse());
      options.onResponse?.(response, undefined);
      return result;
    } catch (cause) {
      const error = await redactError(deps, asAppError(cause));
      options.onResponse?.(response, error);
      throw error;
    }
  }

  async function parseStream(
    response: TimedResponse,
    { fromBlock, toBlock }: StreamRequest,
    { signal }: Abortable,
  ): Promise<StreamResponse> {
    throwIfAborted(signal);
    const { status, isCut } = response;
    const head = readHead(response.headers);
    if (status === 204) return { state: 'none', head };
    const previousBlocks = parsePreviousBlocks(response);
    if (previousBlocks) return { state: 'fork', previousBlocks };
    if (status !== 200) throw toPortalError(response, origin, clock.now());
    const blocks = await parseBlockLines(response, { origin, clock, isCut, signal });
    const last = blocks[blocks.length - 1]?.number;
    // The response always includes the first covered block: one without it has lost some.
    if (blocks[0]?.number !== fromBlock || last === undefined || last > toBlock) {
      throw new AppError('badResponse', `${origin} returned blocks other than the requested ones.`);
    }
    return { state: 'blocks', blocks, bytes: response.body.length, head };
  }

  async function fetchHead(
    route: 'finalized-head' | 'head',
    retry: PortalRetryOptions,
  ): Promise<BlockRef | undefined> {
    const body = await get(route, retry);
    if (body === null) return undefined;
    const ref = parseBlockRef(body);
    if (!ref) throw new AppError('badResponse', `${origin} did not return its newest block.`);
    return ref;
  }

  return {
    async head(retry = {}) {
      // Just after its start a portal has no head, but knows the finalized one.
      const head = (await fetchHead('head', retry)) ?? (await fetchHead('finalized-head', retry));
      if (!head) throw new AppError('unavailable', `${origin} has no blocks yet.`);
      return head;
    },
    async metadata(retry = {}) {
      const metadata = parseMetadata(await get('metadata', retry, { 'expand[]': 'metadata' }));
      if (!metadata) throw new AppError('badResponse', `${origin} is not an SQD Portal.`);
      return metadata;
    },
    stream: (request, { maxBytes = MAX_RESPONSE_BYTES, ...retry } = {}) =>
      withRetry({ clock, wait, gate, ...retry }, () => streamOnce(request, maxBytes, retry)),
  };
}

interface PortalOptions extends HttpDeps {
  /** Of the dataset. */
  readonly url: string;
  readonly timeoutMs?: number;
  /** Queue in which large responses are parsed; default: the client's own. */
  readonly turn?: WorkQueue;
  /** Waits before a retry; default: by the clock, not visible. */
  readonly wait?: WaitForBackoff;
  /** Called with each response to a stream request, after it has been parsed, with its error. */
  readonly onResponse?: (answer: TimedResponse, error: AppError | undefined) => void;
}

/** As for a JSON-RPC response. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
const MAX_SHORT_RESPONSE_BYTES = 256 * 1024;

/**
 * The few JSON-RPC methods that a portal can serve by its own API: the newest block, the chain ID if the portal returns
 * it, and the header of a block.
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
        if (chainId === undefined) throw notServedError(method);
        return toQuantity(chainId);
      }
      case 'eth_getBlockByNumber': {
        const number = parseQuantity(params[0]);
        if (number === undefined || params[1] !== false) throw notServedError(method);
        return getHeader(number, options);
      }
      default:
        throw notServedError(method);
    }
  }

  /** Null for a block that the portal does not have, as a node returns. */
  async function getHeader(number: bigint, options?: RpcCallOptions) {
    const response = await portal.stream({ fromBlock: number, toBlock: number, logs: [] }, options);
    const block = response.state === 'blocks' ? response.blocks[0] : undefined;
    if (block?.number !== number) return null;
    const { hash, parentHash, timestamp } = block;
    const time = timestamp === undefined ? {} : { timestamp: toQuantity(timestamp) };
    return { number: toQuantity(number), hash, ...(parentHash && { parentHash }), ...time };
  }

  return {
    url,
    call,
    callBatch: callOneByOne(call),
  };
}

function notServedError(method: string): AppError {
  const reason = 'An SQD Portal has only logs and block headers. Use a node or an explorer';
  return new AppError('notServed', `${reason} for ${method}.`);
}
