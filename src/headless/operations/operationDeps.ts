import {
  AppError,
  badInput,
  createChainClient,
  type EventFiles,
  type HttpDeps,
  isAppError,
  type OperationDeps,
  type OperationKnowledge,
  type OperationPort,
  type ProviderPorts,
  providers,
  systemClock,
} from '../../core/index.ts';
import { agreedChain } from '../line/agreedChain.ts';
import { type CommandLine, NO_CHAIN } from '../line/commandLine.ts';
import { openLogDecoding } from '../line/logDecoding.ts';
import { endpointNetwork } from '../line/openSource.ts';
import { type AskedSources, openSources } from '../line/sources.ts';
import { followFolder } from './followedFolder.ts';

interface Given {
  readonly line: CommandLine;
  readonly http: HttpDeps;
  /** Of Chainside. */
  readonly version: string;
  readonly files: EventFiles | undefined;
  /** Ends all that is under way. */
  readonly signal: AbortSignal;
}

/**
 * What operations work with on a command line. Nothing is asked and no file is read before one is run.
 *
 * @throws AppError `badInput` without an endpoint.
 */
export function createOperationDeps({ line, http, version, files, signal }: Given): OperationDeps {
  const { rpcUrl } = line;
  if (rpcUrl === undefined) throw badInput('rpc', 'Give the JSON-RPC endpoint with --rpc URL.');
  let sent = 0;
  const counted: HttpDeps = {
    ...http,
    fetch: (...request) => {
      sent++;
      return http.fetch(...request);
    },
  };
  const client = createChainClient({ ...counted, url: rpcUrl });
  const folder = line.knownBy === undefined ? undefined : followFolder(line.knownBy, { signal });
  const ports = new Map<OperationPort, Promise<ProviderPorts[OperationPort] | undefined>>();
  let chain: Promise<number | undefined> | undefined;
  let sources: Promise<AskedSources> | undefined;
  let known: { readonly of: string; readonly knowledge: OperationKnowledge } | undefined;

  async function chainId(): Promise<number | undefined> {
    chain ??= client.chainId({ signal }).then((told) => agreedChain(line.chainId, told));
    try {
      return await chain;
    } catch (error) {
      chain = undefined;
      // What the command line says needs no server.
      if (line.chainId === undefined || isAppError(error, 'badInput')) throw error;
      return line.chainId;
    }
  }

  async function openAsked(): Promise<AskedSources | undefined> {
    if (line.sources === undefined) return undefined;
    const written = line.sources;
    sources ??= chainId().then((id) => openSources(written, { line, http: counted, chainId: id, signal }));
    sources.catch(() => {
      sources = undefined;
    });
    return sources;
  }

  async function knowledge(): Promise<OperationKnowledge> {
    const [index, id, asked] = await Promise.all([folder?.(), chainId().catch(() => undefined), openAsked()]);
    // Decoders keep what they were told: another state of the files has another.
    const of = `${id} ${index?.version}`;
    if (known?.of === of) return known.knowledge;
    const decoding = await openLogDecoding(
      client,
      { index, sources: asked, chainId: id ?? NO_CHAIN },
      { signal },
    );
    const opened: OperationKnowledge = {
      ...decoding,
      ...{ index, names: [], code: asked?.known ?? { abiAt: () => undefined } },
      wantCode: async (addresses) => asked?.wantCode(addresses),
    };
    known = { of, knowledge: opened };
    return opened;
  }

  return {
    network: { name: line.networkName, rpcUrl, symbol: line.coinSymbol, decimals: line.coinDecimals },
    ...{ client, chainId, knowledge, files, version },
    async source(port) {
      const opening =
        ports.get(port) ?? openPort(port, { line, http: counted, chainId: await chainId(), signal });
      ports.set(port, opening);
      opening.catch(() => ports.delete(port));
      return (await opening) as never;
    },
    sent: () => sent,
    clock: systemClock,
  };
}

/** The first source of a port: the data API where its key is given, else what the endpoint is. */
async function openPort<Port extends OperationPort>(
  port: Port,
  asked: Pick<Given, 'http' | 'line' | 'signal'> & { readonly chainId: number | undefined },
): Promise<ProviderPorts[Port] | undefined> {
  const { line, http, signal, chainId = NO_CHAIN } = asked;
  const { dataApiUrl } = line;
  const network = { ...endpointNetwork({ rpcUrl: line.rpcUrl, chainId }), ...(dataApiUrl && { dataApiUrl }) };
  for (const kind of providers) {
    const url = kind.urlFor(network);
    if (url === undefined || kind.offers[port] === undefined) continue;
    const key = kind.takesKey ? dataApiKey(line) : undefined;
    const rateLimit = kind.createRateLimit(http);
    const opened = await kind.open({ ...http, url, chainId, key, rateLimit, revoked: signal });
    const source = opened[port];
    if (source) return source as ProviderPorts[Port];
  }
  return undefined;
}

function dataApiKey({ keyEnv, keyIn }: CommandLine) {
  const text = keyEnv === undefined ? undefined : process.env[keyEnv];
  if (text) return { text, place: keyIn };
  throw new AppError(
    'needsKey',
    'The data API takes a key: name the variable that holds it with --key-env NAME.',
  );
}
