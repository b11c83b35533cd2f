import type * as vscode from 'vscode';
import { createPublicApi } from './api/publicApi.ts';
import type { ChainsideApi } from './api.d.ts';
import { registerAddresses } from './features/addresses/register.ts';
import { registerAgents } from './features/agents/register.ts';
import { registerBlocks } from './features/blocks/register.ts';
import { registerContracts } from './features/contracts/register.ts';
import { registerEvents } from './features/events/register.ts';
import { registerHex } from './features/hex/register.ts';
import { registerLiterals } from './features/literals/register.ts';
import { registerLogs } from './features/logs/register.ts';
import { registerNetwork } from './features/network/register.ts';
import { registerNfts } from './features/nfts/register.ts';
import { registerQuestions } from './features/questions/register.ts';
import { registerCommand, registerLateCommands, runOnceReady } from './host/commands/commands.ts';
import { createWorkspaceContracts } from './host/contracts/workspaceContracts.ts';
import { latePart } from './host/latePart.ts';
import { exchangeLogger } from './host/log.ts';
import { createCredits } from './host/session/credits.ts';
import { createEndpointAccess } from './host/session/endpointAccess.ts';
import { createEndpointSecrets } from './host/session/endpointSecrets.ts';
import { createHttp } from './host/session/http.ts';
import { createKeyStore } from './host/session/secrets.ts';
import { Session } from './host/session/session.ts';
import { SettingsService } from './host/settings/settings.ts';
import { openOutput } from './host/surface/output.ts';
import { createWorkspaceFiles } from './host/workspace/workspaceFiles.ts';
import type { CommandId } from './manifest.ts';

interface Manifest {
  readonly version: string;
  readonly contributes: { readonly commands: readonly { readonly command: CommandId }[] };
}

let beforeClosing: (() => Promise<void>) | undefined;

/** Builds every service once and lets each feature register what it adds. Asks no server anything. */
export function activate(context: vscode.ExtensionContext): ChainsideApi {
  const own = <T extends vscode.Disposable>(disposable: T): T => {
    context.subscriptions.push(disposable);
    return disposable;
  };

  const log = own(openOutput());
  const credits = createCredits();
  const http = createHttp(exchangeLogger(log), credits.note);
  const { clock } = http;
  const settings = own(new SettingsService(log, context.workspaceState));
  const keys = createKeyStore(context.secrets);
  const secrets = createEndpointSecrets(context.secrets);
  const endpoints = own(createEndpointAccess({ http, secrets }));
  const session = own(new Session({ settings, keys, http, endpoints }));

  const { extensionUri, extension, globalState: storage, globalStorageUri: storageUri } = context;
  const { version, contributes }: Manifest = extension.packageJSON;
  const files = createWorkspaceFiles(clock);
  const contracts = own(
    createWorkspaceContracts({ files, clock, log, version, storageUri: context.storageUri }),
  );

  runOnceReady(onTheChosenNetwork, () => session.choose());
  own(registerNetwork({ session, settings, keys, secrets, http, log }));
  const { head, refresh: refreshHead } = own(registerBlocks({ session, settings, clock, log, credits }));
  const addresses = own(
    registerAddresses({
      ...{ session, settings, storage, storageUri, files, contracts, clock, log, head },
      readHead: () => head.read(),
    }),
  );
  const contractsView = own(registerContracts({ session, settings, contracts, log }));
  const inSource = own(registerEvents({ session, settings, contracts, clock, log }));
  own(registerLiterals({ clock, settings, session, names: addresses.names }));
  const meaning = latePart(async () => {
    const { startLogMeaning } = await import('./host/meaning/startLogMeaning.ts');
    return own(
      await startLogMeaning({
        ...{ contracts, session, settings, http, log, storageUri },
        names: await addresses.names(),
      }),
    );
  });
  const hex = own(registerHex({ meaning, session, settings, contracts, clock, log, names: addresses.names }));
  const logs = own(
    registerLogs({
      ...{ meaning, contracts, session, settings, clock, log, head, extensionUri, storageUri, version },
      ...{ workspaceState: context.workspaceState, workspaceStorageUri: context.storageUri },
      names: addresses.names,
    }),
  );
  own(
    registerAgents({
      ...{ session, settings, keys, secrets, contracts, meaning, clock, version, extensionUri },
      ...{ globalStorageUri: storageUri, names: addresses.names, openPanel: logs.open },
    }),
  );
  beforeClosing = logs.settled;
  const questions = own(registerQuestions({ session, settings, contracts, clock, log }));
  const nfts = own(registerNfts({ session, settings, http, log, extensionUri, names: addresses.names }));

  own(registerCommand('chainside.refresh', (row) => Promise.all([refreshHead(), addresses.refresh(row)])));
  own(registerCommand('chainside.showOutput', () => log.show()));
  own(
    registerCommand('chainside.copyValue', async (value) =>
      (await import('./host/commands/copyText.ts')).copyText(value),
    ),
  );
  own(
    registerLateCommands(
      contributes.commands.map(({ command }) => command),
      [
        ...[addresses, contractsView, inSource, hex, logs, questions, nfts],
        { load: meaning, dispose: () => undefined },
      ],
    ),
  );

  return createPublicApi({
    ...{ session, settings, contracts, meaning, clock, version },
    names: addresses.names,
  });
}

/** Called when the window closes. VS Code waits some seconds for what is still being stored. */
export async function deactivate(): Promise<void> {
  await beforeClosing?.();
}

/** What is about the active network: run before one is chosen, it has the user choose one first. */
const onTheChosenNetwork: readonly CommandId[] = [
  'chainside.setApiKey',
  'chainside.countEvents',
  'chainside.lookUpAddress',
  'chainside.watchAddress',
  'chainside.labelAddress',
  'chainside.labelForTeam',
  'chainside.watchToken',
  'chainside.searchTokens',
  'chainside.showNftTransfers',
  'chainside.showNftContract',
  'chainside.showLatestBlock',
  'chainside.showTransaction',
  'chainside.openVerifiedSource',
  'chainside.refresh',
];
