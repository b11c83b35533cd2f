import * as vscode from 'vscode';
import { builtInNetworks, isRecord, type Network, type ResolvedUrl } from '../../core/index.ts';
import type { SettingId } from '../../manifest.ts';
import { Disposables } from '../disposables.ts';
import { formatErrorForLog } from '../log.ts';
import { noteChosenServer } from '../webHost.ts';
import type { FoundEndpoint } from './projectEndpoints.ts';
import {
  type ConsentSetting,
  createSettingReader,
  ENDPOINTS_KEY,
  findSetting,
  type InvalidSetting,
  isEndpointId,
  parseSettings,
  type ReadableConfiguration,
  type ResolvedNetworks,
  type Settings,
  type WorkspaceNetworks,
} from './settingTable.ts';

/** The current settings, and an event when they change. No other code reads the configuration. */
export class SettingsService implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #log: vscode.LogOutputChannel;
  readonly #memento: vscode.Memento;
  #parsed: ReturnType<typeof parseSettings>;
  #resolved: ResolvedNetworks | undefined;
  #resolving: symbol | undefined;

  readonly onDidChange = this.#changed.event;

  /** @param memento stores the network that the user chose in this workspace, and the endpoints that they approved. */
  constructor(log: vscode.LogOutputChannel, memento: vscode.Memento) {
    this.#log = log;
    this.#memento = memento;
    this.#parsed = this.#read();
    void this.#resolveNetworks();
    this.#disposables.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('chainside')) this.#reread();
      }),
    );
    this.#disposables.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#reread()));
  }

  get current(): Settings {
    return this.#parsed.settings;
  }

  get invalidSettings(): readonly InvalidSetting[] {
    return this.#parsed.invalidSettings;
  }

  isEnabled(id: DocumentSetting, document: Pick<vscode.TextDocument, 'uri' | 'languageId'>): boolean {
    const value: unknown = vscode.workspace
      .getConfiguration(undefined, { uri: document.uri, languageId: document.languageId })
      .get(id);
    return typeof value === 'boolean' ? value : findSetting(id)?.fallback === true;
  }

  /** Whether the user chose the active network in this workspace; otherwise a setting names it, or nothing does. */
  get hasChoice(): boolean {
    return this.#choice.chosenId !== undefined;
  }

  /** Makes `network` the active one in this workspace. Writes no settings. */
  async selectNetwork(network: Network): Promise<void> {
    const { id, ...fields } = network;
    noteChosenServer(network.rpcUrl);
    const isDefined = isEndpointId(id) || this.writtenIds.includes(id) || isBuiltIn(id);
    const { chosen = {} } = this.#choice;
    await this.#choose({ chosenId: id, chosen: isDefined ? chosen : { ...chosen, [id]: fields } });
  }

  /** Makes an endpoint in a config file of the workspace the active network, and stores that the user approved it. */
  async selectEndpoint(network: Network, template: string): Promise<void> {
    const { approveEndpoint } = await import('./projectEndpoints.ts');
    await approveEndpoint(this.#memento, network, template);
    const others = this.#resolved?.networks.filter(({ id }) => id !== network.id) ?? [];
    this.#resolved = { networks: [...others, network] };
    await this.selectNetwork(network);
  }

  /** Stores that the user has agreed to send the variables of an endpoint of the workspace to its origin. */
  async allowSending(endpoint: FoundEndpoint, resolved: ResolvedUrl): Promise<void> {
    const { allowSending } = await import('./projectEndpoints.ts');
    await allowSending(this.#memento, endpoint, resolved);
  }

  /** Whether the user has agreed to send the variables of an endpoint of the workspace to its origin. */
  async isSendingAllowed(endpoint: ResolvedUrl): Promise<boolean> {
    const { isSendingAllowed } = await import('./projectEndpoints.ts');
    return isSendingAllowed(this.#memento, endpoint);
  }

  /** The chain ID of an endpoint of the workspace that the user has approved; undefined for any other. */
  async getApprovedChain(endpoint: FoundEndpoint): Promise<number | undefined> {
    const { getApprovedChain } = await import('./projectEndpoints.ts');
    return getApprovedChain(this.#memento, endpoint);
  }

  /** Writes the network to the settings of the workspace, which its other users have too. */
  async saveAsDefault(network: Network): Promise<void> {
    const { saveAsDefault } = await import('./writeSettings.ts');
    await saveAsDefault(network);
    await this.#choose({ ...this.#choice, chosenId: undefined });
  }

  /** Removes a network from the user's settings and from this workspace. */
  async removeNetwork({ id }: Network): Promise<void> {
    const { removeNetwork } = await import('./writeSettings.ts');
    await removeNetwork(id);
    if (!isBuiltIn(id))
      await this.#forgetNetwork(id, this.#choice.chosenId === id ? undefined : this.#choice.chosenId);
  }

  /** Saves a network to the user's settings. */
  async saveNetwork(network: Network): Promise<void> {
    const { saveNetwork } = await import('./writeSettings.ts');
    await saveNetwork(network);
    await this.#forgetNetwork(network.id, this.#choice.chosenId);
  }

  /** The network IDs in the user's settings, valid or not. */
  get writtenIds(): readonly string[] {
    const written: unknown = vscode.workspace.getConfiguration().inspect('chainside.networks')?.globalValue;
    return isRecord(written) ? Object.keys(written) : [];
  }

  async saveIpfsGateway(gateway: string): Promise<void> {
    const { saveIpfsGateway } = await import('./writeSettings.ts');
    await saveIpfsGateway(gateway);
  }

  /** Stores in the user's settings whether a service is allowed. Resolves once that is in effect. */
  async saveConsent(setting: ConsentSetting, consent: 'allow' | 'never'): Promise<void> {
    const { saveConsent } = await import('./writeSettings.ts');
    await saveConsent(setting, consent);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  get #choice(): WorkspaceNetworks {
    const stored: unknown = this.#memento.get(CHOICE_KEY);
    return isRecord(stored) ? stored : {};
  }

  async #choose(choice: WorkspaceNetworks): Promise<void> {
    await this.#memento.update(CHOICE_KEY, choice);
    this.#reread();
  }

  async #forgetNetwork(id: string, chosenId: string | undefined): Promise<void> {
    const { [id]: _, ...chosen } = this.#choice.chosen ?? {};
    await this.#choose({ chosenId, chosen });
  }

  #reread(): void {
    this.#parsed = this.#read();
    this.#changed.fire();
    void this.#resolveNetworks();
  }

  /** Resolves again on each change, since the config files and the environment may have changed too. */
  async #resolveNetworks(): Promise<void> {
    const { unresolvedId } = this.#parsed;
    if (unresolvedId === undefined && this.#memento.get(ENDPOINTS_KEY) === undefined) return;
    const resolving = Symbol();
    this.#resolving = resolving;
    let resolved: ResolvedNetworks;
    try {
      const { resolveProjectNetworks } = await import('./projectEndpoints.ts');
      resolved = await resolveProjectNetworks(this.#memento, unresolvedId);
    } catch (error) {
      // Everything else works without the endpoints of the workspace.
      this.#log.error(`The endpoints of the config files cannot be read. ${formatErrorForLog(error)}`);
      return;
    }
    // A later run has newer files.
    if (this.#resolving !== resolving) return;
    this.#resolved = resolved;
    this.#parsed = this.#read();
    this.#changed.fire();
  }

  #read() {
    const { isTrusted } = vscode.workspace;
    const configuration = vscode.workspace.getConfiguration();
    const read = createSettingReader(configuration, isTrusted);
    const readInFolders = createFolderReader(configuration);
    const { chosenId, chosen } = this.#choice;
    const isUsable = chosenId === undefined || isTrusted || !isEndpointId(chosenId);
    const parsed = parseSettings(
      (setting) => (isDocumentSetting(setting) ? readInFolders(setting) : read(setting)),
      { ...(isUsable && { chosenId }), ...(chosen && { chosen }), resolved: this.#resolved },
    );
    if (parsed.invalidSettings.length > 0) void this.#logProblems(parsed.invalidSettings);
    return parsed;
  }

  async #logProblems(invalidSettings: readonly InvalidSetting[]): Promise<void> {
    const { formatSettingError } = await import('./settingErrors.ts');
    for (const { setting, error } of invalidSettings) {
      const subject = 'id' in error && isEndpointId(error.id) ? error.id : setting;
      this.#log.warn(`${subject} ${formatSettingError(error, vscode.l10n)}`);
    }
  }
}

const CHOICE_KEY = 'network';

function isBuiltIn(id: string): boolean {
  return builtInNetworks.some((network) => network.id === id);
}

/** Settings that may differ between workspace folders. */
const documentSettings = [
  'chainside.hover.enabled',
  'chainside.codeLens.enabled',
  'chainside.inlayHints.enabled',
  'chainside.documents.verdicts',
] as const;
type DocumentSetting = (typeof documentSettings)[number];

function isDocumentSetting(setting: SettingId): setting is DocumentSetting {
  return documentSettings.some((each) => each === setting);
}

/** Creates a function that reads a setting of the window, or of a folder that has an invalid value. */
function createFolderReader(ofWindow: ReadableConfiguration): (setting: DocumentSetting) => unknown {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  // The settings of a folder that is opened alone are those of the window.
  const ofFolders = workspaceFile ? workspaceFolders : [];
  const configurations: readonly ReadableConfiguration[] = [
    ofWindow,
    ...ofFolders.map((folder) => vscode.workspace.getConfiguration(undefined, folder)),
  ];
  return (setting) => {
    const values = configurations.map((each) => each.get(setting));
    return values.find((value) => typeof value !== 'boolean') ?? values[0];
  };
}
