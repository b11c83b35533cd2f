import * as vscode from 'vscode';
import type { Network } from '../../core/index.ts';
import type { SettingId } from '../../manifest.ts';
import { Disposables } from '../disposables.ts';
import { parseSettings, type Settings } from './parseSettings.ts';
import type { SettingProblem } from './settingFault.ts';
import { settingOf } from './settingTable.ts';
import { settingFaultText } from './settingWords.ts';
import { settingReader } from './writtenSettings.ts';

/** The settings as they stand now, and an event when they change. Nothing else reads the configuration. */
export class SettingsService implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #log: vscode.LogOutputChannel;
  #parsed: ReturnType<typeof parseSettings>;

  readonly onDidChange = this.#changed.event;

  constructor(log: vscode.LogOutputChannel) {
    this.#log = log;
    this.#parsed = this.#read();
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
  get problems(): readonly SettingProblem[] {
    return this.#parsed.problems;
  }

  isEnabled(id: DocumentSetting, document: vscode.TextDocument): boolean {
    const value: unknown = vscode.workspace.getConfiguration(undefined, document).get(id);
    return typeof value === 'boolean' ? value : settingOf(id)?.fallback === true;
  }

  /** Makes `network` the active one: in the workspace's settings where they choose one already, else the user's. */
  async selectNetwork(network: Network): Promise<void> {
    const configuration = vscode.workspace.getConfiguration();
    const id: SettingId = 'chainside.network';
    const inWorkspace = vscode.workspace.isTrusted && configuration.inspect(id)?.workspaceValue !== undefined;
    const target = inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
    await configuration.update(id, network.id, target);
  }

  /** Writes `network` into the user's `chainside.networks`, beside what stands there. */
  async saveNetwork({ id, ...fields }: Network): Promise<void> {
    const configuration = vscode.workspace.getConfiguration();
    const setting: SettingId = 'chainside.networks';
    const written: unknown = configuration.inspect(setting)?.globalValue;
    const others = typeof written === 'object' && written !== null && !Array.isArray(written) ? written : {};
    await configuration.update(setting, { ...others, [id]: fields }, vscode.ConfigurationTarget.Global);
  }

  /** Writes the chosen gateway to IPFS into the user's settings. */
  async saveIpfsGateway(gateway: string): Promise<void> {
    const setting: SettingId = 'chainside.nft.ipfsGateway';
    await vscode.workspace.getConfiguration().update(setting, gateway, vscode.ConfigurationTarget.Global);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #reread(): void {
    this.#parsed = this.#read();
    this.#changed.fire();
  }

  #read() {
    const read = settingReader(vscode.workspace.getConfiguration(), vscode.workspace.isTrusted);
    const parsed = parseSettings((setting) =>
      isDocumentSetting(setting) ? worstOf(setting) : read(setting),
    );
    for (const { setting, fault } of parsed.problems) {
      this.#log.warn(`${setting} ${settingFaultText(fault, vscode.l10n)}`);
    }
    return parsed;
  }
}

/** Settings that may differ from folder to folder of a workspace. */
const documentSettings = [
  'chainside.hover.enabled',
  'chainside.codeLens.enabled',
  'chainside.inlayHints.enabled',
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
