import { randomUUID } from 'node:crypto';
import { Address, type Hex } from 'ox';
import type { Intercept, RecordedRequest } from '../http/faults.ts';
import { type RecordingServer, type Reply, startRecordingServer } from '../http/recordingServer.ts';
import { findProxy } from '../verified/proxies.ts';
import type { VerifiedRecord, VerifiedRegistry } from '../verified/registry.ts';
import { contractFields, minimalContract, project, readSelectors } from './contractFields.ts';

// Facts are those of Sourcify's server 3.12: services/server/src/apiv2.yaml and server/apiv2/lookup.

export type SourcifyServer = RecordingServer & {
  /** What stands before `/v2/…`. */
  readonly url: string;
};

export type SourcifyOptions = {
  readonly registry: VerifiedRegistry;
  /** The node that proxies are looked up at; of another chain than a contract's own nothing can be resolved. */
  readonly ask: (method: string, params: readonly unknown[]) => Promise<unknown>;
  /** The chain of that node. */
  readonly chainId: number;
  /** Chains that are known beside those of the registry, by decimal ids of any length. */
  readonly chains?: readonly string[];
  readonly port?: number;
  readonly intercept?: Intercept | undefined;
};

/** A Sourcify server over what the registry has. */
export async function startSourcify(options: SourcifyOptions): Promise<SourcifyServer> {
  const server = await startRecordingServer({
    port: options.port ?? 0,
    intercept: options.intercept,
    handle: (request) => answer(request, options),
  });
  return Object.assign(server, { url: `${server.origin}/server` });
}

async function answer(request: RecordedRequest, options: SourcifyOptions): Promise<Reply> {
  const { pathname, searchParams } = new URL(request.url, 'http://sourcify');
  if (request.method !== 'GET') return refused(404, 'route_not_found', 'Not found');
  if (pathname === '/server/health') return { status: 200, body: 'Alive and kicking!' };
  const [, onAll] = /^\/server\/v2\/contract\/all-chains\/([^/]+)$/.exec(pathname) ?? [];
  if (onAll !== undefined) return allChains(onAll, options);
  const [, chainId, address] = /^\/server\/v2\/contract\/([^/]+)\/([^/]+)$/.exec(pathname) ?? [];
  if (chainId !== undefined && address !== undefined) {
    return oneContract({ chainId, address, params: searchParams }, options);
  }
  return refused(404, 'route_not_found', 'The requested resource was not found');
}

function allChains(text: string, { registry }: SourcifyOptions): Reply {
  const address = readAddress(text);
  if (!address) return refused(400, 'invalid_parameter', `Invalid address: ${text}`);
  const results = registry
    .all()
    .filter((record) => record.address === address)
    .map((record) => minimalContract({ chainId: String(record.chainId), address }, record));
  return json(results.length > 0 ? 200 : 404, { results });
}

async function oneContract(
  asked: { readonly chainId: string; readonly address: string; readonly params: URLSearchParams },
  options: SourcifyOptions,
): Promise<Reply> {
  const { registry, chains = [] } = options;
  const { chainId } = asked;
  const selectors = readSelectors(asked.params);
  if ('wrong' in selectors) return refused(400, 'invalid_parameter', selectors.wrong);
  const known = [String(options.chainId), ...registry.all().map((one) => String(one.chainId)), ...chains];
  if (!known.includes(chainId)) return refused(400, 'unsupported_chain', `Chain ${chainId} not found`);
  const address = readAddress(asked.address);
  if (!address) return refused(400, 'invalid_parameter', `Invalid address: ${asked.address}`);
  const record = registry.find(Number(chainId), address);
  const minimal = minimalContract({ chainId, address }, record);
  if (!record) return json(404, minimal);
  const fields = await contractFields(record, () => resolveProxy(record, options));
  return json(200, { ...minimal, ...project(fields, selectors) });
}

const proxyTypes = { eip1167: 'EIP1167Proxy', eip1967: 'EIP1967Proxy', eip2535: 'DiamondProxy' } as const;

/** By the server's own node at the time of the question: not kept with what was verified. */
async function resolveProxy({ chainId, address }: VerifiedRecord, options: SourcifyOptions) {
  const error = { customCode: 'proxy_resolution_error', message: 'Proxy resolution failed' };
  if (chainId !== options.chainId) return { proxyResolutionError: { ...error, errorId: randomUUID() } };
  const found = await findProxy(options.ask, address);
  if (!found) return { isProxy: false, proxyType: null, implementations: [] };
  const implementations = found.leads.map((lead) => {
    const name = options.registry.find(chainId, lead)?.contract.name;
    return { address: Address.checksum(lead), ...(name !== undefined && { name }) };
  });
  return { isProxy: true, proxyType: proxyTypes[found.kind], implementations };
}

function readAddress(text: string): Hex.Hex | undefined {
  return /^0x[0-9a-f]{40}$/i.test(text) ? (text.toLowerCase() as Hex.Hex) : undefined;
}

function refused(status: number, customCode: string, message: string): Reply {
  return json(status, { customCode, message, errorId: randomUUID() });
}

function json(status: number, body: unknown): Reply {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'access-control-allow-origin': '*' };
  return { status, headers, body: JSON.stringify(body) };
}
