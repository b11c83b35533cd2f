import * as vscode from 'vscode';
import {
  type AbiFunction,
  type Address,
  type AppError,
  asAppError,
  type Clock,
  type ContractViews,
  type CopyRead,
  copyReadTargets,
  describeMissingFunction,
  describeReplaced,
  fetchContractViews,
  fetchReadBlock,
  formatAbiItem,
  formatArguments,
  formatShortAddress,
  formatWrittenType,
  isAppError,
  type Network,
  type OpenReads,
  openReads,
  parseArguments,
  parseWrittenFunction,
  readOneBlock,
  readView,
  sanitizeText,
  toChecksumAddress,
} from '../../core/index.ts';
import { runCommand } from '../../host/commands.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import { createOffer, pickCopy } from '../../host/copyPick.ts';
import { describeError } from '../../host/errors.ts';
import { toPanelError } from '../../host/formatting.ts';
import { formatValidationError, localize } from '../../host/l10n.ts';
import type { AddressNames } from '../../host/names/addressNames.ts';
import { formatNamedDetail } from '../../host/names/addressPicker.ts';
import type { NamesService } from '../../host/names/nameProviders.ts';
import { createUnitsFetcher } from '../../host/readValues.ts';
import type { ChainDeps } from '../../host/session/chains.ts';
import type { SessionOperations } from '../../host/sessionOperations.ts';
import { createAddressSuggestions } from '../../host/suggestions.ts';
import { PanelHost } from '../../host/ui/panelHost.ts';
import { type OwnedPanel, setTabTitle } from '../../host/ui/panels.ts';
import { type RequestHandlers, serveRequests } from '../../messaging/channel.ts';
import type { Suggestion } from '../../messaging/panel.ts';
import { toWireFailure, toWireInputs, toWireRead } from './formatRead.ts';
import {
  createReadsStrings,
  type ReadsAction,
  type ReadsForm,
  type ReadsHost,
  type ReadsOpening,
  type ReadsSnapshot,
  readsRequests,
  type ShownCall,
  type TypedCall,
  type WireRead,
  type WireView,
} from './protocol.ts';

export interface ReadPanelDeps extends ChainDeps {
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
  readonly operations: SessionOperations;
  readonly contracts: Pick<WorkspaceContracts, 'known'>;
  readonly names: () => Promise<AddressNames & Pick<NamesService, 'listInFiles'>>;
  readonly clock: Clock;
}

/** Implementations that a note has room for. */
const MAX_NAMED_CODE = 4;

export interface ReadTarget {
  readonly contract: Address;
  /** A function to show, by its selector. */
  readonly shown?: string | undefined;
  /** Arguments to read it with. */
  readonly args?: readonly string[] | undefined;
  /** The sender to read it as, `''` for none; undefined for that of an open panel. */
  readonly from?: Address | '' | undefined;
}

/** What is read of each function, and as whom. */
interface ReadPlace {
  readonly form: ReadsForm;
  readonly block: bigint;
  readonly compared: bigint | undefined;
  readonly from: Address | undefined;
  readonly call: TypedCall | undefined;
}

/** The reads of one function: now, and in the block that is compared with. */
interface ViewReads {
  readonly item: AbiFunction;
  /** Undefined while a function with arguments has not been read. */
  args: readonly string[] | undefined;
  pending: number;
  read: WireRead | undefined;
  compared: WireRead | undefined;
  /** Whether they belong to the previous blocks or sender, until new ones arrive. */
  isOld: boolean;
}

