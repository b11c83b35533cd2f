import * as vscode from 'vscode';
import { type Clock, describeDialect, safeUrl } from '../../core/index.ts';
import { Disposables } from '../../host/disposables.ts';
import type { Session } from '../../host/session/session.ts';
import type { KeyState } from '../../host/session/sourceAccess.ts';
import type { SettingProblem } from '../../host/settings/parseSettings.ts';
import type { SettingsService } from '../../host/settings/settings.ts';
import type { Line } from '../../host/surface/harmless.ts';
import type { RowProvider, TreeRow } from '../../host/surface/tree.ts';
import { openSettings } from '../../host/words/describeError.ts';
import type { HeadStore } from './headStore.ts';
import { healthWords, isUnusable, latestBlockWords } from './headWords.ts';

const facts = ['network', 'chainId', 'block', 'health', 'dataApi'] as const;
type Fact = (typeof facts)[number];

/** A row of the view. `copyText` is what *Copy Value* copies. */
export type ChainRow =
  | { readonly kind: 'fact'; readonly fact: Fact; readonly copyText: string | undefined }
  | { readonly kind: 'problem'; readonly problem: SettingProblem };

export interface ChainTreeDeps {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly head: HeadStore;
  readonly clock: Clock;
}

/** Network, latest block and health, drawn from the stores; problems of the settings stand on top. */
export class ChainTree implements RowProvider<ChainRow>, vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<ChainRow | undefined>());
  readonly #deps: ChainTreeDeps;
  readonly #facts: Readonly<Record<Fact, ChainRow>>;
  #dataApi: KeyState | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(deps: ChainTreeDeps) {
    this.#deps = deps;
    this.#facts = this.#createFacts();
    this.#disposables.add(deps.head.onDidChange(() => this.#changed.fire(undefined)));
    this.#disposables.add(deps.settings.onDidChange(() => this.#changed.fire(undefined)));
    this.#disposables.add(deps.session.onDidChangeSources(() => this.#readDataApi()));
  }

  /** Draws the age of the block again. */
  tick(): void {
    this.#changed.fire(this.#facts.block);
  }

  async getChildren(row?: ChainRow): Promise<ChainRow[]> {
    if (row !== undefined) return [];
    if (this.#dataApi === undefined) await this.#readDataApi();
    const problems = this.#deps.settings.problems.map((problem) => ({ kind: 'problem' as const, problem }));
    return [...problems, ...facts.map((fact) => this.#facts[fact])];
  }

  getTreeItem(row: ChainRow): TreeRow {
    return row.kind === 'problem' ? problemItem(row.problem) : this.#factItem(row.fact);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #createFacts(): Readonly<Record<Fact, ChainRow>> {
    const { session, head } = this.#deps;
    const fact = (name: Fact, copyText: () => string | undefined): ChainRow => ({
      kind: 'fact',
      fact: name,
      get copyText() {
        return copyText();
      },
    });
    return {
      network: fact('network', () => session.network.name),
      chainId: fact('chainId', () => String(session.network.chainId)),
      block: fact('block', () => head.state.head?.block.toString()),
      health: fact('health', () => undefined),
      dataApi: fact('dataApi', () => undefined),
    };
  }

  async #readDataApi(): Promise<void> {
    const { session } = this.#deps;
    const { connection } = session;
    const state = await session.keyState().catch(() => 'noKey' as const);
    if (connection !== session.connection || state === this.#dataApi) return;
    this.#dataApi = state;
    this.#changed.fire(undefined);
  }

  #factItem(fact: Fact): TreeRow {
    const { session, head, clock } = this.#deps;
    const { network } = session;
    switch (fact) {
      case 'network':
        return {
          ...textRow(fact, vscode.l10n.t('Network'), network.name, 'globe'),
          contextValue: 'network',
          tooltip: this.#networkLines(),
        };
      case 'chainId':
        return {
          ...textRow(fact, vscode.l10n.t('Chain ID'), String(network.chainId), 'link'),
          contextValue: 'value',
        };
      case 'block': {
        const { state } = head;
        return {
          ...textRow(fact, vscode.l10n.t('Latest block'), latestBlockWords(state, clock), 'symbol-number'),
          contextValue: state.head ? 'value' : 'noValue',
        };
      }
      case 'health': {
        const unusable = isUnusable(head.state);
        const color = new vscode.ThemeColor(unusable ? 'list.warningForeground' : 'charts.green');
        const icon = new vscode.ThemeIcon(unusable ? 'warning' : 'pulse', color);
        const item = textRow(fact, vscode.l10n.t('Health'), healthWords(head.state, network), 'pulse');
        return {
          ...item,
          ...(head.state.head || unusable ? { iconPath: icon } : {}),
          contextValue: 'health',
        };
      }
      case 'dataApi':
        return {
          ...textRow(fact, vscode.l10n.t('Data API'), dataApiWords(this.#dataApi), 'key'),
          contextValue: `dataApi:${this.#dataApi ?? 'unknown'}`,
        };
    }
  }

  #networkLines(): readonly Line[] {
    const { network, client } = this.#deps.session;
    return [
      vscode.l10n.t('{0}, chain {1}', network.name, network.chainId),
      vscode.l10n.t('Endpoint: {0}', safeUrl(network.rpcUrl)),
      vscode.l10n.t('Server: {0}', describeDialect(client.dialect())),
      network.dataApiUrl !== undefined && vscode.l10n.t('Data API: {0}', safeUrl(network.dataApiUrl)),
    ];
  }
}

function problemItem({ setting, message }: SettingProblem): TreeRow {
  return {
    ...textRow(`${setting} ${message}`, setting, message, 'warning'),
    iconPath: new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground')),
    command: {
      command: 'workbench.action.openSettings',
      title: openSettings(setting).title,
      arguments: [setting],
    },
  };
}

function textRow(id: string, label: string, description: string, icon: string): TreeRow {
  return {
    id,
    label,
    description,
    tooltip: [`${label}: ${description}`],
    iconPath: new vscode.ThemeIcon(icon),
    spoken: `${label}: ${description}`,
  };
}

function dataApiWords(state: KeyState | undefined): string {
  switch (state) {
    case 'ready':
      return vscode.l10n.t('key set');
    case 'noKey':
      return vscode.l10n.t('no key');
    case 'notServed':
      return vscode.l10n.t('none on this network');
    case undefined:
      return vscode.l10n.t('not known');
  }
}
