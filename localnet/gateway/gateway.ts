import type { RecordedRequest } from '../http/faults.ts';
import {
  type RecordingServer,
  type RecordingServerOptions,
  type Reply,
  startRecordingServer,
} from '../http/recordingServer.ts';
import { priceOf } from './prices.ts';

/** What a key may ask for. */
export type GatewayPlan = {
  /** Left of the day's credits. */
  readonly credits: number;
  /** Requests in each second. */
  readonly perSecond: number;
};

export type Gateway = RecordingServer & {
  /** Where the JSON-RPC of a chain is answered. */
  rpcUrl(chainId: number): string;
  /** Left of the credits of a key. */
  creditsOf(key: string): number;
};

export type GatewayOptions = {
  /** The explorers behind it, by chain id: what answers under `/api`. */
  readonly explorers: Readonly<Record<number, Pick<RecordingServer, 'inject'>>>;
  /** Plans by key; a key that is not here is wrong. */
  readonly plans: Readonly<Record<string, GatewayPlan>>;
  readonly port?: number;
  /** Counts milliseconds; default: of this process. */
  readonly elapsed?: () => number;
  readonly intercept?: RecordingServerOptions['intercept'];
};

type Account = { credits: number; second: number; used: number };

const json = { 'content-type': 'application/json; charset=utf-8' };
const WINDOW_MS = 1000;

/**
 * A gateway to explorers of many chains, as Blockscout's is: JSON-RPC at `/{chain id}/json-rpc`, REST under
 * `/{chain id}/api/v2`, the Etherscan-shaped interface at `/{chain id}/api`. It takes a key as a bearer token or as
 * `apikey`, counts credits by route and tells what is left in `x-credits-remaining`; its own refusals say `source`.
 * https://docs.blockscout.com/devs/pro-api-responses-and-routes
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { plans, elapsed = () => performance.now() } = options;
  const accounts = new Map<string, Account>(
    Object.entries(plans).map(([key, { credits }]) => [key, { credits, second: -1, used: 0 }]),
  );

  /** What the account of a key has to say of a request of that price; undefined with the headers where it may go on. */
  function charge(key: string, price: number): { refusal?: Reply; headers: Record<string, string> } {
    const account = accounts.get(key);
    const plan = plans[key];
    if (!account || !plan) return { refusal: ownError(401, 'Invalid API key'), headers: {} };
    const now = elapsed();
    const second = Math.floor(now / WINDOW_MS);
    if (second !== account.second) Object.assign(account, { second, used: 0 });
    const limits = () => ({
      'x-ratelimit-limit': String(plan.perSecond),
      'x-ratelimit-remaining': String(Math.max(0, plan.perSecond - account.used)),
      'x-ratelimit-reset': String(Math.max(1, Math.ceil((second + 1) * WINDOW_MS - now))),
      'x-credits-remaining': String(account.credits),
    });
    if (account.used >= plan.perSecond)
      return { refusal: ownError(429, 'Too many requests'), headers: limits() };
    account.used += 1;
    if (account.credits < price) {
      return { refusal: jsonReply(402, { error: 'Out of credits' }), headers: limits() };
    }
    account.credits -= price;
    return { headers: limits() };
  }

  async function answer(request: RecordedRequest): Promise<Reply> {
    const url = new URL(request.url, 'http://gateway');
    const [, chain = '', rest = ''] = /^\/(\d+)(\/.*)$/.exec(url.pathname) ?? [];
    const key = keyOf(request, url);
    if (key === undefined) return ownError(401, 'API key is required');
    const explorer = options.explorers[Number(chain)];
    if (!explorer) return ownError(404, `Chain ${chain} is not supported`);
    const path = pathBehind(rest);
    if (path === undefined) return ownError(404, 'Not found');
    const { refusal, headers } = charge(key, priceOf(path));
    if (refusal) return { ...refusal, headers: { ...refusal.headers, ...headers } };
    url.searchParams.delete('apikey');
    const { authorization: _, ...others } = request.headers;
    const reply = await explorer.inject({ ...request, url: `${path}${url.search}`, headers: others });
    return { ...reply, headers: { ...reply.headers, ...headers } };
  }

  const server = await startRecordingServer({
    port: options.port ?? 0,
    handle: answer,
    intercept: options.intercept,
  });
  return Object.assign(server, {
    rpcUrl: (chainId: number) => `${server.origin}/${chainId}/json-rpc`,
    creditsOf: (key: string) => accounts.get(key)?.credits ?? 0,
  });
}

/** Where the explorer itself answers what stands behind the chain. */
function pathBehind(rest: string): string | undefined {
  if (rest === '/json-rpc') return '/api/eth-rpc';
  return rest === '/api' || rest.startsWith('/api/v2/') ? rest : undefined;
}

function keyOf({ headers }: RecordedRequest, url: URL): string | undefined {
  const bearer = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return bearer ?? url.searchParams.get('apikey') ?? undefined;
}

function ownError(status: number, error: string): Reply {
  return jsonReply(status, { error, source: 'internal' });
}

function jsonReply(status: number, body: object): Reply {
  return { status, headers: json, body: JSON.stringify(body) };
}