/** One panel that reads the view functions of a contract. */
export class ReadPanel implements OwnedPanel {
  readonly panel: vscode.WebviewPanel;
  readonly contract: Address;
  readonly onDidShow: vscode.Event<void>;
  readonly #deps: ReadPanelDeps;
  readonly #host: PanelHost<ReadsHost, ReadsSnapshot, ReadsAction>;
  /** Until the page has taken it. */
  #target: ShownCall | undefined;
  /** What is typed for each function. */
  readonly #typed = new Map<string, readonly string[]>();
  readonly #views = new Map<string, ViewReads>();
  /** Functions that the user has declared, which the ABI does not have. */
  readonly #declared = new Map<string, AbiFunction>();
  #names: AddressNames | undefined;
  #namesVersion = 0;
  #network: Network | undefined;
  #running: AbortController | undefined;
  #reads: OpenReads | undefined;
  #block: bigint | undefined;
  #compared: bigint | undefined;
  /** The sender of the calls. */
  #from: Address | undefined;
  /** Of the values that are shown. */
  #form: ReadsForm | undefined;
  #notes: readonly string[] = [];
  /** Why there are no values in a block. */
  readonly #blockNotes = new Set<string>();
  /** The code of the blocks that are read. */
  readonly #codes = new Map<bigint, ContractViews>();
  #error: unknown;
  #invalid: ReadsSnapshot['invalid'];

