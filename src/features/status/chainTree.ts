import * as vscode from 'vscode';
import type { Clock } from '../../core/index.ts';
import { copyText } from '../../host/copyText.ts';
import { Disposables } from '../../host/disposables.ts';
import { showError } from '../../host/errors.ts';
import { formatNumber } from '../../host/numbers.ts';
import type { Credits } from '../../host/session/http.ts';
import type { KeyState } from '../../host/session/providerAccess.ts';
import type { SecretState, Session } from '../../host/session/session.ts';
import type { SettingsService } from '../../host/settings/settings.ts';
import type { InvalidSetting } from '../../host/settings/settingTable.ts';
import { showMessage } from '../../host/ui/dialogs.ts';
import { revealRow } from '../../host/ui/revealRow.ts';
import type { TreeRow, TreeRowProvider } from '../../host/ui/tree.ts';
import {
  type ChainContext,
  type ChainFact,
  chainFacts,
  createChainFactRow,
  createInvalidSettingRow,
  getFactCopyText,
  hasSecretRow,
  listKeyRemedies,
  networkFacts,
} from './chainItems.ts';
import { type HeadStore, type HeadStoreDeps, isEndpointUnusable } from './headStore.ts';

/** `copyText`: for *Copy Value*. */
export type ChainRow =
  | { readonly kind: 'fact'; readonly fact: ChainFact; readonly copyText: string | undefined }
  | { readonly kind: 'problem'; readonly problem: InvalidSetting };

interface ChainTreeDeps {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly head: HeadStore;
  readonly clock: Clock;
  readonly credits: Pick<Credits, 'of'>;
}

/**
 * The network with its latest block, errors of its endpoint, and token data, drawn from the stores; invalid settings
 * come first. Empty until a network is chosen: the view's welcome content leads there.
 */
