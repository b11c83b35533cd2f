import * as vscode from 'vscode';
import { createPublicApi } from './api/publicApi.ts';
import type { ChainsideApi } from './api.d.ts';
import { registerAddresses } from './features/addresses/register.ts';
import { registerAgents } from './features/agents/register.ts';
import { registerCode } from './features/code/register.ts';
import { registerContracts } from './features/contracts/register.ts';
import { registerDecode } from './features/decode/register.ts';
import { registerLogs } from './features/logs/register.ts';
import { registerNetwork } from './features/network/register.ts';
import { registerNfts } from './features/nfts/register.ts';
import { registerQueryFiles } from './features/queryFiles/register.ts';
import { registerReads } from './features/reads/register.ts';
import { registerLiterals, registerSource } from './features/source/register.ts';
import { registerState } from './features/state/register.ts';
import { registerStatus } from './features/status/register.ts';
import { lazyPart, registerCommand, registerLazyCommands, runOnceReady } from './host/commands.ts';
import type { DeploymentChecks } from './host/contracts/deploymentChecks.ts';
import { createWorkspaceContracts } from './host/contracts/workspaceContracts.ts';
import { createExchangeLogger } from './host/log.ts';
import { setNumberLanguage } from './host/numbers.ts';
import { createCredits, createHttp } from './host/session/http.ts';
import { createEndpointAccess, createEndpointSecrets, createKeyStore } from './host/session/secrets.ts';
import { Session } from './host/session/session.ts';
import { SettingsService } from './host/settings/settings.ts';
import { openOutputChannel } from './host/ui/window.ts';
import { noteChosenServer, restoreLocalChoice } from './host/webHost.ts';
import { createWorkspaceFiles } from './host/workspace/workspaceFiles.ts';
import type { CommandId } from './manifest.ts';

interface Manifest {
  readonly version: string;
  readonly contributes: { readonly commands: readonly { readonly command: CommandId }[] };
}

let finishWrites: (() => Promise<void>) | undefined;

/** Creates every service once and registers each feature. Sends no requests. */
export function activate(context: vscode.ExtensionContext): ChainsideApi {
  const own = <T extends vscode.Disposable>(disposable: T): T => {
    context.subscriptions.push(disposable);
    return disposable;
  };

  setNumberLanguage(vscode.env.language);
  restoreLocalChoice(context.workspaceState);
  const log = own(openOutputChannel());
  const credits = createCredits();
  const http = createHttp(createExchangeLogger(log), credits.note);
  const { clock } = http;
  const settings = own(new SettingsService(log, context.workspaceState));
  const keys = createKeyStore(context.secrets, context.globalState);
  const secrets = createEndpointSecrets(context.secrets);
  const endpoints = own(createEndpointAccess({ http, secrets }));
  const session = own(new Session({ settings, keys, http, endpoints }));

  const { extensionUri, extension, globalState: storage, globalStorageUri: storageUri } = context;
  const { version, contributes }: Manifest = extension.packageJSON;
  const files = createWorkspaceFiles(clock);
  const contracts = own(
    createWorkspaceContracts({ files, clock, log, version, storageUri: context.storageUri }),
  );

  const shared = { contracts, session, settings, clock, log, extensionUri, version };
  runOnceReady(commandsOnChosenNetwork, () => {
    if (session.isChosen) noteChosenServer(session.network.rpcUrl);
    return session.choose();
  });
  const networks = own(
    registerNetwork({ ...shared, keys, secrets, http, workspaceState: context.workspaceState }),
  );
  const { head, refresh: refreshHead } = own(registerStatus({ ...shared, credits }));
  const deploymentChecks = lazyPart(async () => {
    const { createDeploymentChecks } = await import('./host/contracts/deploymentChecks.ts');
    return own(createDeploymentChecks({ ...shared, head }));
  });
  own(contracts.onDidRead(() => void deploymentChecks()));
  const noteAddresses = async (...noted: Parameters<DeploymentChecks['include']>) =>
    (await deploymentChecks()).include(...noted);
  const checkDeployments: DeploymentChecks['checkChosen'] = async (chosen) =>
    (await deploymentChecks()).checkChosen(chosen);
  const addresses = own(
    registerAddresses({
      ...shared,
      checkDeployments,
      storage,
      workspaceState: context.workspaceState,
      storageUri,
      files,
      head,
      noteAddresses,
      readHead: () => head.read(),
    }),
  );
  own(registerLiterals({ ...shared, names: addresses.names }));
  const logDecoding = lazyPart(async () => {
    const { startLogDecoding } = await import('./host/logDecoding.ts');
    return own(
      await startLogDecoding({
        ...shared,
        http,
        keys,
        storageUri,
        names: await addresses.names(),
        noteAddresses,
      }),
    );
  });
  const services = { ...shared, checkDeployments, meaning: logDecoding, names: addresses.names };
  const code = own(registerCode({ ...services, verified: logDecoding, head }));
  const contractsView = own(
    registerContracts({
      ...services,
      workspaceState: context.workspaceState,
      addresses: addresses.load,
      verdicts: code.verdicts,
    }),
  );
  const sourceFeatures = own(registerSource({ ...services, head, verdicts: code.verdicts }));
  const hex = own(registerDecode(services));
  const logs = own(
    registerLogs({
      ...services,
      head,
      storageUri,
      workspaceState: context.workspaceState,
      workspaceStorageUri: context.storageUri,
    }),
  );
  own(
    registerAgents({
      ...services,
      keys,
      secrets,
      globalStorageUri: storageUri,
      openPanel: logs.open,
    }),
  );
  finishWrites = logs.settled;
  const queryFiles = own(registerQueryFiles(services));
  const reads = own(registerReads(services));
  const states = own(registerState({ ...services, storageUri, workspaceState: context.workspaceState }));
  const nfts = own(registerNfts({ ...services, http }));

  own(registerCommand('chainside.refresh', (row) => Promise.all([refreshHead(), addresses.refresh(row)])));
  own(registerCommand('chainside.showOutput', () => log.show()));
  own(
    registerCommand('chainside.copyValue', async (value) =>
      (await import('./host/copyText.ts')).copyText(value),
    ),
  );
  own(
    registerLazyCommands(
      contributes.commands.map(({ command }) => command),
      [
        networks,
        addresses,
        contractsView,
        sourceFeatures,
        hex,
        logs,
        queryFiles,
        nfts,
        reads,
        states,
        code,
        { load: logDecoding, dispose: () => undefined },
      ],
    ),
  );

  return createPublicApi(services);
}

/** Called when the window closes. VS Code waits a few seconds for pending writes. */
export async function deactivate(): Promise<void> {
  await finishWrites?.();
}

/** Commands on the active network: if none is chosen yet, the user is asked to choose one first. */
const commandsOnChosenNetwork: readonly CommandId[] = [
  'chainside.setApiKey',
  'chainside.countEvents',
  'chainside.lookUpAddress',
  'chainside.watchAddress',
  'chainside.labelAddress',
  'chainside.labelForTeam',
  'chainside.useAsDeployment',
  'chainside.watchToken',
  'chainside.searchTokens',
  'chainside.readContract',
  'chainside.showHolders',
  'chainside.showRoles',
  'chainside.showAllowances',
  'chainside.compareCode',
  'chainside.showNftTransfers',
  'chainside.showNftContract',
  'chainside.showLatestBlock',
  'chainside.showTransaction',
  'chainside.showBlock',
  'chainside.simulateTransaction',
  'chainside.simulateCall',
  'chainside.openVerifiedSource',
  'chainside.refresh',
];
