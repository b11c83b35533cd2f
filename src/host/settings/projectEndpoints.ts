import * as vscode from 'vscode';
import * as z from 'zod/mini';
import {
  createTimeSlices,
  type FoundryToml,
  findEtherscanKey,
  findWellKnownChain,
  listFoundryEtherscanKeys,
  listHardhatEtherscanKeys,
  listTemplateVariables,
  type Network,
  type ProjectEndpoint,
  parseDotenv,
  parseFoundryEndpoints,
  parseHardhatEndpoints,
  publicExplorers,
  type ResolvedEndpoint,
  type ResolvedUrl,
  readFoundryConfig,
  resolveProjectEndpoint,
  systemClock,
  untilAborted,
} from '../../core/index.ts';
import { getEnvironmentVariable, setEndpointVariables, type VariableReader } from '../session/secrets.ts';
import { buildOutput, dependencies, type FileInterest } from '../workspace/fileInterest.ts';
import { listFiles, readTextFile } from '../workspace/listFiles.ts';
import { ENDPOINTS_KEY, isEndpointId, type ResolvedNetworks, type SettingError } from './settingTable.ts';

/** An endpoint in a `foundry.toml` or Hardhat config of this workspace. `template`: the one to use now. */
export interface FoundEndpoint extends Omit<ProjectEndpoint, 'fallback'> {
  readonly id: string;
  readonly file: vscode.Uri;
  /** Requests to its URL take their variables from its project. */
  readonly resolved: ResolvedEndpoint;
  /** Of the variables of the URL. */
  readonly sources: readonly VariableSource[];
}

/** Where the value of a variable comes from. */
interface VariableSource {
  readonly name: string;
  /** The path of a `.env` in the workspace; undefined for the environment of the editor. */
  readonly file: string | undefined;
}

interface WorkspaceEndpoints {
  readonly endpoints: readonly FoundEndpoint[];
  /** Config files whose endpoints cannot be read, though they exist. */
  readonly unreadable: readonly vscode.Uri[];
  /** False where the signal aborted before all files were read. */
  readonly isWhole: boolean;
}

/**
 * Finds the endpoints in the workspace's config files, top folders first; none in an untrusted workspace. When the
 * signal aborts, returns those that were read by then. What is wrong with one file concerns no other.
 */
export async function findProjectEndpoints(signal: AbortSignal): Promise<WorkspaceEndpoints> {
  const found = new Map<string, FoundEndpoint>();
  const unreadable: vscode.Uri[] = [];
  if (vscode.workspace.isTrusted) {
    // Does not wait for a slow file system.
    await untilAborted(readEndpoints(found, unreadable, signal), signal).catch((error) => {
      if (!signal.aborted) throw error;
    });
  }
  return { endpoints: [...found.values()], unreadable: [...unreadable], isWhole: !signal.aborted };
}

const MAX_CONFIG_FILES = 20;
const configFiles: FileInterest = {
  names: /^(?:foundry\.toml|hardhat\.config\.[cm]?[jt]s)$/,
  skippedFolders: new Set([...buildOutput, ...dependencies]),
};

async function readEndpoints(
  found: Map<string, FoundEndpoint>,
  unreadable: vscode.Uri[],
  signal: AbortSignal,
): Promise<void> {
  let files = 0;
  for await (const file of listFiles(configFiles, { signal })) {
    await readFileEndpoints(file, found, signal).catch(() => {
      if (!signal.aborted) unreadable.push(file);
    });
    if (++files === MAX_CONFIG_FILES) break;
  }
}

