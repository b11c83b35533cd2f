import type { RecordedRequest } from '../http/faults.ts';
import {
  type RecordingServer,
  type RecordingServerOptions,
  type Reply,
  startRecordingServer,
} from '../http/recordingServer.ts';
import type { ExplorerIndex } from '../index/explorerIndex.ts';
import type { ExplorerVerified, RestCall } from '../rest/restCall.ts';
import type { RestKnobs } from '../rest/restKnobs.ts';
import { answerModule, answerRest } from '../rest/restRoutes.ts';
import type { Dialect, ForwardedAnswer, MethodContext } from './dialect.ts';
import { type DialectName, dialects } from './dialects.ts';
import { answerRequest, errorText } from './envelope.ts';
import { HttpFailure } from './failures.ts';
import { answerLogsModule } from './logsModule.ts';
import { newestFirst, type PlannerOrder } from './plannerOrder.ts';
import { type RateLimit, RateLimiter, type RateState } from './rateLimiter.ts';
import { createMachines, type Replicas } from './replicas.ts';

export type ExplorerServer = RecordingServer & {
  /** Where JSON-RPC is answered. */
  readonly rpcUrl: string;
  currentDialect(): DialectName;
  /** From the next request on the server speaks as another release. */
  setDialect(name: DialectName): void;
  /** From the next request on its REST interface is that of another instance. */
  setRest(knobs: RestKnobs): void;
};

export type ExplorerOptions = {
  readonly index: ExplorerIndex;
  readonly dialect: DialectName;
  readonly port?: number;
  /** The node behind the explorer. Without one, forwarded methods fail as when it is unreachable. */
  readonly forward?: MethodContext['forward'];
  readonly rateLimit?: RateLimit;
  /** How the database of an old release finds rows. Default newest first. */
  readonly plannerOrder?: PlannerOrder;
  readonly intercept?: RecordingServerOptions['intercept'];
  /** Default one machine, which knows all of the index. */
  readonly replicas?: Replicas;
  /** What is verified there. Default nothing. */
  readonly verified?: ExplorerVerified;
  /** Whether several calls may come in one request. Default as the release does it. */
  readonly batches?: false;
  /** What is particular to this instance's REST interface. */
  readonly rest?: RestKnobs;
};

const rpcPaths = ['/api/eth-rpc', '/api/v1/eth-rpc'];
const json = { 'content-type': 'application/json; charset=utf-8' };

/** A block explorer that answers from an index in the dialect of a Blockscout release. */
export async function startExplorer(options: ExplorerOptions): Promise<ExplorerServer> {
  const limiter = new RateLimiter(options.rateLimit);
  const machineFor = createMachines(options.index, options.replicas);
  const contextOf = (request: RecordedRequest): Context => ({
    index: machineFor(request),
    forward: options.forward ?? unreachable,
    plannerOrder: options.plannerOrder ?? newestFirst,
    ...(options.verified && { verified: options.verified }),
    knobs,
  });
  const dialectNow = (): Dialect => {
    const dialect: Dialect = dialects[name];
    return options.batches === false ? { ...dialect, http: { ...dialect.http, maxBatch: 0 } } : dialect;
  };
  let name = options.dialect;
  let knobs = options.rest ?? {};
  const server = await startRecordingServer({
    port: options.port ?? 0,
    intercept: options.intercept,
    handle: (request) => answer(request, dialectNow(), contextOf(request), limiter),
  });
  return Object.assign(server, {
    rpcUrl: `${server.origin}/api/eth-rpc`,
    currentDialect: () => name,
    setDialect: (next: DialectName) => {
      name = next;
    },
    setRest(next: RestKnobs) {
      knobs = next;
    },
  });
}

type Context = MethodContext & Pick<ExplorerOptions, 'verified'> & { readonly knobs: RestKnobs };

async function unreachable(): Promise<ForwardedAnswer> {
  return { failed: 'econnrefused' };
}

async function answer(
  request: RecordedRequest,
  dialect: Dialect,
  context: Context,
  limiter: RateLimiter,
): Promise<Reply> {
  if (request.method === 'OPTIONS') return { status: 204, headers: cors };
  const path = new URL(request.url, 'http://explorer').pathname;
  const reply = await route(request, path, dialect, context, limiter);
  return { ...reply, headers: { ...cors, ...reply.headers } };
}

const cors = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-ratelimit-limit,x-ratelimit-remaining,x-ratelimit-reset',
};

