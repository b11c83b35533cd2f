import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  AppError,
  badInput,
  type ContractIndex,
  createChainClient,
  createKeyPlaceFinder,
  type EventFiles,
  englishMessage,
  type IdentityProvider,
  isAppError,
  type KeyPlace,
  type KeyPlaceFinder,
  lazy,
  type OperationDeps,
  type OperationKnowledge,
  type OperationPort,
  type ProviderPorts,
  providers,
  systemClock,
  withCreation,
} from '../core/index.ts';
import { type CommandLine, NO_CHAIN_ID } from './commandLine.ts';
import type { CliContext } from './context.ts';
import { openEtherscan, reconcileChainId, toNetwork } from './endpoint.ts';
import { type AbiProviders, openAbiProviders, openLogDecoding, usesEtherscan } from './logDecoding.ts';
import { createDiskFiles, createRefreshedIndex, createSourceReader, settleProject } from './projectFolder.ts';
import type { Env } from './terminal.ts';

/**
 * Creates what operations need on the command line. Requests are sent and files read only when one runs.
 *
 * @throws AppError `badInput` without an endpoint.
 */
export function createOperationDeps(
  line: CommandLine,
  context: OperationContext,
  files?: EventFiles,
): OperationDeps {
  const { rpcUrl } = line;
  const { http, version, signal } = context;
  if (rpcUrl === undefined) throw badInput('rpc', 'The JSON-RPC endpoint is missing. Set it with --rpc URL.');
  const client = createChainClient({ ...http, url: rpcUrl });
  const { projectFolder } = line;
  const settle = async (index: ContractIndex) => {
    const id = await chainId().catch(() => undefined);
    if (projectFolder !== undefined)
      await settleProject({ index, folder: projectFolder }, { client, chainId: id }, { signal });
  };
  const folder =
    projectFolder === undefined ? undefined : createRefreshedIndex(projectFolder, context, settle);
  const keyIn = line.keyIn === 'auto' ? createKeyPlaceFinder() : line.keyIn;
  const ports = new Map<OperationPort, Promise<ProviderPorts[OperationPort] | undefined>>();
  let chainIdRequest: Promise<number | undefined> | undefined;
  let opening: Promise<AbiProviders> | undefined;
  let cached: { readonly key: string; readonly knowledge: OperationKnowledge } | undefined;

  async function chainId(): Promise<number | undefined> {
    chainIdRequest ??= client
      .getChainId({ signal })
      .then((reported) => reconcileChainId(line.chainId, reported));
    try {
      return await chainIdRequest;
    } catch (error) {
      chainIdRequest = undefined;
      // The option `--chain-id` works without the server.
      if (line.chainId === undefined || isAppError(error, 'badInput')) throw error;
      return line.chainId;
    }
  }

  async function openProviders(): Promise<AbiProviders | undefined> {
    if (line.providers === undefined) return undefined;
    const providerList = line.providers;
    opening ??= chainId().then((id) =>
      openAbiProviders(providerList, { line, chainId: id, client }, context),
    );
    opening.catch(() => {
      opening = undefined;
    });
    return opening;
  }

  async function knowledge(): Promise<OperationKnowledge> {
    const [index, id, abiProviders] = await Promise.all([
      folder?.(),
      chainId().catch(() => undefined),
      openProviders(),
    ]);
    // Decoders cache lookups: another chain or another state of the files needs a new one.
    const key = `${id} ${index?.version}`;
    if (cached?.key === key) return cached.knowledge;
    const decoding = await openLogDecoding(
      client,
      { index, abiProviders, chainId: id ?? NO_CHAIN_ID },
      { signal },
    );
    const opened: OperationKnowledge = {
      ...decoding,
      index,
      names: [],
      ...(line.projectFolder !== undefined && {
        readSource: createSourceReader(line.projectFolder),
        files: createDiskFiles(line.projectFolder),
      }),
      code: abiProviders?.code ?? { abiAt: () => undefined },
    };
    cached = { key, knowledge: opened };
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
        ports.get(port) ?? openProviderPort(port, { line, chainId: await chainId(), keyIn }, context);
      ports.set(port, opening);
      opening.catch(() => ports.delete(port));
      return (await opening) as never;
    },
    clock: systemClock,
  };
}

