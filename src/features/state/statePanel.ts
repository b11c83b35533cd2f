import * as vscode from 'vscode';
import {
  type Address,
  type Clock,
  type ContractState,
  fetchReadBlock,
  formatShortAddress,
  isAppError,
  type Network,
  type StateKind,
  sanitizeText,
  type TokenUnits,
  toChecksumAddress,
} from '../../core/index.ts';
import { describeError } from '../../host/errors.ts';
import { toPanelError } from '../../host/formatting.ts';
import { formatValidationError } from '../../host/l10n.ts';
import type { AddressNames } from '../../host/names/addressNames.ts';
import { formatNumber } from '../../host/numbers.ts';
import type { ChainDeps } from '../../host/session/chains.ts';
import type { Connection } from '../../host/session/session.ts';
import { explainTableFilter } from '../../host/tableFilter.ts';
import { type CopyRows, createRowsCopier, pickTableFormat } from '../../host/tables.ts';
import { formatTable, joinText } from '../../host/tableText.ts';
import { PanelHost } from '../../host/ui/panelHost.ts';
import { type OwnedPanel, setTabTitle } from '../../host/ui/panels.ts';
import { type RequestHandlers, serveRequests } from '../../messaging/channel.ts';
import type { LoadingProgress } from '../../messaging/panel.ts';
import type { CopiedRows, RowRanges } from '../../messaging/rowSelection.ts';
import { formatChanges, formatStateTitle, formatStateVerdict, listDoubts } from './formatVerdict.ts';
import {
  createStateStrings,
  type StateAction,
  type StateArrangement,
  type StateForm,
  type StateHost,
  type StateOpening,
  type StateSnapshot,
  stateRequests,
} from './protocol.ts';
import { noArrangement, StateTable } from './stateTable.ts';

export interface StatePanelDeps extends ChainDeps {
  readonly extensionUri: vscode.Uri;
  readonly storageUri: vscode.Uri;
  readonly workspaceState: vscode.Memento;
  readonly log: vscode.LogOutputChannel;
  readonly clock: Clock;
  /** Loaded with the first use. */
  readonly names: () => Promise<AddressNames>;
  /** Rebuilds state from logs, as `fetchWrittenState` of core. */
  readonly fetchState: (
    query: PanelQuery,
    connection: Connection,
    options: { readonly signal: AbortSignal; readonly onShare: (share: number) => void },
  ) => Promise<ContractState>;
}

interface PanelQuery {
  readonly kind: StateKind;
  readonly address: Address;
  /** An address or a name. */
  readonly owner: string | undefined;
  readonly block: bigint;
}

export interface StateTarget {
  readonly kind: StateKind;
  readonly address: Address;
  /** Of a panel of an earlier window. */
  readonly restored?: { readonly form: StateForm; readonly arrangement: StateArrangement } | undefined;
}

/** What is loaded. */
interface LoadedState {
  readonly network: Network;
  readonly state: ContractState;
  readonly compared: ContractState | undefined;
  readonly table: StateTable;
}

const emptyForm: StateForm = { block: 'latest', compare: '', owner: '' };

/** One panel with the holders, roles or allowances of an address. */
export class StatePanel implements OwnedPanel {
  readonly panel: vscode.WebviewPanel;
  readonly kind: StateKind;
  readonly address: Address;
  readonly onDidShow: vscode.Event<void>;
  readonly #deps: StatePanelDeps;
  readonly #host: PanelHost<StateHost, StateSnapshot, StateAction>;
  readonly #copyRows: CopyRows;
  #form = emptyForm;
  #arrangement = noArrangement;
  #names: AddressNames | undefined;
  readonly #units = new Map<Address, TokenUnits>();
  #loaded: LoadedState | undefined;
  #loadNumber = 0;
  #order = 0;
  #textVersion = 0;
  #running: AbortController | undefined;
  #arranging: AbortController | undefined;
  #progress: LoadingProgress | undefined;
  #isCancelled = false;
  #error: unknown;
  #invalid: StateSnapshot['invalid'];