async function route(
  request: RecordedRequest,
  path: string,
  dialect: Dialect,
  context: Context,
  limiter: RateLimiter,
): Promise<Reply> {
  const { http } = dialect;
  if (path === '/api/v2/config/backend-version' && request.method === 'GET' && http.backendVersion) {
    return jsonReply(200, JSON.stringify({ backend_version: http.backendVersion }));
  }
  if (path.startsWith('/api/v2/') && request.method === 'GET') {
    return limited(dialect, limiter, () => answerRest(restCall(request, dialect, context), path));
  }
  if (path === '/api' && request.method === 'GET') {
    const call = restCall(request, dialect, context);
    const logs = answerLogsModule(call.query, dialect, context.index);
    return limited(dialect, limiter, async () =>
      logs === undefined ? answerModule(call) : jsonReply(200, logs),
    );
  }
  const onlyMethod = Object.hasOwn(http.singleMethodRoutes, path) ? http.singleMethodRoutes[path] : undefined;
  if (!rpcPaths.includes(path) && onlyMethod === undefined) return jsonReply(404, '"Page not found"');
  if (request.method !== 'POST') {
    return jsonReply(400, refusalOfTheOlderApi("Params 'module' and 'action' are required parameters"));
  }
  const accept = request.headers.accept ?? '*/*';
  if (!/\*\/\*|application\/(json|\*)/.test(accept)) return { status: 406 };

  return limited(dialect, limiter, () => answerPost(request, dialect, context, onlyMethod));
}

function restCall(
  request: RecordedRequest,
  { rest }: Dialect,
  { index, forward, verified, knobs }: Context,
): RestCall {
  return {
    era: rest,
    query: new URL(request.url, 'http://explorer').searchParams,
    headers: request.headers,
    index,
    verified,
    knobs,
    async ask(method, params) {
      const answer = await forward(method, params);
      return 'result' in answer ? answer.result : undefined;
    },
  };
}

async function limited({ http }: Dialect, limiter: RateLimiter, reply: () => Promise<Reply>): Promise<Reply> {
  const rate = limiter.take();
  const headers = http.rateLimit.headers ? rateHeaders(rate) : {};
  const given = rate.allowed ? await reply() : jsonReply(429, refusalOfTheOlderApi(http.rateLimit.message));
  return { ...given, headers: { ...given.headers, ...headers } };
}

async function answerPost(
  request: RecordedRequest,
  dialect: Dialect,
  context: MethodContext,
  onlyMethod: string | undefined,
): Promise<Reply> {
  let parsed: unknown;
  try {
    parsed = readJson(request);
  } catch {
    const { contentType, body } = dialect.http.malformedJson;
    return { status: 400, headers: { 'content-type': contentType }, body };
  }
  try {
    if (onlyMethod !== undefined) return await answerOnly(onlyMethod, parsed, dialect, context);
    if (!Array.isArray(parsed)) return jsonReply(200, await answerRequest(parsed, dialect, context));
    return await answerBatch(parsed, dialect, context);
  } catch (error) {
    // One crash loses the whole batch.
    if (!(error instanceof HttpFailure)) throw error;
    return jsonReply(error.status, error.status === 400 ? '"Bad request"' : '"Internal server error"');
  }
}

/** A body of another content type is not decoded: the server sees a request without fields. */
function readJson({ headers, body }: RecordedRequest): unknown {
  const isJson = /^application\/(.+\+)?json\b/i.test(headers['content-type'] ?? '');
  return isJson && body !== '' ? JSON.parse(body) : {};
}

async function answerBatch(
  requests: readonly unknown[],
  dialect: Dialect,
  context: MethodContext,
): Promise<Reply> {
  const { maxBatch } = dialect.http;
  if (requests.length > maxBatch) {
    return jsonReply(413, refusalOfTheOlderApi(`Payload Too Large. Max batch size is ${maxBatch}`));
  }
  const answers = await Promise.all(requests.map((request) => answerRequest(request, dialect, context)));
  return jsonReply(200, `[${answers.join(',')}]`);
}

async function answerOnly(
  method: string,
  request: unknown,
  dialect: Dialect,
  context: MethodContext,
): Promise<Reply> {
  const fields = (typeof request === 'object' && request !== null ? request : {}) as Record<string, unknown>;
  const refuse = (text: string) => jsonReply(200, errorText(text, fields.id ?? 0, dialect.envelope));
  if (Array.isArray(request)) return refuse('Batch requests are not supported on this endpoint');
  if (fields.method !== method) return refuse(`\`method\` must be \`${method}\` for this endpoint`);
  return jsonReply(200, await answerRequest(request, dialect, context));
}

function rateHeaders({ limit, remaining, resetMs }: RateState): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(resetMs),
    'bypass-429-option': 'no_bypass',
  };
}

function refusalOfTheOlderApi(message: string): string {
  return JSON.stringify({ status: '0', message, result: null });
}

function jsonReply(status: number, body: string): Reply {
  return { status, headers: json, body };
}
