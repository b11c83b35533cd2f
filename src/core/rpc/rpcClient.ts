import * as z from 'zod/mini';
import { AppError, safeUrl } from '../errors.ts';
import { exchange, type HttpAnswer, type HttpDeps, kindOfStatus, parseJson, retryAfterMs } from '../http.ts';
import { withRetry } from '../retry.ts';
import { createTurns, type Turn } from '../shared/turns.ts';
import type { Wait } from '../shared/waits.ts';
import { serverData, serverWords } from './serverWords.ts';

export interface RpcCallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Tries after the first one when the failure may pass; default 2. */
  readonly retries?: number;
  /** A server that asks to wait longer than this, in milliseconds, ends the call; default 10 s. */
  readonly longestWaitMs?: number;
  /** Also tries again after a broken answer or a time-out, which at a right address pass too; default false. */
  readonly persistent?: boolean;
  /** An answer of more bytes than this is `tooLarge`; default: the client's own limit. */
  readonly maxBytes?: number | undefined;
}

/** A JSON-RPC 2.0 endpoint, one call a request. */
export interface RpcClient {
  readonly url: string;
  /**
   * Calls `method` and returns `result`, unvalidated.
   *
   * @throws AppError of any network kind; `rpc` when the server refuses the call, with its words.
   */
  call(method: string, params: readonly unknown[], options?: RpcCallOptions): Promise<unknown>;
}

export interface RpcClientOptions extends HttpDeps {
  readonly url: string;
  readonly timeoutMs?: number;
  /** Default 16 MiB. */
  readonly maxBytes?: number;
  /** Waited for before a large answer is read; default: the client's own turns. */
  readonly turn?: Turn;
  /** Waits before a second try; default: by the clock, unseen. */
  readonly wait?: Wait;
}

/** Half of what others may send, as many of these are on their way at once; 20,000 logs are some 12 MiB. */
const MOST_BYTES = 16 * 1024 * 1024;
const LONGEST_RETRY_WAIT_MS = 10_000;
/** Characters from which on reading an answer takes so long that answers which arrive together are spread out. */
const LARGE_ANSWER = 64 * 1024;
/** Most that is read of an answer to a question whose answer is short. */
export const SHORT_ANSWER = { maxBytes: 1024 * 1024 } as const;
/** Characters of an answer outside 2xx that is looked into for the server's words. */
const LONGEST_REFUSAL = 256 * 1024;

// The error is a bare string on Blockscout up to v11, an object from v12 and on every node.
const ErrorField = z.union([
  z.string(),
  z.object({ code: z.optional(z.number()), message: z.optional(z.string()), data: z.optional(z.unknown()) }),
]);
const Envelope = z.object({
  id: z.optional(z.union([z.number(), z.string(), z.null()])),
  result: z.optional(z.unknown()),
  error: z.optional(z.nullable(ErrorField)),
});

/** A client for the endpoint at `url`. Ids are positive integers, the only ones every Blockscout echoes rightly. */
export function createRpcClient(options: RpcClientOptions): RpcClient {
  let lastId = 0;
  const origin = safeUrl(options.url);
  const turn = options.turn ?? createTurns(options.clock);

  async function callOnce(
    method: string,
    params: readonly unknown[],
    { signal, maxBytes = options.maxBytes ?? MOST_BYTES }: Pick<RpcCallOptions, 'maxBytes' | 'signal'>,
  ) {
    const id = ++lastId;
    const answer = await exchange(options, {
      url: options.url,
      method: 'POST',
      // Blockscout does not decode a body of another content type.
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      signal,
      ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
      maxBytes,
    });
    if (answer.body.length >= LARGE_ANSWER) await turn();
    if (answer.status < 200 || answer.status > 299) throw httpError(answer, origin, options.clock.now());
    return readResult(await parseJson(answer, origin, options.clock, signal), id, origin);
  }

  return {
    url: options.url,
    call: (
      method,
      params,
      { signal, maxBytes, retries = 2, longestWaitMs = LONGEST_RETRY_WAIT_MS, persistent = false } = {},
    ) =>
      withRetry(
        { clock: options.clock, wait: options.wait, retries, longestWaitMs, persistent, signal },
        () => callOnce(method, params, { signal, maxBytes }),
      ),
  };
}

function readResult(body: unknown, id: number, origin: string): unknown {
  const envelope = Envelope.safeParse(body);
  if (!envelope.success) throw notJsonRpc(origin, envelope.error);
  const { error, result } = envelope.data;
  if (error !== undefined && error !== null) throw rpcError(error);
  if (result === undefined) throw notJsonRpc(origin);
  if (envelope.data.id !== id) {
    throw new AppError('badResponse', `${origin} answered another request (wrong JSON-RPC id).`);
  }
  return result;
}

function notJsonRpc(origin: string, cause?: unknown): AppError {
  return new AppError('badResponse', `${origin} did not answer in JSON-RPC.`, { cause });
}

function rpcError(error: z.infer<typeof ErrorField>, status?: number): AppError {
  const { code, message, data } =
    typeof error === 'string' ? { code: undefined, message: error, data: undefined } : error;
  const words = serverWords(message ?? 'no reason given');
  const kept = serverData(data);
  return new AppError(code === 429 ? 'rateLimited' : 'rpc', `The server refused the call: ${words}`, {
    serverMessage: words,
    ...(code === undefined ? {} : { code }),
    ...(kept === undefined ? {} : { data: kept }),
    ...(status === undefined ? {} : { status }),
  });
}

/** An answer outside 2xx. Nodes put a JSON-RPC error into a 400 or 413; it says more than the status does. */
function httpError(answer: HttpAnswer, origin: string, now: number): AppError {
  const { status } = answer;
  const wait = retryAfterMs(answer.headers, now);
  const said = wordsOf(answer.body);
  if (said && typeof said !== 'string' && (status === 400 || status === 413)) return rpcError(said, status);
  const serverMessage = typeof said === 'string' ? said : said?.message;
  return new AppError(kindOfStatus(status), `${origin} answered with HTTP ${status}.`, {
    status,
    ...(serverMessage === undefined ? {} : { serverMessage: serverWords(serverMessage) }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  });
}

const OtherBodies = z.union([z.object({ error: ErrorField }), z.object({ message: z.string() }), z.string()]);

/**
 * The server's words in an answer that is no JSON-RPC: Blockscout sends bare strings or its Etherscan-style object.
 * None are looked for in a body that is too long to be a refusal.
 */
function wordsOf(body: string): z.infer<typeof ErrorField> | undefined {
  if (body.length > LONGEST_REFUSAL) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return undefined;
  }
  const parsed = OtherBodies.safeParse(json);
  if (!parsed.success) return undefined;
  if (typeof parsed.data === 'string') return parsed.data;
  return 'error' in parsed.data ? parsed.data.error : parsed.data.message;
}