async function readFileEndpoints(
  file: vscode.Uri,
  found: Map<string, FoundEndpoint>,
  signal: AbortSignal,
): Promise<void> {
  const [tool, endpoints] = file.path.endsWith('.toml')
    ? (['foundry', parseEndpoints(await readConfig(file))] as const)
    : (['hardhat', parseHardhatEndpoints(await readTextFile(file))] as const);
  const folder = vscode.workspace.asRelativePath(vscode.Uri.joinPath(file, '..'));
  // Secrets that no URL names are not read.
  const needsVariables = endpoints.some(({ template }) => template.includes('$'));
  const slices = createTimeSlices(systemClock);
  const { variable, isTooLong, listSources } = needsVariables
    ? await readVariables(file, signal)
    : environment;
  for (const { fallback, ...endpoint } of endpoints) {
    const ids = [`${tool}:${endpoint.alias}`, `${tool}:${folder}/${endpoint.alias}`];
    const id = ids.find((each) => !found.has(each));
    if (id === undefined) continue;
    const withFallback = { ...endpoint, ...(fallback && { fallback }) };
    const { template, resolved } = resolveProjectEndpoint(withFallback, variable, isTooLong);
    if ('url' in resolved) setEndpointVariables(resolved.url, variable);
    const sources = 'url' in resolved ? listSources(resolved.variables) : [];
    const variables = sources.map(({ name }) => name);
    const sent = 'url' in resolved ? { ...resolved, variables } : resolved;
    found.set(id, { ...endpoint, template, id, file, resolved: sent, sources });
    if (slices.isOver()) await slices.rest({ signal });
  }
}

interface Variables {
  readonly variable: VariableReader;
  /** Whether a variable is not set because it is too long. */
  readonly isTooLong: (name: string) => boolean;
  /** Of these variables, and of those of the environment that their values in a `.env` are made of. */
  readonly listSources: (names: readonly string[]) => readonly VariableSource[];
}

const environment: Variables = {
  variable: getEnvironmentVariable,
  isTooLong: () => false,
  listSources: (names) => names.map((name) => ({ name, file: undefined })),
};

/** Of the environment, in a `.env`; with more, each value may have any of them. */
const MAX_INNER_VARIABLES = 20;

/** The variables of the environment, else of the `.env` beside a config file, else of the one in the workspace folder. */
async function readVariables(file: vscode.Uri, signal: AbortSignal): Promise<Variables> {
  const beside = vscode.Uri.joinPath(file, '../.env');
  const root = vscode.workspace.getWorkspaceFolder(file)?.uri ?? vscode.Uri.joinPath(file, '..');
  const places = new Map([beside, vscode.Uri.joinPath(root, '.env')].map((uri) => [uri.toString(), uri]));
  const uris = [...places.values()];
  const texts = await Promise.all(uris.map(readTextFile));
  const text = texts.join('\n');
  const inner = new Set<string>();
  const { values, isTooLong } = parseDotenv(text, (name) => {
    const value = getEnvironmentVariable(name);
    if (value !== undefined) inner.add(name);
    return value;
  });
  const first = parseDotenv(texts[0] ?? '', getEnvironmentVariable).values;
  const usersOf = await findUsers(text, values, { inner, signal });

  function findFile(name: string): string | undefined {
    if (getEnvironmentVariable(name) !== undefined) return undefined;
    return vscode.workspace.asRelativePath(uris[first.has(name) ? 0 : uris.length - 1] ?? beside);
  }

  return {
    variable: (name) => getEnvironmentVariable(name) ?? values.get(name),
    isTooLong,
    listSources(names) {
      const own = names.map((name) => ({ name, file: findFile(name) }));
      const isUsed = (used: string) =>
        own.some(({ name, file: from }) => from !== undefined && usersOf.get(used)?.has(name) !== false);
      const used = [...inner].filter((name) => !names.includes(name) && isUsed(name));
      return [...own, ...used.map((name) => ({ name, file: undefined }))];
    },
  };
}

