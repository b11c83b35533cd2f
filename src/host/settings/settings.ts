import * as vscode from 'vscode';
import { builtInNetworks, isRecord, type Network, type ResolvedUrl, systemClock } from '../../core/index.ts';
import type { SettingId } from '../../manifest.ts';
import { Disposables } from '../disposables.ts';
import {
  createSettingReader,
  FOUNDRY_PREFIX,
  type FoundryNetwork,
  findSetting,
  type InvalidSetting,
  parseSettings,
  type Settings,
} from './settingTable.ts';

/** The current settings, and an event when they change. No other code reads the configuration. */
export class SettingsService implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #log: vscode.LogOutputChannel;
  readonly #memento: vscode.Memento;
  #parsed: ReturnType<typeof parseSettings>;
  #endpoint: FoundryNetwork | undefined;

  readonly onDidChange = this.#changed.event;

  /** @param memento stores the chain IDs of the endpoints in this workspace's `foundry.toml`. */
  constructor(log: vscode.LogOutputChannel, memento: vscode.Memento) {
    this.#log = log;
    this.#memento = memento;
    this.#parsed = this.#read();
    void this.#resolveEndpoint();
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

  /** Makes `network` the active one: in the workspace settings if they choose one already, else in the user's. */
  async selectNetwork(network: Network): Promise<void> {
    const configuration = vscode.workspace.getConfiguration();
    if (network.id.startsWith(FOUNDRY_PREFIX)) this.#endpoint = { id: network.id, network };
    const id: SettingId = 'chainside.network';
    const isOfWorkspace =
      network.id.startsWith(FOUNDRY_PREFIX) || configuration.inspect(id)?.workspaceValue !== undefined;
    const inWorkspace = vscode.workspace.isTrusted && isOfWorkspace;
    const target = inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
    await configuration.update(id, network.id, target);
  }

  /**
   * Makes an endpoint of the workspace's `foundry.toml` the active network, in the workspace settings. Stores only
   * its ID there: its URL may contain a secret.
   */
  async selectEndpoint(network: Network, template: string): Promise<void> {
    const { storeEndpoint } = await import('./foundryEndpoints.ts');
    await storeEndpoint(this.#memento, network, template);
    await this.selectNetwork(network);
  }

  /** Whether the user has agreed to send the variables of an endpoint of `foundry.toml` to its origin. */
  async isSendingAllowed(endpoint: ResolvedUrl): Promise<boolean> {
    const { isSendingAllowed } = await import('./foundryEndpoints.ts');
    return isSendingAllowed(this.#memento, endpoint);
  }

  /** The endpoints of the workspace's `foundry.toml` that the user has chosen before and that serve the chain. */
  async listProjectEndpoints(chainId: number): Promise<readonly Network[]> {
    const { listChosenEndpoints } = await import('./foundryEndpoints.ts');
    return listChosenEndpoints(this.#memento, chainId);
  }

  /** Removes a network from the user's `chainside.networks`, and clears the settings that choose it. */
  async removeNetwork({ id }: Network): Promise<void> {
    const configuration = vscode.workspace.getConfiguration();
    const { [id]: _, ...others } = this.#writtenNetworks();
    const networks: SettingId = 'chainside.networks';
    const chosen: SettingId = 'chainside.network';
    const { Global, Workspace } = vscode.ConfigurationTarget;
    await configuration.update(networks, others, Global);
    if (builtInNetworks.some((network) => network.id === id)) return;
    const written = configuration.inspect(chosen);
    if (written?.workspaceValue === id) await configuration.update(chosen, undefined, Workspace);
    if (written?.globalValue === id) await configuration.update(chosen, undefined, Global);
  }

  /** The network IDs in the user's settings, valid or not. */
  get writtenIds(): readonly string[] {
    return Object.keys(this.#writtenNetworks());
  }

  /** Adds `network` to the user's `chainside.networks`; of a built-in one, only the differences. */
  async saveNetwork({ id, ...network }: Network): Promise<void> {
    const builtIn = builtInNetworks.find((each) => each.id === id) ?? {};
    const same = new Map(Object.entries(builtIn));
    const fields = Object.fromEntries(
      Object.entries(network).filter(([name, value]) => same.get(name) !== value),
    );
    const configuration = vscode.workspace.getConfiguration();
    const setting: SettingId = 'chainside.networks';
    const written = { ...this.#writtenNetworks(), [id]: fields };
    await configuration.update(setting, written, vscode.ConfigurationTarget.Global);
  }

  async saveIpfsGateway(gateway: string): Promise<void> {
    const setting: SettingId = 'chainside.nft.ipfsGateway';
    await vscode.workspace.getConfiguration().update(setting, gateway, vscode.ConfigurationTarget.Global);
  }

  /** Stores in the user's settings whether a service is allowed. Resolves once that is in effect. */
  async saveConsent(setting: ConsentSetting, consent: 'allow' | 'never'): Promise<void> {
    const { Global } = vscode.ConfigurationTarget;
    await writeSetting(setting, () => vscode.workspace.getConfiguration().update(setting, consent, Global));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #writtenNetworks(): Readonly<Record<string, unknown>> {
    const setting: SettingId = 'chainside.networks';
    const written: unknown = vscode.workspace.getConfiguration().inspect(setting)?.globalValue;
    return isRecord(written) ? written : {};
  }

  #reread(): void {
    this.#parsed = this.#read();
    this.#changed.fire();
    void this.#resolveEndpoint();
  }

  /** Resolves the endpoint again on each change, since the file and the environment may have changed too. */
  async #resolveEndpoint(): Promise<void> {
    const { endpointId } = this.#parsed;
    if (endpointId === undefined) return;
    const { resolveFoundryEndpoint } = await import('./foundryEndpoints.ts');
    const endpoint = await resolveFoundryEndpoint(endpointId, this.#memento);
    if (this.#parsed.endpointId !== endpointId) return;
    this.#endpoint = endpoint;
    this.#parsed = this.#read();
    this.#changed.fire();
  }

  #read() {
    const read = createSettingReader(vscode.workspace.getConfiguration(), vscode.workspace.isTrusted);
    const parsed = parseSettings(
      (setting) => (isDocumentSetting(setting) ? readWorstValue(setting) : read(setting)),
      this.#endpoint,
    );
    if (parsed.invalidSettings.length > 0) void this.#logProblems(parsed.invalidSettings);
    return parsed;
  }

  async #logProblems(invalidSettings: readonly InvalidSetting[]): Promise<void> {
    const { formatSettingError } = await import('./settingErrors.ts');
    for (const { setting, error } of invalidSettings) {
      this.#log.warn(`${setting} ${formatSettingError(error, vscode.l10n)}`);
    }
  }
}

/** The editor reports a change of a setting shortly after writing it, and nothing if the value stayed the same. */
const CHANGE_TIMEOUT_MS = 2_000;

/** Runs `write`, and waits until the editor has reported the change. */
async function writeSetting(setting: SettingId, write: () => PromiseLike<void>): Promise<void> {
  const changed = new AbortController();
  const subscription = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(setting)) changed.abort();
  });
  try {
    await write();
    // Ended early by the event.
    await systemClock.sleep(CHANGE_TIMEOUT_MS, changed).catch(() => undefined);
  } finally {
    subscription.dispose();
  }
}

/** Settings that allow or forbid a third party. */
export type ConsentSetting = 'chainside.sources.sourcify' | 'chainside.sources.signatures';

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

/** The value in the window, or an invalid one of a folder. */
function readWorstValue(setting: DocumentSetting): unknown {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const values = [undefined, ...folders].map((folder): unknown =>
    vscode.workspace.getConfiguration(undefined, folder).get(setting),
  );
  return values.find((value) => typeof value !== 'boolean') ?? values[0];
}