  constructor(panel: vscode.WebviewPanel, deps: ReadPanelDeps, { contract }: ReadTarget) {
    this.panel = panel;
    this.contract = contract;
    this.#deps = deps;
    this.#host = new PanelHost(panel, deps, {
      program: { name: 'reads' },
      methods: serveRequests(readsRequests, this.#handlers()),
      shown: () => this.#snapshot(),
      leaving: {
        askedNetwork: () => this.#network,
        leaveNetwork: () => this.#clear(),
      },
    });
    this.onDidShow = this.#host.onDidShow;
    void this.#followNames();
  }

  /** Whether it can show the target without losing arguments that are typed. */
  canShow({ contract, shown, args = [], from }: ReadTarget): boolean {
    if (contract !== this.contract) return false;
    if (from !== undefined && this.#from !== undefined && from !== this.#from) return false;
    const typed = (shown && this.#typed.get(shown)) || [];
    return args.length === 0 || typed.every((text) => text === '') || hasSameItems(args, typed);
  }

  show({ shown, args = [], from }: ReadTarget): void {
    if (shown === undefined) return;
    this.#target = { id: shown, args: [...args], from: from && toChecksumAddress(from) };
    if (args.length > 0) this.#typed.set(shown, args);
    this.#host.act('showTarget');
  }

  get isLoading(): boolean {
    return this.#running !== undefined;
  }

  dispose(): void {
    this.#running?.abort();
    this.#host.dispose();
  }

  #handlers(): RequestHandlers<typeof readsRequests> {
    return {
      open: () => this.#opening(),
      takeTarget: () => {
        const target = this.#target;
        this.#target = undefined;
        return target;
      },
      read: ({ form, call }) => void this.#readAll(form, call),
      call: ({ form, call }) =>
        void (this.#form && isSameForm(form, this.#form)
          ? this.#call(call.id, call.args)
          : this.#readAll(form, call)),
      typed: ({ id, args }) => void this.#typed.set(id, args),
      completeAddresses: (typed) => this.#suggestAddresses(typed),
      watch: (id) => void this.#watch(id),
      declare: (text) => this.#declare(text),
      copyAs: (id) => void this.#copyAs(id),
      cancel: () => this.#running?.abort(),
      remedy: (wanted) =>
        void this.#describeError()
          ?.remedies.find(({ title }) => title === wanted)
          ?.run(),
      copyText: (text) => vscode.env.clipboard.writeText(text),
    };
  }

  /** Reads the list of functions, all without arguments, those with arguments that were read before, and `call`. */
  async #readAll(form: ReadsForm, call: TypedCall | undefined): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.#error = undefined;
    this.#invalid = undefined;
    const { session, operations, clock } = this.#deps;
    const { connection } = session;
    const options = { signal: AbortSignal.any([running.signal, connection.signal, this.#host.signal]) };
    this.#host.showing.now();
    try {
      const deps = operations.depsOf(connection);
      const reads = await openReads(deps, options);
      const parse = async <Value>(field: keyof ReadsForm, read: (text: string) => Value) => {
        try {
          return await read(form[field].trim());
        } catch (error) {
          if (!isAppError(error, 'badInput')) throw error;
          this.#invalid = { field, message: formatValidationError(error, vscode.l10n) };
          return undefined;
        }
      };
      const find = (text: string) => fetchReadBlock(text, deps.client, clock.now(), options);
      const [block, compared, from] = await Promise.all([
        parse('block', (text) => find(text || 'latest')),
        parse('compare', (text) => (text === '' ? undefined : find(text))),
        parse('from', (text) => (text === '' ? undefined : reads.resolveAddress(text, 'from'))),
      ]);
      if (block === undefined || this.#invalid) return;
      const at = { form, block, compared, from, call };
      const readViews = () => this.#readViews(at, { reads, network: connection.network }, options);
      const { isReplaced } = await readOneBlock({ block, client: deps.client }, readViews, options);
      if (isReplaced) this.#blockNotes.add(localize(describeReplaced(block), vscode.l10n));
    } catch (error) {
      if (!isAppError(error, 'aborted') && !running.signal.aborted) this.#error = error;
    } finally {
      if (this.#running === running) {
        this.#running = undefined;
        this.#dropOld();
      }
      this.#host.showing.now();
    }
  }

  /** Drops values of the previous blocks or sender that no read has replaced, as after a cancel. */
  #dropOld(): void {
    for (const view of this.#views.values()) {
      if (!view.isOld) continue;
      view.read = undefined;
      view.compared = undefined;
      view.isOld = false;
    }
  }

  async #readViews(
    { form, block, compared, from, call }: ReadPlace,
    { reads, network }: { readonly reads: OpenReads; readonly network: Network },
    options: { readonly signal: AbortSignal },
  ): Promise<void> {
    const argsBefore = call && this.#views.get(call.id)?.args;
    const [found, before] = await Promise.all(
      [block, compared].map((one) =>
        one === undefined
          ? undefined
          : fetchContractViews({ address: this.contract, block: one }, reads, options),
      ),
    );
    if (options.signal.aborted || !found) return;
    this.#reads = reads;
    this.#network = network;
    this.#form = form;
    this.#block = block;
    this.#compared = compared;
    this.#from = from;
    this.#codes.clear();
    this.#codes.set(block, found);
    if (compared !== undefined && before) this.#codes.set(compared, before);
    this.#notes = this.#formatNotes(found);
    this.#blockNotes.clear();
    for (const [one, { isMissing }] of this.#codes) if (isMissing) this.#noteNoContract(one);
    if (before) this.#noteUpgrade(found, before);
    const removed = (before?.views ?? []).filter(({ selector }) => !found.selectors.has(selector));
    // Meanwhile the user may have read it with others.
    const hasNewArgs = call && this.#views.get(call.id)?.args !== argsBefore;
    this.#putViews([...found.views, ...removed, ...this.#declared.values()]);
    const called = call && this.#views.get(call.id);
    if (called && !hasNewArgs) called.args = call.args;
    this.#host.showing.now();
    const readable = [...this.#views.values()].filter(({ args }) => args !== undefined);
    await Promise.all(readable.map((view) => this.#read(view, options)));
  }

  /** Keeps what is shown of functions that are still there, until their new values arrive. */
  #putViews(items: readonly AbiFunction[]): void {
    const before = new Map(this.#views);
    this.#views.clear();
    for (const item of items) {
      const known = before.get(item.selector);
      this.#views.set(item.selector, {
        item,
        args: known?.args ?? (item.inputs.length === 0 ? [] : undefined),
        pending: 0,
        read: known?.read,
        compared: this.#compared === undefined ? undefined : known?.compared,
        isOld: known?.read !== undefined,
      });
    }
  }

  async #call(id: string, args: readonly string[]): Promise<void> {
    const view = this.#views.get(id);
    if (!view) return;
    view.args = args;
    const signal = AbortSignal.any([this.#deps.session.connection.signal, this.#host.signal]);
    await this.#read(view, { signal });
    this.#host.showing.now();
  }

  async #read(view: ViewReads, options: { readonly signal: AbortSignal }): Promise<void> {
    const [block, compared, from, reads] = [this.#block, this.#compared, this.#from, this.#reads];
    if (block === undefined || !reads) return;
    view.pending++;
    this.#host.showing.soon();
    const [read, other] = await Promise.all([
      this.#readAt(view, { block, from }, options),
      compared === undefined ? undefined : this.#readAt(view, { block: compared, from }, options),
    ]);
    view.pending--;
    // A later read of other blocks, or as another sender, has newer values.
    if (this.#block !== block || this.#compared !== compared || this.#from !== from) return;
    if (read) view.isOld = false;
    view.read = read ?? view.read;
    view.compared = other ?? (compared === undefined ? undefined : view.compared);
    this.#host.showing.soon();
  }

  /** Copies what was read, in the block that is shown, for another tool. */
  async #copyAs(id: string): Promise<void> {
    const [view, block, reads, network] = [this.#views.get(id), this.#block, this.#reads, this.#network];
    if (!view?.args || block === undefined || !reads || !network) return;
    const { item, args } = view;
    const read = { address: this.contract, item, block, from: this.#from };
    const signal = AbortSignal.any([this.#deps.session.connection.signal, this.#host.signal]);
    // A call that reverts can be copied, too, but for a test.
    const result = await readView({ ...read, args }, reads, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await copyReadAs({
      ...read,
      network,
      args: parseArguments(item.inputs, args, reads),
      values: result?.undecoded === undefined ? result?.values : undefined,
    });
  }

  /** Undefined if it was cancelled. */
  async #readAt(
    { item, args = [] }: ViewReads,
    { block, from }: Pick<ReadPlace, 'block' | 'from'>,
    options: { readonly signal: AbortSignal },
  ): Promise<WireRead | undefined> {
    const reads = this.#reads;
    if (!reads) return undefined;
    try {
      const address = this.contract;
      const { contracts, session } = this.#deps;
      const fetchUnits = createUnitsFetcher(contracts, session.connection);
      const { implementations: code = [], views = [] } = this.#codes.get(block) ?? {};
      // Another version may return something else.
      const running = views.find(({ selector }) => selector === item.selector) ?? item;
      const call = { address, item: running, args, block, from, code };
      const result = await readView(call, { ...reads, fetchUnits }, options);
      return toWireRead(result, { nameOf: (named) => this.#nameOf(named), l10n: vscode.l10n });
    } catch (cause) {
      const error = asAppError(cause);
      if (error.kind === 'aborted') return undefined;
      const missing = this.#describeMissing(error, item, block);
      if (missing !== undefined) return { state: 'failed', message: missing, input: undefined };
      const short = this.#noteMissingState(error, block);
      if (short !== undefined) return { state: 'failed', message: short, input: undefined };
      return toWireFailure(error, this.#describe(error).message, item, vscode.l10n);
    }
  }

  /** Undefined if the code of the block has the function, as far as is known. */
  #describeMissing(error: AppError, item: AbiFunction, block: bigint): string | undefined {
    const code = this.#codes.get(block);
    const { data = '0x' } = error.details;
    if (!code || data !== '0x' || !isAppError(error, 'badResponse', 'reverted')) return undefined;
    const message = describeMissingFunction(item, block, code, this.#nameCode(code));
    return message && localize(message, vscode.l10n);
  }

  /** The contract whose code runs, by its name on the chain, else by its ABI. */
  #nameCode({ implementations, address, contract }: ContractViews): string {
    const [code = address, ...others] = implementations;
    if (others.length > 0 && contract !== undefined) return sanitizeText(contract, 60);
    return sanitizeText(this.#nameOf(code) ?? contract ?? toChecksumAddress(code), 60);
  }

  #noteNoContract(block: bigint): void {
    this.#blockNotes.add(
      vscode.l10n.t('There is no contract at this address in block {0}.', block.toString()),
    );
  }

  /** Names both versions of a proxy, if another one ran in the block that is compared with. */
  #noteUpgrade(now: ContractViews, before: ContractViews): void {
    const [block, compared] = [this.#block, this.#compared];
    if (block === undefined || compared === undefined || now.isMissing || before.isMissing) return;
    if (now.implementations.join() === before.implementations.join()) return;
    this.#blockNotes.add(
      vscode.l10n.t(
        'Block {0} runs {1}, block {2} runs {3}.',
        ...[block.toString(), this.#nameCode(now), compared.toString(), this.#nameCode(before)],
      ),
    );
  }

  /** What holds for all functions in a block is said once, above them. Returns what stands in place of each value. */
  #noteMissingState(error: AppError, block: bigint): string | undefined {
    const { l10n } = vscode;
    const number = block.toString();
    switch (error.kind) {
      case 'notAContract':
        this.#noteNoContract(block);
        return l10n.t('no contract');
      case 'blockNotSeen':
      case 'historyUnavailable':
        this.#blockNotes.add(l10n.t('Block {0}: {1}', number, this.#describe(error).message));
        return l10n.t('not available');
      default:
        return undefined;
    }
  }

  /** The arguments are stored without names, whose addresses may change. */
  async #watch(id: string): Promise<void> {
    const view = this.#views.get(id);
    const reads = this.#reads;
    if (!view?.args || !reads) return;
    try {
      const { item } = view;
      const args = formatArguments(item.inputs, parseArguments(item.inputs, view.args, reads));
      await runCommand('chainside.watchValue', {
        contract: this.contract,
        declaration: formatAbiItem(item),
        args,
        from: this.#from,
      });
    } catch (error) {
      view.read = toWireFailure(asAppError(error), this.#describe(error).message, view.item, vscode.l10n);
      this.#host.showing.now();
    }
  }

  #declare(text: string): void {
    try {
      const written = parseWrittenFunction(text);
      if (written.kind !== 'declaration') {
        this.#invalid = {
          field: 'function',
          message: vscode.l10n.t(
            'Declare it with its types, such as balanceOf(address) view returns (uint256).',
          ),
        };
      } else {
        const { item } = written;
        this.#invalid = undefined;
        this.#declared.set(item.selector, item);
        this.#putViews([
          ...[...this.#views.values()]
            .map((view) => view.item)
            .filter(({ selector }) => selector !== item.selector),
          item,
        ]);
        if (item.inputs.length === 0) void this.#call(item.selector, []);
      }
    } catch (error) {
      this.#invalid = { field: 'function', message: asAppError(error).message };
    }
    this.#host.showing.now();
  }

  /** Drops the values of a network that is no longer active. */
  #clear(): void {
    this.#running?.abort();
    this.#network = undefined;
    this.#reads = undefined;
    this.#block = undefined;
    this.#compared = undefined;
    this.#from = undefined;
    this.#form = undefined;
    this.#notes = [];
    this.#blockNotes.clear();
    this.#codes.clear();
    this.#views.clear();
    this.#host.showing.now();
  }

  #opening(): ReadsOpening {
    return { strings: createReadsStrings(vscode.l10n), snapshot: this.#snapshot() };
  }

  #snapshot(): ReadsSnapshot {
    const { l10n } = vscode;
    const name = this.#nameOf(this.contract);
    const address = toChecksumAddress(this.contract);
    const heading = name === undefined ? formatShortAddress(address) : sanitizeText(name, 60);
    setTabTitle(this.panel, l10n.t('Read {0}', heading));
    const network = sanitizeText((this.#network ?? this.#deps.session.network).name, 60);
    const views = [...this.#views.values()].map(toWireView);
    const description = this.#describeError();
    return {
      heading,
      address,
      notes: [...this.#notes, ...this.#blockNotes],
      block: this.#block?.toString(),
      compared: this.#compared?.toString(),
      isLoading: this.isLoading,
      status: this.#formatStatus(network),
      error: description && toPanelError(description),
      invalid: this.#invalid,
      views,
      namesVersion: this.#namesVersion,
    };
  }

  /** Of which blocks the values are, and as which sender they were read. */
  #formatStatus(network: string): string {
    const { l10n } = vscode;
    const [block, compared, from] = [this.#block, this.#compared, this.#from];
    if (block === undefined) return this.isLoading ? l10n.t('Reading…') : '';
    const blocks =
      compared === undefined
        ? l10n.t('Block {0} on {1}', block.toString(), network)
        : l10n.t('Blocks {0} and {1} on {2}', block.toString(), compared.toString(), network);
    return from ? `${blocks} · ${l10n.t('Sender: {0}', this.#formatNamed(from))}` : blocks;
  }

  #formatNamed(address: Address): string {
    const name = this.#nameOf(address);
    const full = toChecksumAddress(address);
    return name === undefined ? full : `${sanitizeText(name, 60)} (${full})`;
  }

  #formatNotes({ implementations, views, from, isMissing }: ContractViews) {
    const { l10n } = vscode;
    if (isMissing) return [];
    const notes: string[] = [];
    if (implementations.length > 0) {
      const labels = implementations.slice(0, MAX_NAMED_CODE).map((one) => this.#formatNamed(one));
      const left = implementations.length - labels.length;
      const label = [...labels, ...(left > 0 ? [l10n.t('{0} more', left)] : [])].join(', ');
      notes.push(l10n.t('A proxy, which runs the code of {0} in block {1}', label, String(this.#block)));
    }
    if (views.length > 0) notes.push(l10n.t('ABI: {0}', sanitizeText(from.join(', '), 200)));
    else if (from.length > 0)
      notes.push(l10n.t('The ABI has no view functions: {0}', sanitizeText(from.join(', '), 200)));
    else {
      notes.push(
        l10n.t(
          'The ABI of this contract is not known. Build the project, allow a source of verified contracts, or declare a function below.',
        ),
      );
    }
    return notes;
  }

  #describeError() {
    return this.#error === undefined ? undefined : this.#describe(this.#error);
  }

  #describe(error: unknown) {
    return describeError(error, {
      service: 'endpoint',
      network: this.#network ?? this.#deps.session.network,
    });
  }

  #nameOf(address: Address): string | undefined {
    return this.#names?.nameOf(address, this.#chainId)?.name;
  }

  async #suggestAddresses(typed: string): Promise<readonly Suggestion[]> {
    const names = await this.#deps.names();
    return createAddressSuggestions(typed, {
      ...{ names, chainId: this.#chainId, l10n: vscode.l10n },
      named: names.entries(this.#chainId),
      takesSeveral: false,
      found: () => names.listInFiles(),
      formatDetail: formatNamedDetail,
    });
  }

  get #chainId(): number {
    return (this.#network ?? this.#deps.session.network).chainId;
  }

  /** Failures are ignored: names are optional. */
  async #followNames(): Promise<void> {
    const names = await this.#deps.names().catch(() => undefined);
    if (!names || this.#host.signal.aborted) return;
    this.#names = names;
    const listening = names.onDidChange(() => {
      this.#namesVersion++;
      this.#host.showing.soon();
    });
    this.#host.signal.addEventListener('abort', () => listening.dispose(), { once: true });
    this.#host.showing.soon();
  }
}

function toWireView({ item, read, compared, pending }: ViewReads): WireView {
  return {
    id: item.selector,
    name: item.name,
    signature: formatAbiItem(item).slice('function '.length),
    returns: item.outputs.map(({ name, type }) => `${formatWrittenType(type)} ${name}`.trim()).join(', '),
    inputs: toWireInputs(item.inputs),
    isLoading: pending > 0,
    read,
    compared,
    differs:
      read !== undefined && compared !== undefined && JSON.stringify(read) !== JSON.stringify(compared),
  };
}

function isSameForm(one: ReadsForm, other: ReadsForm): boolean {
  return one.block === other.block && one.compare === other.compare && one.from === other.from;
}

function hasSameItems(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}

/** Copies a read in a format for another tool, which the user chooses. */
async function copyReadAs(read: CopyRead): Promise<void> {
  const { l10n } = vscode;
  const offers = copyReadTargets.map(({ label, purpose, copy }) =>
    createOffer({ label, purpose: l10n.t(purpose) }, () => copy(read)),
  );
  await pickCopy(offers, [], { title: l10n.t('Copy {0} As', read.item.name), tables: '' });
}