  constructor(panel: vscode.WebviewPanel, deps: StatePanelDeps, { kind, address, restored }: StateTarget) {
    this.panel = panel;
    this.kind = kind;
    this.address = address;
    this.#deps = deps;
    if (restored) {
      this.#form = restored.form;
      this.#arrangement = restored.arrangement;
    }
    this.#copyRows = createRowsCopier(deps.clock, () => void this.#export());
    this.#host = new PanelHost(panel, deps, {
      program: { name: 'state' },
      methods: serveRequests(stateRequests, this.#handlers()),
      shown: () => this.#snapshot(),
      leaving: {
        askedNetwork: () => this.#loaded?.network,
        leaveNetwork: () => this.#clear(),
      },
    });
    this.onDidShow = this.#host.onDidShow;
    void this.#followNames();
  }

  shows({ kind, address }: StateTarget): boolean {
    return kind === this.kind && address === this.address;
  }

  /** Loads the newest state, unless something is loaded or loading. */
  start(): void {
    if (!this.#loaded && !this.#running) void this.#load(this.#form);
  }

  /** Copies the selected rows if `row` is among them; else that row. */
  async copyRowsAs(place: {
    readonly resultId: string;
    readonly row: number;
    readonly order?: number | undefined;
    readonly selected?: RowRanges | undefined;
  }): Promise<void> {
    const { resultId, row, order, selected = [] } = place;
    if (!this.#isCurrent({ resultId, order: order ?? -1 })) return;
    const isSelected = selected.some(([start, end]) => start <= row && row < end);
    await this.#copyAs(isSelected ? selected : [[row, row + 1]]);
  }

  dispose(): void {
    this.#running?.abort();
    this.#arranging?.abort();
    this.#host.dispose();
  }

  #handlers(): RequestHandlers<typeof stateRequests> {
    return {
      open: () => this.#opening(),
      load: (form) => void this.#load(form),
      cancel: () => {
        this.#isCancelled = true;
        this.#running?.abort();
      },
      arrange: (arrangement) => void this.#arrange(arrangement),
      rows: ({ start, count, ...place }) =>
        this.#isCurrent(place) ? (this.#loaded?.table.window(start, count) ?? []) : [],
      copyRows: (rows) => this.#copySelected(rows),
      copyAll: () => void this.#copyAs(undefined),
      export: () => void this.#export(),
      remedy: (wanted) =>
        void this.#describeError()
          ?.remedies.find(({ title }) => title === wanted)
          ?.run(),
      copyText: (text) => vscode.env.clipboard.writeText(text),
    };
  }

  async #load(form: StateForm): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.#form = form;
    this.#error = undefined;
    this.#invalid = undefined;
    this.#isCancelled = false;
    this.#progress = undefined;
    const { connection } = this.#deps.session;
    const signal = AbortSignal.any([running.signal, connection.signal, this.#host.signal]);
    this.#host.showing.now();
    try {
      const queries = await this.#readForm(form, connection, signal);
      if (!queries) return;
      const states = await this.#fetchStates(queries, connection, signal);
      const [state, compared] = states;
      if (!state) return;
      const table = await StateTable.create(state, compared, {
        clock: this.#deps.clock,
        signal,
        nameOf: (address) => this.#nameOf(address),
        unitsOf: (token) => this.#units.get(token),
        l10n: vscode.l10n,
      });
      // Meanwhile the user may have typed another filter.
      for (let arranged: StateArrangement | undefined; arranged !== this.#arrangement; ) {
        arranged = this.#arrangement;
        await table.arrange(arranged, { clock: this.#deps.clock, signal });
      }
      this.#loaded = { network: connection.network, state, compared, table };
      this.#loadNumber++;
      this.#order++;
      void this.#fetchUnits(states, connection, signal);
    } catch (error) {
      if (isAppError(error, 'badInput') && error.details.field === 'owner')
        this.#invalid = { field: 'owner', message: formatValidationError(error, vscode.l10n) };
      else if (!isAppError(error, 'aborted') && !signal.aborted) this.#error = error;
    } finally {
      if (this.#running === running) this.#running = undefined;
      this.#host.showing.now();
    }
  }

  /** The queries of the form: in the block, and in the one that is compared with. Undefined if a field is wrong. */
  async #readForm(
    form: StateForm,
    { client }: Connection,
    signal: AbortSignal,
  ): Promise<readonly PanelQuery[] | undefined> {
    const { clock } = this.#deps;
    const findBlock = (field: 'block' | 'compare', text: string) =>
      fetchReadBlock(text, client, clock.now(), { signal }).catch((error: unknown) => {
        if (!isAppError(error, 'badInput')) throw error;
        this.#invalid ??= { field, message: formatValidationError(error, vscode.l10n) };
        return undefined;
      });
    const [block, compared] = await Promise.all([
      findBlock('block', form.block.trim() || 'latest'),
      form.compare.trim() === '' ? undefined : findBlock('compare', form.compare),
    ]);
    if (block === undefined || this.#invalid) return undefined;
    const { kind, address } = this;
    const owner = form.owner.trim() || undefined;
    const blocks = compared === undefined || compared === block ? [block] : [block, compared];
    return blocks.map((number) => ({ kind, address, owner, block: number }));
  }

  async #fetchStates(
    queries: readonly PanelQuery[],
    connection: Connection,
    signal: AbortSignal,
  ): Promise<readonly ContractState[]> {
    const states: ContractState[] = [];
    for (const [index, query] of queries.entries()) {
      const onShare = (share: number) => {
        const all = (index + share) / queries.length;
        const percent = Math.floor(all * 100).toString();
        this.#progress = { share: all, label: vscode.l10n.t('Loading logs: {0}%', percent) };
        this.#host.showing.soon();
      };
      states.push(await this.#deps.fetchState(query, connection, { signal, onShare }));
    }
    return states;
  }

  /** Units of the tokens of allowances, which arrive later. Failures leave smallest units. */
  async #fetchUnits(
    states: readonly ContractState[],
    { client }: Connection,
    signal: AbortSignal,
  ): Promise<void> {
    const tokens = new Set(
      states.flatMap(({ rows }) => rows.flatMap((row) => (row.kind === 'allowance' ? [row.token] : []))),
    );
    for (const token of [...tokens].slice(0, MAX_TOKENS_WITH_UNITS)) {
      if (this.#units.has(token)) continue;
      const units = await client.fetchTokenUnits(token, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      if (units) this.#units.set(token, units);
    }
    if (tokens.size > 0) this.#refreshTexts();
  }

  /** Shows other rows, or the same ones in another order. */
  async #arrange(arrangement: StateArrangement): Promise<void> {
    this.#arrangement = arrangement;
    this.#arranging?.abort();
    const arranging = new AbortController();
    this.#arranging = arranging;
    this.#host.showing.now();
    try {
      await this.#loaded?.table.arrange(arrangement, { clock: this.#deps.clock, signal: arranging.signal });
      this.#order++;
      this.#host.showing.now();
    } catch (error) {
      if (!arranging.signal.aborted) throw error;
    }
  }

  #isCurrent({ resultId, order }: { readonly resultId: string; readonly order: number }): boolean {
    return resultId === this.#resultId && order === this.#order;
  }

  get #resultId(): string {
    return String(this.#loadNumber);
  }

  async #copySelected({ format, selected, ...place }: CopiedRows): Promise<void> {
    const table = this.#loaded?.table.toTextTable(selected);
    if (!table || !this.#isCurrent(place)) return;
    await this.#copyRows(table.count, (options) => joinText(formatTable(format, table, options)));
  }

  /** Copies rows in the format that the user chooses: all that are shown without `selected`. */
  async #copyAs(selected: RowRanges | undefined): Promise<void> {
    const table = this.#loaded?.table.toTextTable(selected);
    const chosen = table && (await pickTableFormat(vscode.l10n.t('Copy Rows')));
    if (!chosen) return;
    await this.#copyRows(table.count, (options) => joinText(formatTable(chosen.format, table, options)));
  }

  async #export(): Promise<void> {
    if (!this.#loaded) return;
    const { exportState } = await import('./exportState.ts');
    await exportState({ ...this.#loaded, kind: this.kind, name: this.#name }, this.#deps);
  }

  /** Drops the rows of a network that is no longer active. */
  #clear(): void {
    this.#running?.abort();
    this.#loaded = undefined;
    this.#units.clear();
    this.#error = undefined;
    this.#loadNumber++;
    this.#host.showing.now();
  }

  #opening(): StateOpening {
    return { strings: createStateStrings(vscode.l10n), form: this.#form, snapshot: this.#snapshot() };
  }

  #snapshot(): StateSnapshot {
    const { l10n } = vscode;
    const { state, compared, table } = this.#loaded ?? {};
    const heading = formatStateTitle(this.kind, this.#name, l10n);
    setTabTitle(this.panel, heading);
    const description = this.#describeError();
    const isConfirmed = state?.verdict.confirmed === true && compared?.verdict.confirmed !== false;
    return {
      kind: this.kind,
      heading,
      address: toChecksumAddress(this.address),
      resultId: this.#resultId,
      order: this.#order,
      textVersion: this.#textVersion,
      rows: table?.length ?? 0,
      columns: table?.columns ?? [],
      arrangement: this.#arrangement,
      isLoading: this.#running !== undefined,
      progress: this.#progress,
      tone: state === undefined ? 'plain' : isConfirmed ? 'complete' : 'uncertain',
      status: this.#formatStatus(),
      counts: this.#formatCounts(),
      doubts: this.#formatDoubts(),
      isCompared: compared !== undefined,
      error: description && toPanelError(description),
      invalid: this.#invalid,
    };
  }

  #formatStatus(): string {
    const { l10n } = vscode;
    if (this.#running) return this.#progress?.label ?? l10n.t('Loading…');
    const { state, compared } = this.#loaded ?? {};
    if (!state) {
      if (this.#isCancelled) return l10n.t('Cancelled. No rows are loaded.');
      return this.#error || this.#invalid ? '' : l10n.t('Nothing is loaded yet. Choose Load.');
    }
    const verdict = formatStateVerdict(state, l10n);
    if (!compared) return verdict;
    return `${verdict} ${l10n.t('Compared with: {0}', formatStateVerdict(compared, l10n))}`;
  }

  #formatCounts(): string {
    const { table, compared } = this.#loaded ?? {};
    if (!table) return '';
    const { l10n } = vscode;
    const shown =
      table.length < table.size
        ? [l10n.t('{0} of {1} rows shown', formatNumber(table.length), formatNumber(table.size))]
        : [];
    const problems =
      table.length > 0 ? [] : explainTableFilter(this.#arrangement.filter, table.columns, l10n);
    const isComplete = this.#formatDoubts() === undefined;
    const changes = compared ? [formatChanges(table.changes, { isComplete, l10n })] : [];
    return [...changes, ...shown, ...problems].join(' · ');
  }

  #formatDoubts(): StateSnapshot['doubts'] {
    const { l10n } = vscode;
    const { state, compared } = this.#loaded ?? {};
    const doubts = [state, compared].flatMap((each) => (each && listDoubts(each.verdict, l10n)) ?? []);
    const doubted = [state, compared].some((each) => each && listDoubts(each.verdict, l10n));
    return !doubted
      ? undefined
      : {
          title:
            state?.rows.length === 0
              ? l10n.t('Rows may be missing: they are rebuilt from logs only.')
              : l10n.t('These rows may be incomplete: they are rebuilt from logs only.'),
          reasons: [...new Set(doubts)],
        };
  }

  #describeError() {
    if (this.#error === undefined) return undefined;
    const network = this.#loaded?.network ?? this.#deps.session.network;
    return describeError(this.#error, { service: 'endpoint', network });
  }

  get #name(): string {
    const name = this.#nameOf(this.address);
    return name === undefined ? formatShortAddress(toChecksumAddress(this.address)) : sanitizeText(name, 60);
  }

  #nameOf(address: Address): string | undefined {
    return this.#names?.nameOf(address, this.#chainId)?.name;
  }

  get #chainId(): number {
    return (this.#loaded?.network ?? this.#deps.session.network).chainId;
  }

  /** Names or units have changed: the view asks for the rows again. */
  #refreshTexts(): void {
    this.#textVersion++;
    this.#host.showing.soon();
  }

  /** Failures are ignored: names are optional. */
  async #followNames(): Promise<void> {
    const names = await this.#deps.names().catch(() => undefined);
    if (!names || this.#host.signal.aborted) return;
    this.#names = names;
    const listening = names.onDidChange(() => this.#refreshTexts());
    this.#host.signal.addEventListener('abort', () => listening.dispose(), { once: true });
    this.#refreshTexts();
  }
}

/** The rest is in smallest units. */
const MAX_TOKENS_WITH_UNITS = 100;
