import * as vscode from 'vscode';
import {
  badInput,
  createMessage,
  foreign,
  listUrlVariables,
  mayHoldKey,
  type Network,
  requiresSecret,
} from '../../core/index.ts';
import { getExecutablePath } from '../../host/files/nodeFiles.ts';
import { type EndpointSecrets, getEndpointVariable, type KeyStore } from '../../host/session/secrets.ts';
import type { Session } from '../../host/session/session.ts';
import type { SettingsService } from '../../host/settings/settings.ts';
import type { KeyPlaceSetting } from '../../host/settings/settingTable.ts';
import type { ServerProgram, ToolConfirmation } from '../../host/ui/agents.ts';
import { toAbortSignal } from '../../host/ui/window.ts';
import { type OpenQueryDeps, prepareOpenQuery, runOpenQuery, throwToModel } from './openQueryTool.ts';

export interface AgentsDeps extends McpDeps, OpenQueryDeps {}

interface Agents {
  programs(): Promise<readonly ServerProgram[]>;
  secrets(args: readonly string[]): Promise<Readonly<Record<string, string>>>;
  ask(input: unknown): Promise<ToolConfirmation>;
  run(input: unknown, token: vscode.CancellationToken): Promise<unknown>;
}

export function openAgents(deps: AgentsDeps): Agents {
  return {
    programs: () => createMcpPrograms(deps),
    secrets: (args) => getMcpSecrets(args, deps),
    ask: (input) => prepareOpenQuery(input, deps).catch(throwToModel),
    run: (input, token) => runOpenQuery(input, deps, { signal: toAbortSignal(token) }).catch(throwToModel),
  };
}

interface McpDeps {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly keys: KeyStore;
  readonly secrets: EndpointSecrets;
  readonly extensionUri: vscode.Uri;
  /** That of the extension, shared by all workspaces. */
  readonly globalStorageUri: vscode.Uri;
  readonly version: string;
}

// Environment variables of the server. VS Code passes their values at its start and stores them nowhere.
const RPC_KEY = 'CHAINSIDE_RPC_KEY';
const DATA_API_KEY = 'CHAINSIDE_DATA_API_KEY';
/** Replaces `--rpc` if the URL may contain a key. */
const RPC_URL = 'CHAINSIDE_RPC_URL';

/** The MCP server of the active network; none before one is chosen, and none where no program can be started. */
export async function createMcpPrograms(deps: McpDeps): Promise<readonly ServerProgram[]> {
  const { session, extensionUri, version } = deps;
  const command = getExecutablePath();
  if (!session.isChosen || command === undefined || extensionUri.scheme !== 'file') return [];
  const { network } = session;
  const args = [
    vscode.Uri.joinPath(extensionUri, 'dist', 'mcp.cjs').fsPath,
    ...(await createArguments(deps)),
  ];
  const env = { ELECTRON_RUN_AS_NODE: '1', ...createProxyVariables() };
  return [
    { name: `Chainside: ${network.name}`, command, args, env, version: `${version} ${hashArguments(args)}` },
  ];
}

/**
 * The secrets of the active network, only for the program created for it.
 *
 * @throws AppError `badInput` if the endpoint requires a secret and none is stored, or if another network is active
 * now: its secrets are not for the endpoint in `args`.
 */
export async function getMcpSecrets(args: readonly string[], deps: McpDeps) {
  const { session, keys, secrets, globalStorageUri } = deps;
  const { network } = session;
  const [now] = await createMcpPrograms(deps);
  if (!now || now.args.join('\n') !== args.join('\n')) {
    throw badInput('network', 'The network or its settings have changed. Restart the server.');
  }
  await vscode.workspace.fs.createDirectory(getOutputFolder(globalStorageUri));
  const rpcKey = requiresSecret(network) ? await secrets.get(network.rpcUrl) : undefined;
  if (requiresSecret(network) && rpcKey === undefined) {
    throw badInput(
      'secret',
      createMessage(
        'The endpoint of {0} requires an API key, and none is stored. Run the command “Set API Key for Endpoint”.',
        foreign(network.name),
      ),
    );
  }
  const dataApiKey = network.dataApiUrl === undefined ? undefined : (await keys.get(network.dataApiUrl))?.key;
  const variables = listUrlVariables(network.rpcUrl).map((name) => [
    name,
    getEndpointVariable(network.rpcUrl, name) ?? '',
  ]);
  return {
    ...Object.fromEntries(variables),
    ...(isUrlInEnvironment(network) && { [RPC_URL]: network.rpcUrl }),
    ...(rpcKey !== undefined && { [RPC_KEY]: rpcKey }),
    ...(dataApiKey !== undefined && { [DATA_API_KEY]: dataApiKey }),
  };
}

