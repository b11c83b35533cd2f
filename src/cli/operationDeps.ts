import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  AppError,
  badInput,
  createChainClient,
  type EventFiles,
  type HttpDeps,
  isAppError,
  isRecord,
  type OperationDeps,
  type OperationKnowledge,
  type OperationPort,
  type ProviderPorts,
  providers,
  systemClock,
} from '../core/index.ts';
import { type CommandLine, NO_CHAIN_ID } from './commandLine.ts';
import { reconcileChainId, toNetwork } from './endpoint.ts';
import { type AbiProviders, openAbiProviders, openLogDecoding } from './logDecoding.ts';
import { createRefreshedIndex } from './projectFolder.ts';

interface OperationInputs {
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
export function createOperationDeps({ line, http, version, files, signal }: OperationInputs): OperationDeps {
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
  const folder =
    line.projectFolder === undefined ? undefined : createRefreshedIndex(line.projectFolder, { signal });
  const ports = new Map<OperationPort, Promise<ProviderPorts[OperationPort] | undefined>>();
  let chain: Promise<number | undefined> | undefined;
  let sources: Promise<AbiProviders> | undefined;
  let known: { readonly of: string; readonly knowledge: OperationKnowledge } | undefined;

  async function chainId(): Promise<number | undefined> {
    chain ??= client.getChainId({ signal }).then((told) => reconcileChainId(line.chainId, told));
    try {
      return await chain;
    } catch (error) {
      chain = undefined;
      // What the command line says needs no server.
      if (line.chainId === undefined || isAppError(error, 'badInput')) throw error;
      return line.chainId;
    }
  }

  async function openAsked(): Promise<AbiProviders | undefined> {
    if (line.providers === undefined) return undefined;
    const written = line.providers;
    sources ??= chainId().then((id) =>
      openAbiProviders(written, { line, http: counted, chainId: id, signal }),
    );
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
      { index, sources: asked, chainId: id ?? NO_CHAIN_ID },
      { signal },
    );
    const opened: OperationKnowledge = {
      ...decoding,
      index,
      names: [],
      code: asked?.code ?? { abiAt: () => undefined },
      prefetchAbis: async (addresses) => asked?.prefetchCode(addresses),
    };
    known = { of, knowledge: opened };
    return opened;
  }

  return {
    network: { name: line.networkName, rpcUrl, symbol: line.coinSymbol, decimals: line.coinDecimals },
    client,
    chainId,
    knowledge,
    files,
    version,
    async provider(port) {
      const opening =
        ports.get(port) ?? openProviderPort(port, { line, http: counted, chainId: await chainId(), signal });
      ports.set(port, opening);
      opening.catch(() => ports.delete(port));
      return (await opening) as never;
    },
    sent: () => sent,
    clock: systemClock,
  };
}

/** The first source of a port: the data API where its key is given, else what the endpoint is. */
async function openProviderPort<Port extends OperationPort>(
  port: Port,
  asked: Pick<OperationInputs, 'http' | 'line' | 'signal'> & { readonly chainId: number | undefined },
): Promise<ProviderPorts[Port] | undefined> {
  const { line, http, signal, chainId = NO_CHAIN_ID } = asked;
  const { dataApiUrl } = line;
  const network = { ...toNetwork({ rpcUrl: line.rpcUrl, chainId }), ...(dataApiUrl && { dataApiUrl }) };
  for (const kind of providers) {
    const url = kind.urlFor(network);
    if (url === undefined || kind.offers[port] === undefined) continue;
    const key = kind.takesKey ? requireDataApiKey(line) : undefined;
    const throttle = kind.createThrottle(http);
    const opened = await kind.open({ ...http, url, chainId, key, throttle, revoked: signal });
    const source = opened[port];
    if (source) return source as ProviderPorts[Port];
  }
  return undefined;
}

function requireDataApiKey({ keyEnv, keyIn }: CommandLine) {
  const text = keyEnv === undefined ? undefined : process.env[keyEnv];
  if (text) return { text, place: keyIn };
  throw new AppError(
    'needsKey',
    'The data API takes a key: name the variable that holds it with --key-env NAME.',
  );
}

/** A name without a folder, a dot at its start, or anything that a shell or a file system reads otherwise. */
const FILE_NAME = /^[A-Za-z0-9][\w-]{0,99}(?:\.[a-z]{2,8}){1,2}$/;

/**
 * Writes files into one folder that the user has named, and nowhere else; what is there stays.
 *
 * @throws AppError `badInput` where there is no such folder.
 */
export async function openOutFolder(folder: string): Promise<EventFiles> {
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) throw badInput('out', `There is no folder ${folder} for --out.`);
  const root = await realpath(folder);

  return {
    async write(name, content, record) {
      const path = toFilePath(root, name);
      const file = await reserveFile(path);
      const beside = `${path}.json`;
      const made = [path];
      const part = join(root, `.${randomUUID()}.part`);
      try {
        await (await reserveFile(beside)).close();
        made.push(beside);
        const { bytes, sha256 } = await writeAll(await open(part, 'wx'), content);
        const { name: recordName, content: recorded } = record();
        if (toFilePath(root, recordName) !== beside)
          throw badInput('file', 'The record stands beside its file.');
        const recordPart = `${part}.json`;
        made.push(recordPart);
        await writeAll(await open(recordPart, 'wx'), [recorded]);
        // Each takes the place of an empty file that was made for it above.
        await rename(recordPart, beside);
        await rename(part, path);
        return { path, bytes, sha256 };
      } catch (error) {
        await Promise.all([...made, part].map((left) => rm(left, { force: true })));
        throw error;
      } finally {
        await file.close();
      }
    },
  };
}

function toFilePath(root: string, name: string): string {
  if (!FILE_NAME.test(name)) {
    throw badInput('file', 'A file name has letters, digits, _ and -, and no folder.');
  }
  return join(root, name);
}

/** Makes an empty file, so that nobody else does. */
async function reserveFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx');
  } catch (cause) {
    const isTaken = (cause as { readonly code?: unknown }).code === 'EEXIST';
    if (isTaken)
      throw badInput(
        'file',
        'There is a file of this name already, and none is overwritten: give another name.',
      );
    throw new AppError('badInput', 'The file cannot be written there.', { field: 'file', cause });
  }
}

async function writeAll(
  file: FileHandle,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of content) {
      hash.update(chunk);
      bytes += chunk.length;
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** The version of Chainside, as the manifest above the program that runs has it. */
export async function readOwnVersion(): Promise<string> {
  let folder = dirname(process.argv[1] ?? '');
  // The program is in `dist`, or in `src/headless`.
  for (let level = 0; level < 3; level++) {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}');
    const manifest: unknown = JSON.parse(text);
    if (isRecord(manifest) && manifest.name === 'chainside') return String(manifest.version);
    folder = dirname(folder);
  }
  return 'unknown';
}