type OperationContext = Pick<CliContext, 'env' | 'http' | 'output' | 'signal' | 'version'>;

/** Opens the first provider of `port`: the data API if its key is set, else what the endpoint is. */
async function openProviderPort<Port extends OperationPort>(
  port: Port,
  place: {
    readonly line: CommandLine;
    readonly chainId: number | undefined;
    readonly keyIn: KeyPlace | KeyPlaceFinder;
  },
  context: OperationContext,
): Promise<ProviderPorts[Port] | undefined> {
  const { line, chainId = NO_CHAIN_ID, keyIn } = place;
  const { http, env, signal } = context;
  const { dataApiUrl } = line;
  const network = { ...toNetwork({ rpcUrl: line.rpcUrl, chainId }), ...(dataApiUrl && { dataApiUrl }) };
  for (const kind of providers) {
    const url = kind.name === 'etherscan' ? undefined : kind.urlFor(network);
    if (url === undefined || kind.offers[port] === undefined) continue;
    const key = kind.takesKey ? requireDataApiKey(line, env, keyIn) : undefined;
    const throttle = kind.createThrottle(http);
    const opened = await kind.open({ ...http, url, chainId, key, throttle, revoked: signal });
    const provider = opened[port];
    if (provider === undefined) continue;
    if (port !== 'identity' || !usesEtherscan(line)) return provider as ProviderPorts[Port];
    const openOther = lazy(() => openEtherscan(line, place.chainId, context));
    const findOther = async () => (await openOther()).identity;
    // Etherscan adds the creation of contracts.
    return withCreation(provider as IdentityProvider, findOther, http.clock) as ProviderPorts[Port];
  }
  return undefined;
}

function requireDataApiKey({ keyEnv }: CommandLine, env: Env, place: KeyPlace | KeyPlaceFinder) {
  const text = keyEnv === undefined ? undefined : env[keyEnv];
  if (text) return { text, place };
  throw new AppError(
    'needsKey',
    'The data API needs a key. Name its environment variable with --key-env NAME.',
  );
}

/**
 * Writes files into one folder that the user has chosen, and nowhere else. Existing files are not overwritten.
 *
 * @throws AppError `badInput` if there is no such folder.
 */
export async function openOutFolder(folder: string): Promise<EventFiles> {
  const stats = await stat(folder).catch(() => undefined);
  if (!stats?.isDirectory())
    throw badInput('out', englishMessage`The folder ${folder} of --out does not exist.`);
  const root = await realpath(folder);

  return {
    async write(name, content, record) {
      const path = toFilePath(root, name);
      const file = await reserveFile(path);
      const recordPath = `${path}.json`;
      const created = [path];
      const part = join(root, `.${randomUUID()}.part`);
      try {
        await (await reserveFile(recordPath)).close();
        created.push(recordPath);
        const { bytes, sha256 } = await writeAll(await open(part, 'wx'), content);
        const { name: recordName, content: recordText } = record();
        if (toFilePath(root, recordName) !== recordPath)
          throw badInput('file', 'The record must be in the folder of its file.');
        const recordPart = `${part}.json`;
        created.push(recordPart);
        await writeAll(await open(recordPart, 'wx'), [recordText]);
        // Each replaces the empty file that reserves its name.
        await rename(recordPart, recordPath);
        await rename(part, path);
        return { path, bytes, sha256 };
      } catch (error) {
        await Promise.all([...created, part].map((partial) => rm(partial, { force: true })));
        throw error;
      } finally {
        await file.close();
      }
    },
  };
}

function toFilePath(root: string, name: string): string {
  if (!FILE_NAME.test(name)) {
    throw badInput('file', 'The file name is invalid. Use letters, digits, _ and -, without a folder.');
  }
  return join(root, name);
}

/** No folder, no leading dot, nothing that a shell or file system treats specially. */
const FILE_NAME = /^[A-Za-z0-9][\w-]{0,99}(?:\.[a-z]{2,8}){1,2}$/;

/** Creates an empty file, so that no other process takes the name. */
async function reserveFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx');
  } catch (cause) {
    const isTaken = (cause as { readonly code?: unknown }).code === 'EEXIST';
    if (isTaken)
      throw badInput('file', 'A file with this name exists and is not overwritten. Use another name.');
    throw new AppError('badInput', 'The file cannot be written.', { field: 'file', cause });
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
