import * as vscode from 'vscode';
import { builtInNetworks, isRecord, type Network, systemClock } from '../../core/index.ts';
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

/** The settings as they stand now, and an event when they change. Nothing else reads the configuration. */
export class SettingsService implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #log: vscode.LogOutputChannel;
  readonly #kept: vscode.Memento;
  #parsed: ReturnType<typeof parseSettings>;
  #named: FoundryNetwork | undefined;

  readonly onDidChange = this.#changed.event;

  /** @param kept what is known of the endpoints of this workspace's `foundry.toml`. */
  constructor(log: vscode.LogOutputChannel, kept: vscode.Memento) {
    this.#log = log;
    this.#kept = kept;
    this.#parsed = this.#read();
    void this.#lookForNamed();
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

  /** What is wrong in the settings as they stand. */
  get invalidSettings(): readonly InvalidSetting[] {
    return this.#parsed.problems;
  }

  isEnabled(id: DocumentSetting, document: Pick<vscode.TextDocument, 'uri' | 'languageId'>): boolean {
    const value: unknown = vscode.workspace
      .getConfiguration(undefined, { uri: document.uri, languageId: document.languageId })
      .get(id);
    return typeof value === 'boolean' ? value : findSetting(id)?.fallback === true;
  }

  /** Makes `network` the active one: in the workspace's settings where they choose one already, else the user's. */
  async selectNetwork(network: Network): Promise<void> {
    const configuration = vscode.workspace.getConfiguration();
    const id: SettingId = 'chainside.network';
    const isOfWorkspace =
      network.id.startsWith(FOUNDRY_PREFIX) || configuration.inspect(id)?.workspaceValue !== undefined;
    const inWorkspace = vscode.workspace.isTrusted && isOfWorkspace;
    const target = inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
    await configuration.update(id, network.id, target);
  }

  /**
   * Makes an endpoint of the workspace's `foundry.toml` the active network, in the workspace's settings. Only its id is
   * written there: its URL may hold a secret.
   */
  async selectEndpoint(network: Network, template: string): Promise<void> {
    const { storeEndpoint } = await import('./foundryEndpoints.ts');
    await storeEndpoint(this.#kept, network, template);
    this.#named = { id: network.id, network };
    await this.selectNetwork(network);
  }

  /** Takes a network out of the user's `chainside.networks`, and the choice of it out of the settings. */
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

  /** The networks of the user's settings, as they stand there. */
  get writtenIds(): readonly string[] {
    return Object.keys(this.#writtenNetworks());
  }

  /** Writes `network` into the user's `chainside.networks`, beside what stands there; of a built-in one what differs. */
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

  /** Writes the chosen gateway to IPFS into the user's settings. */
  async saveIpfsGateway(gateway: string): Promise<void> {
    const setting: SettingId = 'chainside.nft.ipfsGateway';
    await vscode.workspace.getConfiguration().update(setting, gateway, vscode.ConfigurationTarget.Global);
  }

  /** Writes into the user's settings whether a service may be asked. Resolves when that is in force. */
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
    void this.#lookForNamed();
  }

  /** Looks anew, since the file and the environment may be others than before. */
  async #lookForNamed(): Promise<void> {
    const { wanted } = this.#parsed;
    if (wanted === undefined) return;
    const { resolveFoundryEndpoint } = await import('./foundryEndpoints.ts');
    const named = await resolveFoundryEndpoint(wanted, this.#kept);
    if (this.#parsed.wanted !== wanted) return;
    this.#named = named;
    this.#parsed = this.#read();
    this.#changed.fire();
  }

  #read() {
    const read = createSettingReader(vscode.workspace.getConfiguration(), vscode.workspace.isTrusted);
    const parsed = parseSettings(
      (setting) => (isDocumentSetting(setting) ? worstOf(setting) : read(setting)),
      this.#named,
    );
    if (parsed.problems.length > 0) void this.#logProblems(parsed.problems);
    return parsed;
  }

  async #logProblems(invalidSettings: readonly InvalidSetting[]): Promise<void> {
    const { formatSettingError } = await import('./settingErrors.ts');
    for (const { setting, error } of invalidSettings) {
      this.#log.warn(`${setting} ${formatSettingError(error, vscode.l10n)}`);
    }
  }
}

/** Settings that say whether a third party may be asked. */
export type ConsentSetting = 'chainside.sources.sourcify' | 'chainside.sources.signatures';

/** Settings that may differ from folder to folder of a workspace. */
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

/** The setting as it is in the window, or in a folder where it is not usable. */
function worstOf(setting: DocumentSetting): unknown {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const values = [undefined, ...folders].map((folder): unknown =>
    vscode.workspace.getConfiguration(undefined, folder).get(setting),
  );
  return values.find((value) => typeof value !== 'boolean') ?? values[0];
}

/** The editor tells of a setting a little later than it writes it; of one that stays as it was not at all. */
const CHANGE_TIMEOUT_MS = 2_000;

/** Runs `write`, and waits until the editor has told of the change to a setting. */
async function writeSetting(setting: SettingId, write: () => PromiseLike<void>): Promise<void> {
  const told = new AbortController();
  const listening = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(setting)) told.abort();
  });
  try {
    await write();
    // Called off by what is waited for.
    await systemClock.sleep(CHANGE_TIMEOUT_MS, told).catch(() => undefined);
  } finally {
    listening.dispose();
  }
}