export class ChainTree implements TreeRowProvider<ChainRow>, vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<ChainRow | undefined>());
  readonly #deps: ChainTreeDeps;
  /** VS Code identifies a row by its object. */
  readonly #rows = new Map<ChainFact, ChainRow>();
  readonly #dataApi: DataApiState;
  /** What the rows but that of the network depend on. */
  #drawn = '';

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(deps: ChainTreeDeps) {
    this.#deps = deps;
    this.#disposables.add(deps.head.onDidChange(() => this.#redrawHead()));
    this.#disposables.add(deps.settings.onDidChange(() => this.#changed.fire(undefined)));
    this.#dataApi = this.#disposables.add(new DataApiState(deps.session));
    this.#disposables.add(this.#dataApi.onDidChange(() => this.#changed.fire(undefined)));
  }

  /** A poll mostly changes the row of the network only: the other rows must not be redrawn under the pointer. */
  #redrawHead(): void {
    const { head, session } = this.#deps;
    const drawn = [session.isChosen, head.otherChain, head.state.error?.message, ...this.#shownFacts()].join(
      '\n',
    );
    const isSame = drawn === this.#drawn;
    this.#drawn = drawn;
    this.#changed.fire(isSame ? this.row('network') : undefined);
  }

  /** Redraws the age of the block. */
  tick(): void {
    // Includes the rows below, which may show remaining credits.
    if (this.#deps.session.isChosen) this.#changed.fire(this.row('network'));
  }

  async getChildren(parent?: ChainRow): Promise<ChainRow[]> {
    if (parent !== undefined) return isNetwork(parent) ? this.#networkRows() : [];
    await this.#dataApi.ready();
    const { settings, session } = this.#deps;
    const problems = settings.invalidSettings.map((problem) => ({ kind: 'problem' as const, problem }));
    if (!session.isChosen) return problems.length === 0 ? [] : [...problems, this.row('choose')];
    return [...problems, ...this.#shownFacts().map((fact) => this.row(fact))];
  }

  getTreeItem(row: ChainRow): TreeRow {
    return row.kind === 'problem'
      ? createInvalidSettingRow(row.problem)
      : createChainFactRow(row.fact, this.#context);
  }

  getParent(row: ChainRow): ChainRow | undefined {
    const isBelow = row.kind === 'fact' && networkFacts.some((fact) => fact === row.fact);
    return isBelow ? this.row('network') : undefined;
  }

  row(fact: ChainFact): ChainRow {
    const existing = this.#rows.get(fact);
    if (existing) return existing;
    const copyText = () => getFactCopyText(fact, this.#context);
    const row: ChainRow = {
      kind: 'fact',
      fact,
      get copyText() {
        return copyText();
      },
    };
    this.#rows.set(fact, row);
    return row;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  get #context(): ChainContext {
    return { ...this.#deps, secret: this.#dataApi.secret };
  }

  /** Without values that are still unknown: the server is identified by its first response to a query. */
  #networkRows(): ChainRow[] {
    const known = this.#context;
    const shown = networkFacts.filter((fact) => {
      if (fact === 'secret') return hasSecretRow(known);
      return fact === 'block' || getFactCopyText(fact, known) !== undefined;
    });
    return shown.map((fact) => this.row(fact));
  }

  #shownFacts(): readonly ChainFact[] {
    const { state, otherChain } = this.#deps.head;
    const fails = isEndpointUnusable(state) || otherChain !== undefined;
    const remedies = otherChain === undefined ? listKeyRemedies(this.#context).length : 0;
    return chainFacts.filter((fact) => {
      if (fact === 'network') return true;
      if (fact === 'tokenData') return this.#dataApi.state === 'ready';
      if (fact === 'firstRemedy') return fails && remedies > 0;
      return fact === 'secondRemedy' ? fails && remedies > 1 : fails;
    });
  }
}

function isNetwork(row: ChainRow): boolean {
  return row.kind === 'fact' && row.fact === 'network';
}

/**
 * Whether the active network has a data API, a key for it, and a secret for its endpoint; read on first use, and on
 * each change.
 */
class DataApiState implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #session: Session;
  #state: KeyState | undefined;
  #secret: SecretState | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(session: Session) {
    this.#session = session;
    this.#disposables.add(
      session.onDidChangeSources(async () => {
        if (await this.#read()) this.#changed.fire();
      }),
    );
  }

  /** Undefined until {@link ready}. */
  get state(): KeyState | undefined {
    return this.#state;
  }

  /** Undefined until {@link ready}. */
  get secret(): SecretState | undefined {
    return this.#secret;
  }

  /** Fires no event: VS Code gives up revealing a row if the view changes while it is drawn. */
  async ready(): Promise<void> {
    if (this.#state === undefined) await this.#read();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** @returns whether anything has changed. */
  async #read(): Promise<boolean> {
    const { connection } = this.#session;
    const state = await this.#session.keyState().catch(() => 'noKey' as const);
    const secret = await this.#session.secretState().catch(() => 'missing' as const);
    if (connection !== this.#session.connection) return false;
    if (state === this.#state && secret === this.#secret) return false;
    this.#state = state;
    this.#secret = secret;
    return true;
  }
}

interface ShowDeps extends HeadStoreDeps {
  readonly head: HeadStore;
  readonly view: vscode.TreeView<ChainRow>;
  readonly tree: ChainTree;
}

/** Shows the latest block in the view and in a message; on an error the user can retry. */
export async function showLatestBlock(deps: ShowDeps): Promise<void> {
  const { head, view, tree, session, log } = deps;
  const { network } = session;
  try {
    const { block } = await head.read();
    await revealRow(view, tree.row('network'), { expand: true });
    await revealRow(view, tree.row('block'), { select: true, focus: true });
    const copy = vscode.l10n.t('Copy');
    const message = vscode.l10n.t('Latest block of {0}: {1}', network.name, formatNumber(block));
    void showMessage('information', message, copy).then((pressed) => {
      if (pressed === copy) return copyText(block.toString());
    });
  } catch (error) {
    const again = await showError(error, { service: 'endpoint', network, log }, true);
    if (again) await showLatestBlock(deps);
  }
}