/** A placeholder of a variable is not an argument either, since VS Code may fill it in there. */
function isUrlInEnvironment({ rpcUrl }: Network): boolean {
  return mayHoldKey(rpcUrl) || listUrlVariables(rpcUrl).length > 0;
}

async function createArguments({
  session,
  settings,
  keys,
  globalStorageUri,
}: McpDeps): Promise<readonly string[]> {
  const { network } = session;
  const dataApi = await createDataApiArguments(network, settings.current.keyIn, keys);
  const folder = findProjectFolder();
  return [
    ...(isUrlInEnvironment(network) ? [] : ['--rpc', network.rpcUrl]),
    '--chain-id',
    String(network.chainId),
    // A name may begin as an option does.
    `--name=${network.name}`,
    `--symbol=${network.symbol}`,
    '--decimals',
    String(network.decimals),
    ...(requiresSecret(network) ? ['--rpc-key-env', RPC_KEY] : []),
    ...(network.rpcAuth === undefined ? [] : ['--rpc-key-in', network.rpcAuth]),
    ...dataApi,
    ...(folder === undefined ? [] : ['--dir', folder]),
    ...createProviderArguments(settings, network),
    '--out',
    getOutputFolder(globalStorageUri).fsPath,
  ];
}

async function createDataApiArguments(
  { dataApiUrl }: Network,
  keyIn: KeyPlaceSetting,
  keys: KeyStore,
): Promise<readonly string[]> {
  const stored = dataApiUrl === undefined ? undefined : await keys.get(dataApiUrl);
  if (dataApiUrl === undefined || stored === undefined) return [];
  // What the editor has found spares the server a request.
  const place = keyIn === 'auto' && stored.place === 'query' ? 'query' : keyIn;
  return ['--data-api', dataApiUrl, '--key-env', DATA_API_KEY, '--key-in', place];
}

/** The providers that the user has allowed, for all workspaces or for the network. */
function createProviderArguments({ current }: SettingsService, network: Network): readonly string[] {
  const { explorerSource, sourcifyConsent, sourcifyUrl, signaturesConsent, signaturesUrl } = current;
  const isExplorer = /\/api\/eth-rpc$/.test(new URL(network.rpcUrl).pathname);
  const isTrusted = vscode.workspace.isTrusted;
  const names = [
    ...(explorerSource && isExplorer ? ['explorer'] : []),
    ...(sourcifyConsent === 'allow' && isTrusted ? ['sourcify'] : []),
    ...(signaturesConsent === 'allow' && isTrusted ? ['signatures'] : []),
  ];
  if (names.length === 0) return [];
  return [
    '--sources',
    names.join(','),
    ...(names.includes('sourcify') ? ['--sourcify', sourcifyUrl] : []),
    ...(names.includes('signatures') ? ['--signatures', signaturesUrl] : []),
  ];
}

/** The first folder of a trusted workspace. */
function findProjectFolder(): string | undefined {
  const { isTrusted, workspaceFolders = [] } = vscode.workspace;
  const folder = workspaceFolders.find(({ uri }) => uri.scheme === 'file');
  return isTrusted ? folder?.uri.fsPath : undefined;
}

function getOutputFolder(storage: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(storage, 'agent-files');
}

/** A process of its own does not use VS Code's network stack: it gets the proxy of VS Code's settings. */
function createProxyVariables(): Readonly<Record<string, string>> {
  const http = vscode.workspace.getConfiguration('http');
  const proxy = http.get<unknown>('proxy');
  const noProxy = http.get<unknown>('noProxy');
  if (typeof proxy !== 'string' || proxy === '') return {};
  const hosts = Array.isArray(noProxy) ? noProxy.filter((host) => typeof host === 'string') : [];
  return {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    ...(hosts.length > 0 && { NO_PROXY: hosts.join(','), no_proxy: hosts.join(',') }),
  };
}

function hashArguments(args: readonly string[]): string {
  let hash = 0;
  for (const character of args.join('\n')) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return (hash >>> 0).toString(16);
}
