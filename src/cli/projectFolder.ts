import * as fs from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  type Address,
  badInput,
  type ChainClient,
  type ContractIndex,
  createDeploymentChecker,
  createFilesInside,
  createProjectIndexer,
  createTimeSlices,
  decodeFileText,
  englishMessage,
  explainNamedContract,
  formatMessage,
  getLabeledFolder,
  isAppError,
  isLoopbackUrl,
  listAddressesToCheck,
  MAX_SOURCE_CHARS,
  type ProjectFiles,
  systemClock,
} from '../core/index.ts';
import type { CliContext } from './context.ts';

/** Indexes the projects below a folder. @throws AppError `badInput` if there is no such folder. */
export async function indexFolder(folder: string | undefined, { output, signal }: IndexContext) {
  if (folder === undefined) throw badInput('folder', 'The folder is missing. Enter contracts DIR.');
  const stats = await fs.stat(folder).catch(() => undefined);
  if (!stats?.isDirectory()) throw badInput('folder', englishMessage`There is no folder ${folder}.`);
  const indexer = createProjectIndexer({ files: createDiskFiles(folder), roots: [''], clock: systemClock });
  await indexer.update('all', { signal });
  for (const { path, reason } of indexer.skipped)
    output.printMessage(`${path === '' ? folder : path}: ${reason}`);
  for (const { file, reason } of indexer.index.unitProblems)
    output.printMessage(`${file}: ${formatMessage(reason)}`);
  for (const { file, chosen } of indexer.index.deploymentRecords) {
    const reason = chosen && explainNamedContract(indexer.index, chosen, getLabeledFolder(file));
    if (reason) output.printMessage(`${file}: ${formatMessage(reason)}`);
  }
  return indexer;
}

type IndexContext = Pick<CliContext, 'output' | 'signal'>;

/** Indexes the projects below a folder and prepares the index for lookups. @throws as {@link indexFolder}. */
export async function openProjectIndex(folder: string, context: IndexContext): Promise<ContractIndex> {
  const { index } = await indexFolder(folder, context);
  await prepareIndex(index, context);
  return index;
}

async function prepareIndex(index: ContractIndex, options: { readonly signal: AbortSignal }): Promise<void> {
  const slices = createTimeSlices(systemClock);
  while (!index.prepare(slices.isOver)) await slices.rest(options);
}

/** Addresses of a chain of this machine, whose node answers at once, and of another one. */
const MAX_LOCAL_CHECKS = 500;
const MAX_REMOTE_CHECKS = 50;
/** An endpoint with a rate limit may take longer for them: then the files decide. */
const MAX_CHECK_MS = 10_000;

/**
 * Adds to an index what the chain says of its deployments. On another machine, only of those that several files or names
 * leave in doubt. What cannot be checked stays as the files have it.
 *
 * @param folder the folder that was indexed.
 */
export async function settleProject(
  { index, folder }: { readonly index: ContractIndex; readonly folder: string },
  {
    client,
    chainId,
    most,
    addresses: given,
  }: {
    readonly client: ChainClient;
    readonly chainId: number | undefined;
    /** Of all addresses; an error is then thrown. By default, as above. */
    readonly most?: number;
    /** Only these. */
    readonly addresses?: readonly Address[];
  },
  options: { readonly signal: AbortSignal },
): Promise<void> {
  if (chainId === undefined) return;
  const isLocal = isLoopbackUrl(client.url);
  const usual = { isDoubtful: !isLocal, most: isLocal ? MAX_LOCAL_CHECKS : MAX_REMOTE_CHECKS };
  const limits = most === undefined ? usual : { most };
  const addresses = given ?? listAddressesToCheck(index, chainId, limits);
  if (addresses.length === 0) return;
  const files = createDiskFiles(folder);
  const checker = createDeploymentChecker({ client, chainId, index, files, clock: systemClock });
  const deadline = most === undefined ? AbortSignal.timeout(MAX_CHECK_MS) : options.signal;
  const bounded = { signal: AbortSignal.any([options.signal, deadline]) };
  try {
    const block = await client.getBlockNumber(bounded);
    index.settleDeployments(chainId, await checker.check({ addresses, block }, bounded));
  } catch (error) {
    options.signal.throwIfAborted();
    if (most !== undefined || !isAppError(error)) throw error;
  }
}

/**
 * An index of the projects below a folder that follows changes of their files, for a long-running process.
 *
 * @param settle is called after each refresh.
 * @throws AppError `badInput` if there is no such folder.
 */
export function createRefreshedIndex(
  folder: string,
  context: IndexContext,
  settle: (index: ContractIndex) => Promise<void>,
): () => Promise<ContractIndex> {
  let indexing: Promise<Awaited<ReturnType<typeof indexFolder>>> | undefined;
  let refreshing: Promise<ContractIndex> | undefined;
  let refreshedAt = Number.NEGATIVE_INFINITY;

  async function refresh(): Promise<ContractIndex> {
    const isFirst = indexing === undefined;
    indexing ??= indexFolder(folder, context);
    const indexer = await indexing.catch((error: unknown) => {
      indexing = undefined;
      throw error;
    });
    if (!isFirst) await indexer.update('all', context);
    await settle(indexer.index);
    await prepareIndex(indexer.index, context);
    refreshedAt = systemClock.elapsed();
    return indexer.index;
  }

  return async () => {
    if (indexing && !refreshing && systemClock.elapsed() - refreshedAt < REFRESH_AFTER_MS)
      return (await indexing).index;
    refreshing ??= refresh().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  };
}

/** Files are checked for changes at most this often. */
const REFRESH_AFTER_MS = 3000;

/** Finds the project folder of a file: the nearest parent with a project mark, else the folder of the file. */
export async function findProjectFolder(file: string): Promise<string> {
  return (await findMarkedFolder(file)) ?? dirname(resolve(file));
}

/** Finds the nearest parent of a file with a project mark. */
export async function findMarkedFolder(file: string): Promise<string | undefined> {
  let folder = dirname(resolve(file));
  for (let level = 0; level < MAX_PARENT_FOLDERS; level++) {
    const names = await fs.readdir(folder).catch(() => []);
    if (names.some((name) => PROJECT_MARKS.test(name))) return folder;
    const parent = dirname(folder);
    if (parent === folder) break;
    folder = parent;
  }
  return undefined;
}

/** Names of files and folders at the top of a project or repository. */
const PROJECT_MARKS = /^(?:\.git|foundry\.toml|(?:hardhat\.|truffle-|ape-)config\.\w+)$/;
const MAX_PARENT_FOLDERS = 64;

/** The files below a folder on disk. Unreadable files count as missing. */
export function createDiskFiles(root: string): ProjectFiles {
  return createFilesInside(fs, resolve(root));
}

/** Reads source files by their paths below a folder. */
export function createSourceReader(folder: string): (file: string) => Promise<string | undefined> {
  const files = createDiskFiles(folder);
  return async (file) => {
    const bytes = await files.read(file, MAX_SOURCE_CHARS);
    return bytes && decodeFileText(bytes);
  };
}
