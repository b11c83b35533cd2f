import * as z from 'zod/mini';
import { castAddress } from '../explorer/casts.ts';
import { createMachines, type Replicas } from '../explorer/replicas.ts';
import type { RecordedRequest } from '../http/faults.ts';
import { type RecordingServer, type Reply, startRecordingServer } from '../http/recordingServer.ts';
import type { ExplorerIndex } from '../index/explorerIndex.ts';
import { readHeader } from './nodeHeaders.ts';
import { readNodeLogs } from './nodeLogs.ts';
import { type NodeLimits, type NodeProfile, type NodeRefusal, RefusedByNode } from './nodeProfile.ts';
import { type NodeProfileName, nodeProfiles } from './nodeProfiles.ts';

export type NodeServer = RecordingServer & {
  /** Where JSON-RPC is answered; with the key, where the provider has one in its path. */
  readonly rpcUrl: string;
  /** Requests that it refused, single or in a batch. */
  readonly refusedCount: number;
};

export type NodeOptions = {
  readonly index: ExplorerIndex;
  readonly profile: NodeProfileName;
  /** In place of the limits of the profile. */
  readonly limits?: NodeLimits;
  readonly chainId?: number;
  readonly port?: number;
  /** Default one machine, which knows all of the index. */
  readonly replicas?: Replicas;
  /** Whether several calls may come in one request. Default true. */
  readonly batches?: false;
};

const requestSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.number(), z.string(), z.null()]),
  method: z.string(),
  params: z.optional(z.array(z.unknown())),
});

/** A plain node, or a provider of one, that answers from an index with the words and limits of its kind. */
export async function startNode(options: NodeOptions): Promise<NodeServer> {
  const profile: NodeProfile = nodeProfiles[options.profile];
  let refusedCount = 0;
  const answer = createNodeAnswer({ ...options, onRefusal: () => void refusedCount++ });
  const server = await startRecordingServer({
    port: options.port ?? 0,
    handle: async (request) => answer(request),
  });
  return Object.defineProperties(server, {
    rpcUrl: { value: `${server.origin}${profile.path}` },
    refusedCount: { get: () => refusedCount },
  }) as NodeServer;
}

/** What {@link startNode} answers with, for a server that becomes a node while it runs: at `path`. */
export function createNodeAnswer({
  index,
  limits,
  chainId = 31337,
  replicas,
  batches,
  ...options
}: Omit<NodeOptions, 'port'> & { readonly path?: string; readonly onRefusal?: () => void }) {
  const known: NodeProfile = nodeProfiles[options.profile];
  const { path = known.path } = options;
  const profile: NodeProfile = limits ? { ...known, limits } : known;
  const machineFor = createMachines(index, replicas);
  const methodsOf = (
    machine: ExplorerIndex,
  ): Readonly<Record<string, (params: readonly unknown[]) => unknown>> => ({
    eth_blockNumber: () => `0x${(machine.head() ?? 0).toString(16)}`,
    eth_chainId: () => `0x${chainId.toString(16)}`,
    eth_getBalance: ([address]) => {
      const cast = castAddress(address);
      if (cast === undefined) throw new RefusedByNode({ code: -32602, message: 'invalid argument 0' });
      return `0x${(machine.latestBalance(cast) ?? 0n).toString(16)}`;
    },
    eth_getLogs: ([filter]) => readNodeLogs(filter, machine, profile),
    ...(profile.headers === false ? {} : { eth_getBlockByNumber: ([block]) => readHeader(block, machine) }),
    ...(profile.clientVersion === undefined ? {} : { web3_clientVersion: () => profile.clientVersion }),
  });

  const answerOne = (
    request: unknown,
    methods: ReturnType<typeof methodsOf>,
  ): { readonly status: number; readonly body: object } => {
    const parsed = requestSchema.safeParse(request);
    if (!parsed.success) return refusalBody(null, { code: -32600, message: 'invalid request' });
    const { id, method, params = [] } = parsed.data;
    try {
      const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
      if (!run) throw new RefusedByNode(profile.methodNotFound);
      return { status: 200, body: { jsonrpc: '2.0', id, result: run(params) } };
    } catch (error) {
      if (!(error instanceof RefusedByNode)) throw error;
      options.onRefusal?.();
      return refusalBody(id, error.refusal);
    }
  };

  return (received: RecordedRequest): Reply => {
    const { method, url, body } = received;
    const methods = methodsOf(machineFor(received));
    if (url !== path) return { status: 404, body: '404 page not found' };
    if (method !== 'POST') return { status: 405, body: 'method not allowed' };
    let request: unknown;
    try {
      request = JSON.parse(body);
    } catch {
      const { status, body: refusal } = refusalBody(null, { code: -32700, message: 'parse error' });
      return jsonReply(status, refusal);
    }
    if (Array.isArray(request) && batches !== false)
      return jsonReply(
        200,
        request.map((one) => answerOne(one, methods).body),
      );
    const { status, body: answer } = answerOne(request, methods);
    return jsonReply(status, answer);
  };
}

function refusalBody(id: unknown, { status = 200, ...error }: NodeRefusal) {
  return { status, body: { jsonrpc: '2.0', id, error } };
}

function jsonReply(status: number, body: object): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