/** Which values of a `.env` each variable of the environment is in: without it, they are others. */
async function findUsers(
  text: string,
  values: ReadonlyMap<string, string>,
  { inner, signal }: { readonly inner: ReadonlySet<string>; readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const users = new Map<string, ReadonlySet<string>>();
  if (inner.size > MAX_INNER_VARIABLES) return users;
  const slices = createTimeSlices(systemClock);
  for (const used of inner) {
    if (slices.isOver()) await slices.rest({ signal });
    const without = parseDotenv(text, (name) => (name === used ? '' : getEnvironmentVariable(name))).values;
    users.set(used, new Set([...values.keys()].filter((name) => without.get(name) !== values.get(name))));
  }
  return users;
}

/** With what it extends inside of its workspace folder. */
async function readConfig(file: vscode.Uri): Promise<FoundryToml> {
  const text = await readTextFile(file);
  const root = vscode.workspace.getWorkspaceFolder(file)?.uri;
  if (!root) return text;
  const path = file.path.slice(root.path.length).replace(/^\//, '');
  const read = async (other: string) => (await readTextFile(vscode.Uri.joinPath(root, other))) || undefined;
  return (await readFoundryConfig(path, text, read)).toml;
}

function parseEndpoints(toml: FoundryToml): readonly ProjectEndpoint[] {
  try {
    return parseFoundryEndpoints(toml);
  } catch {
    // The error is reported where the project is read.
    return [];
  }
}

/** The chain ID of an endpoint when the user last approved it as it is in the file now. */
export function getApprovedChain(
  memento: vscode.Memento,
  { id, template }: FoundEndpoint,
): number | undefined {
  const stored = readStoredEndpoints(memento)[id];
  return stored?.template === template ? stored.chainId : undefined;
}

const storeSchema = z.record(
  z.string(),
  z.object({
    template: z.string(),
    /** Missing while the user has agreed to send, but has not chosen the endpoint: it did not respond. */
    chainId: z.optional(z.int().check(z.positive())),
    /** What the user agreed to send, and where, as of {@link describeSending}. */
    sends: z.optional(z.string()),
  }),
);
type StoredEndpoints = z.infer<typeof storeSchema>;

/**
 * Resolves the endpoints that the user has approved to networks: the URL from the current file and environment, the
 * chain ID as it was when the user approved it. Sends no request. If the URL in the file has changed since, or would
 * send variables of the environment elsewhere, the user has to approve it again.
 *
 * @param chosenId the ID of an endpoint or a public network; an error is about that.
 */
export async function resolveProjectNetworks(
  memento: vscode.Memento,
  chosenId?: string,
): Promise<ResolvedNetworks> {
  const stored = readStoredEndpoints(memento);
  const { endpoints } = await findProjectEndpoints(new AbortController().signal);
  const resolved = endpoints
    .filter(({ id }) => id === chosenId || id in stored)
    .map((endpoint) => ({ id: endpoint.id, ...resolveOne(memento, endpoint) }));
  const chosen = resolved.find(({ id }) => id === chosenId);
  const isMissing = chosenId !== undefined && isEndpointId(chosenId) && !chosen;
  const missing: SettingError | undefined = isMissing ? { code: 'noEndpoint', id: chosenId } : undefined;
  return {
    networks: [
      ...resolved.flatMap((each) => ('network' in each ? each.network : [])),
      ...publicExplorers.filter(({ id }) => id === chosenId),
    ],
    error: chosen && 'error' in chosen ? chosen.error : missing,
  };
}

function resolveOne(
  memento: vscode.Memento,
  endpoint: FoundEndpoint,
): { readonly network: Network } | { readonly error: SettingError } {
  const { id, resolved } = endpoint;
  if ('missing' in resolved) return { error: { code: 'endpointVariables', id, names: resolved.missing } };
  if ('tooLong' in resolved) return { error: { code: 'endpointTooLong', id, names: resolved.tooLong } };
  if ('error' in resolved) return { error: { code: 'noEndpoint', id } };
  const chainId = getApprovedChain(memento, endpoint);
  if (chainId === undefined || !isSendingAllowed(memento, resolved)) {
    const file = vscode.workspace.asRelativePath(endpoint.file);
    const { host } = new URL(resolved.url);
    return { error: { code: 'endpointUnapproved', id, alias: endpoint.alias, file, host } };
  }
  return { network: toEndpointNetwork(endpoint, { url: resolved.url, chainId }) };
}

/** Converts an endpoint to a network that has its alias as name, with the well-known data of its chain. */
export function toEndpointNetwork(
  { id, alias }: FoundEndpoint,
  { url, chainId }: { readonly url: string; readonly chainId: number },
): Network {
  const { symbol = 'ETH', explorerUrl, dataApiUrl } = findWellKnownChain(chainId) ?? {};
  return { id, name: alias, chainId, rpcUrl: url, explorerUrl, dataApiUrl, symbol, decimals: 18 };
}

/**
 * Stores the chain ID of an endpoint with its URL as the file has it, before environment variables are filled in. What the
 * user has agreed to send stays.
 */
export async function approveEndpoint(
  memento: vscode.Memento,
  { id, chainId, rpcUrl }: Network,
  template: string,
): Promise<void> {
  const known = readStoredEndpoints(memento)[id]?.sends;
  const sends = known ?? describeSending({ url: rpcUrl, variables: listTemplateVariables(template) });
  await storeEndpoint(memento, id, { template, chainId, sends });
}

/** Stores that the user has agreed to send the variables of an endpoint to its origin. */
export async function allowSending(
  memento: vscode.Memento,
  { id, template }: FoundEndpoint,
  resolved: ResolvedUrl,
): Promise<void> {
  const known = readStoredEndpoints(memento)[id];
  const chainId = known?.template === template ? known.chainId : undefined;
  const sends = describeSending(resolved);
  await storeEndpoint(memento, id, { template, sends, ...(chainId !== undefined && { chainId }) });
}

async function storeEndpoint(
  memento: vscode.Memento,
  id: string,
  endpoint: StoredEndpoints[string],
): Promise<void> {
  await memento.update(ENDPOINTS_KEY, { ...readStoredEndpoints(memento), [id]: endpoint });
}

/**
 * Whether the user has agreed to send the variables of an endpoint to its origin, for this or another endpoint. Without
 * that, nothing is sent to a URL that a variable is a part of, also on this machine.
 */
export function isSendingAllowed(memento: vscode.Memento, endpoint: ResolvedUrl): boolean {
  if (endpoint.variables.length === 0) return true;
  const sending = describeSending(endpoint);
  return Object.values(readStoredEndpoints(memento)).some(({ sends }) => sends === sending);
}

function describeSending({ url, variables }: ResolvedUrl): string {
  return [new URL(url).origin, ...[...variables].sort()].join(' ');
}

function readStoredEndpoints(memento: vscode.Memento): StoredEndpoints {
  return storeSchema.safeParse(memento.get(ENDPOINTS_KEY)).data ?? {};
}

/** The Etherscan key that a config file of this workspace names. */
export interface ProjectEtherscanKey {
  /** The path of the config file in the workspace. */
  readonly file: string;
  /** The variable that has the key; undefined if the file itself has it. */
  readonly variable: string | undefined;
  /** Never shown. */
  readonly key: string;
}

/**
 * Finds the Etherscan key of the workspace, in top folders first; undefined in an untrusted workspace. What is wrong with
 * one file concerns no other.
 */
export async function findProjectEtherscanKey(signal: AbortSignal): Promise<ProjectEtherscanKey | undefined> {
  if (!vscode.workspace.isTrusted) return undefined;
  let files = 0;
  for await (const file of listFiles(configFiles, { signal })) {
    const found = await readEtherscanKey(file, signal).catch(() => undefined);
    if (found || ++files === MAX_CONFIG_FILES) return found;
  }
  return undefined;
}

async function readEtherscanKey(
  file: vscode.Uri,
  signal: AbortSignal,
): Promise<ProjectEtherscanKey | undefined> {
  const references = file.path.endsWith('.toml')
    ? listFoundryEtherscanKeys(await readConfig(file))
    : listHardhatEtherscanKeys(await readTextFile(file));
  // Secrets that no config file names are not read.
  const found =
    references.length > 0 && findEtherscanKey(references, (await readVariables(file, signal)).variable);
  if (!found) return undefined;
  const { reference, key } = found;
  const variable = 'variable' in reference ? reference.variable : undefined;
  return { file: vscode.workspace.asRelativePath(file), variable, key };
}
