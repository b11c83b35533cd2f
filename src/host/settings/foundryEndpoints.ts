import * as vscode from 'vscode';
import * as z from 'zod/mini';
import {
  type FoundryToml,
  findWellKnownChain,
  listUrlVariables,
  type Network,
  type ProjectEndpoint,
  parseFoundryEndpoints,
  type ResolvedUrl,
  readFoundryConfig,
  resolveEndpoint,
  untilAborted,
} from '../../core/index.ts';
import { getEnvironmentVariable } from '../session/secrets.ts';
import { buildOutput, dependencies, type FileInterest } from '../workspace/fileInterest.ts';
import { listFiles, readTextFile } from '../workspace/listFiles.ts';
import { FOUNDRY_PREFIX, type FoundryNetwork } from './settingTable.ts';

/** An endpoint in a `foundry.toml` of this workspace. */
export interface FoundEndpoint extends ProjectEndpoint {
  readonly id: string;
  readonly file: vscode.Uri;
}

interface WorkspaceEndpoints {
  readonly endpoints: readonly FoundEndpoint[];
  /** False where the signal aborted before all files were read. */
  readonly isWhole: boolean;
}

/**
 * Finds the endpoints in the workspace's `foundry.toml` files, top folders first; none in an untrusted workspace.
 * When the signal aborts, returns those that were read by then.
 */
export async function findFoundryEndpoints(signal: AbortSignal): Promise<WorkspaceEndpoints> {
  const found = new Map<string, FoundEndpoint>();
  if (vscode.workspace.isTrusted) {
    // Does not wait for a slow file system.
    await untilAborted(readEndpoints(found, signal), signal).catch((error) => {
      if (!signal.aborted) throw error;
    });
  }
  return { endpoints: [...found.values()], isWhole: !signal.aborted };
}

const MAX_FOUNDRY_FILES = 20;
const foundryToml: FileInterest = {
  names: /^foundry\.toml$/,
  skippedFolders: new Set([...buildOutput, ...dependencies]),
};

async function readEndpoints(found: Map<string, FoundEndpoint>, signal: AbortSignal): Promise<void> {
  let files = 0;
  for await (const file of listFiles(foundryToml, { signal })) {
    for (const endpoint of parseEndpoints(await readConfig(file))) {
      const folder = vscode.workspace.asRelativePath(vscode.Uri.joinPath(file, '..'));
      const ids = [`${FOUNDRY_PREFIX}${endpoint.alias}`, `${FOUNDRY_PREFIX}${folder}/${endpoint.alias}`];
      const id = ids.find((each) => !found.has(each));
      if (id !== undefined) found.set(id, { ...endpoint, id, file });
    }
    if (++files === MAX_FOUNDRY_FILES) break;
  }
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

const STORE_KEY = 'foundryEndpoints';
const storeSchema = z.record(
  z.string(),
  z.object({
    template: z.string(),
    chainId: z.int().check(z.positive()),
    /** What the user agreed to send, and where, as of {@link describeSending}. */
    sends: z.optional(z.string()),
  }),
);
type StoredEndpoints = z.infer<typeof storeSchema>;

/**
 * Resolves the endpoint that the settings name to a network: its URL from the current file and environment, its
 * chain ID as it was when the user chose it. Sends no request. If its URL in the file has changed since, or would send
 * variables of the environment elsewhere, the user has to choose it again.
 */
export async function resolveFoundryEndpoint(id: string, memento: vscode.Memento): Promise<FoundryNetwork> {
  const { endpoints } = await findFoundryEndpoints(new AbortController().signal);
  const endpoint = endpoints.find((each) => each.id === id);
  if (!endpoint) return { id, error: { code: 'noEndpoint', id } };
  const resolved = resolveEndpoint(endpoint.template, getEnvironmentVariable);
  if ('missing' in resolved) return { id, error: { code: 'endpointVariables', names: resolved.missing } };
  const stored = readStoredEndpoints(memento)[id];
  const isChosen = !('error' in resolved) && stored?.template === endpoint.template;
  if (!isChosen || !isSendingAllowed(memento, resolved)) {
    return { id, error: { code: 'endpointUnasked', id } };
  }
  return { id, network: toEndpointNetwork(endpoint, { url: resolved.url, chainId: stored.chainId }) };
}

/** The endpoints that the user has chosen before and that serve the chain, as far as they can be used now. */
export async function listChosenEndpoints(
  memento: vscode.Memento,
  chainId: number,
): Promise<readonly Network[]> {
  const stored = Object.entries(readStoredEndpoints(memento)).filter(([, each]) => each.chainId === chainId);
  const resolved = await Promise.all(stored.map(([id]) => resolveFoundryEndpoint(id, memento)));
  return resolved.flatMap((each) => ('network' in each ? each.network : []));
}

/** Converts an endpoint to a network, with the well-known data of its chain. */
export function toEndpointNetwork(
  { id, alias }: FoundEndpoint,
  { url, chainId }: { readonly url: string; readonly chainId: number },
): Network {
  const { symbol = 'ETH', explorerUrl, dataApiUrl } = findWellKnownChain(chainId) ?? {};
  const name = `${alias} (foundry.toml)`;
  return { id, name, chainId, rpcUrl: url, explorerUrl, dataApiUrl, symbol, decimals: 18 };
}

/**
 * Stores the chain ID of an endpoint with its URL as the file has it, before environment variables are filled in.
 */
export async function storeEndpoint(
  memento: vscode.Memento,
  { id, chainId, rpcUrl }: Network,
  template: string,
): Promise<void> {
  const sends = describeSending({ url: rpcUrl, variables: listUrlVariables(rpcUrl) });
  await memento.update(STORE_KEY, { ...readStoredEndpoints(memento), [id]: { template, chainId, sends } });
}

/** Whether the user has agreed to send the variables of an endpoint to its origin, for this or another endpoint. */
export function isSendingAllowed(memento: vscode.Memento, endpoint: ResolvedUrl): boolean {
  if (endpoint.variables.length === 0) return true;
  const sending = describeSending(endpoint);
  return Object.values(readStoredEndpoints(memento)).some(({ sends }) => sends === sending);
}

function describeSending({ url, variables }: ResolvedUrl): string {
  return [new URL(url).origin, ...[...variables].sort()].join(' ');
}

function readStoredEndpoints(memento: vscode.Memento): StoredEndpoints {
  return storeSchema.safeParse(memento.get(STORE_KEY)).data ?? {};
}
