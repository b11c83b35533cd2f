import * as vscode from 'vscode';
import {
  type Address,
  type CallFrame,
  type DecodedLog,
  type ExplainedFrame,
  findFailedPath,
  getTypeName,
  groupDigits,
  iterateFrames,
  sanitizeText,
  type TransactionTrace,
  toChecksumAddress,
} from '../../core/index.ts';
import { createCommand, createContextKey, registerCommand } from '../../host/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import { onDidCloseDocument } from '../../host/ui/panels.ts';
import type { TreeRow, TreeRowProvider } from '../../host/ui/tree.ts';
import { createPlainIcon, createRow, listRowTokens } from '../../host/ui/treeItem.ts';
import type { documentSchemes } from '../../manifest.ts';
import {
  type CallFilter,
  findCallsTo,
  formatCount,
  listCalledContracts,
  pickCallFilter,
} from './callFilter.ts';
import type { OriginLocation } from './formatMeaning.ts';
import { formatCall, formatLog, listInside, type TraceContext } from './formatTrace.ts';

const transactionScheme: (typeof documentSchemes)[1] = 'chainside-transaction';

/** The calls of a document, and how to format them. */
interface ShownCalls {
  readonly trace: Extract<TransactionTrace, { readonly state: 'told' }>;
  readonly context: TraceContext;
}

/** A row of the view. `account` and `copyText` are for the commands of its menu. */
export interface CallNode {
  readonly parent: CallNode | undefined;
  readonly account: Address | undefined;
  readonly copyText: string;
  readonly row: TreeRow;
  /** Created when the row is first expanded. */
  readonly listChildren: () => readonly CallNode[];
}

/** A person reads no longer list; the command line has all. */
const MAX_ROWS = 1_000;
/** A larger tree begins folded, apart from the calls that failed. */
const MAX_EXPANDED_CALLS = 40;
const MAX_TEXT_CHARS = 400;

/** The Calls view: the calls of the transaction or simulation whose document was last active, as long as it is open. */
export class CallTree implements TreeRowProvider<CallNode>, vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<CallNode | undefined>());
  readonly #setShown = createContextKey('chainside.calls.shown');
  /** By the key of the document. */
  readonly #calls = new Map<string, ShownCalls>();
  #current: string | undefined;
  /** Of the current document. */
  #filter: CallFilter | undefined;
  #roots: CallNode[] = [];

  readonly onDidChangeTreeData = this.#changed.event;

  constructor() {
    this.#disposables.add(vscode.window.onDidChangeActiveTextEditor(() => this.#follow()));
    this.#disposables.add(onDidCloseDocument(transactionScheme, ({ query }) => this.#forget(query)));
    this.#disposables.add(registerCommand('chainside.filterCalls', () => this.#pickFilter()));
  }

  /** The calls that a document shows from now on; undefined if it has none. */
  show(key: string | undefined, calls: ShownCalls | undefined): void {
    if (key === undefined) return;
    if (calls) this.#calls.set(key, calls);
    else this.#calls.delete(key);
    if (key === this.#current) this.#draw();
    else this.#follow();
  }

  getTreeItem({ row }: CallNode): TreeRow {
    return row;
  }

  async getChildren(node?: CallNode): Promise<CallNode[]> {
    return node ? [...node.listChildren()] : this.#roots;
  }

  getParent({ parent }: CallNode): CallNode | undefined {
    return parent;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #follow(): void {
    const uri = vscode.window.activeTextEditor?.document.uri;
    if (uri?.scheme !== transactionScheme || uri.query === this.#current) return;
    this.#current = uri.query;
    this.#filter = undefined;
    this.#draw();
  }

  async #pickFilter(): Promise<void> {
    const key = this.#current;
    const calls = key === undefined ? undefined : this.#calls.get(key);
    if (!calls) return;
    const contracts = listCalledContracts(calls.trace.root, calls.context);
    const picked = await pickCallFilter(contracts, this.#filter);
    if (!picked || key !== this.#current) return;
    this.#filter = picked === 'all' ? undefined : picked;
    this.#draw();
  }

  #forget(key: string): void {
    this.#calls.delete(key);
    if (key !== this.#current) return;
    this.#current = undefined;
    this.#filter = undefined;
    this.#draw();
  }

  #draw(): void {
    const calls = this.#current === undefined ? undefined : this.#calls.get(this.#current);
    const filter = this.#filter;
    this.#roots = calls ? [...(filter ? [createFilterNode(filter)] : []), createCallRows(calls, filter)] : [];
    this.#setShown(calls !== undefined);
    this.#changed.fire(undefined);
  }
}

/** What all rows of a tree share. */
interface Tree extends ShownCalls {
  /** The calls whose failure ended the transaction. */
  readonly failed: ReadonlySet<CallFrame>;
  readonly innermost: CallFrame | undefined;
  readonly isLong: boolean;
  /** What a filter shows; undefined without one. */
  readonly filtered: { readonly to: Address; readonly calls: ReadonlySet<ExplainedFrame> } | undefined;
}

/** The row of the outermost call, with the others below it; if filtered, only calls to a contract, and their callers. */
export function createCallRows(calls: ShownCalls, filter?: CallFilter): CallNode {
  const { frame } = calls.trace.root;
  const path = findFailedPath(frame).map((failed) => failed.frame);
  const filtered = filter && { to: filter.address, calls: findCallsTo(calls.trace.root, filter) };
  let count = filtered?.calls.size ?? 0;
  if (!filtered) for (const _ of iterateFrames(frame)) if (++count > MAX_EXPANDED_CALLS) break;
  const isLong = count > MAX_EXPANDED_CALLS;
  const tree = { ...calls, failed: new Set(path), innermost: path.at(-1), isLong, filtered };
  return createCallNode(calls.trace.root, { tree, parent: undefined, isUndone: false });
}

interface Position {
  readonly tree: Tree;
  readonly parent: CallNode | undefined;
  readonly isUndone: boolean;
}

function createCallNode(explained: ExplainedFrame, { tree, parent, isUndone }: Position): CallNode {
  const { frame, calls, logs } = explained;
  const { context, failed } = tree;
  const { title, result, value, gas, storage, failure } = formatCall(explained, context);
  const details = [failure ?? (result && `→ ${result}`), value, gas].filter((part) => part !== undefined);
  const isLeaf = tree.filtered
    ? listShown(explained, { tree, isUndone }).length === 0
    : calls.length + logs.length === 0;
  const isOpen = failed.has(frame) || !tree.isLong;
  const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
  const place = findPlace(explained, tree);
  const node: CallNode = {
    parent,
    account: frame.to,
    copyText: sanitizeText([title, ...details].join(' · '), MAX_TEXT_CHARS),
    row: {
      ...createRow(sanitizeText(title, MAX_TEXT_CHARS), 'symbol-method', {
        description: sanitizeText(details.join(' · '), MAX_TEXT_CHARS),
      }),
      iconPath: createIcon(frame),
      accessibleLabel: [getTypeName(frame), title, ...details].join(', '),
      tooltip: () => [
        `${getTypeName(frame)} ${title}`,
        frame.to && toChecksumAddress(frame.to),
        result && `→ ${result}`,
        failure,
        value,
        gas,
        storage,
      ],
      collapsibleState: isLeaf ? None : isOpen ? Expanded : Collapsed,
      tokens: listRowTokens({ value: true, address: frame.to !== undefined }),
      ...(place && { command: createGoTo(place) }),
    },
    listChildren: once(() => listChildren(explained, { tree, parent: node, isUndone })),
  };
  return node;
}

function listChildren(explained: ExplainedFrame, position: Position): readonly CallNode[] {
  const inside = listShown(explained, position);
  const nodes = inside
    .slice(0, MAX_ROWS)
    .map((step) =>
      'log' in step
        ? createLogNode(step.log, { ...position, isUndone: step.isUndone })
        : createCallNode(step.explained, { ...position, isUndone: step.isUndone }),
    );
  const left = inside.length - nodes.length;
  return left > 0 ? [...nodes, createMoreNode(left, position.parent)] : nodes;
}

/** The calls and logs of a call; if filtered, logs of the contract only. */
function listShown(explained: ExplainedFrame, { tree, isUndone }: Pick<Position, 'tree' | 'isUndone'>) {
  const inside = listInside({ explained, level: 0, isUndone });
  const { filtered } = tree;
  if (!filtered) return inside;
  const hasLogs = explained.frame.to === filtered.to;
  return inside.filter((step) => ('log' in step ? hasLogs : filtered.calls.has(step.explained)));
}

function createLogNode(log: DecodedLog, { tree, parent, isUndone }: Position): CallNode {
  const { context } = tree;
  const text = formatLog({ log, isUndone, level: 0 }, context);
  const place = 'reason' in log ? undefined : context.format.placeOf(log.origin);
  return {
    parent,
    account: undefined,
    copyText: text,
    row: {
      ...createRow(text, 'symbol-event'),
      tokens: listRowTokens({ value: true }),
      ...(place && { command: createGoTo(place) }),
    },
    listChildren: () => [],
  };
}

function createMoreNode(left: number, parent: CallNode | undefined): CallNode {
  const text = vscode.l10n.t('{0} more are not shown', groupDigits(left));
  return {
    parent,
    account: undefined,
    copyText: text,
    row: createRow(text, 'ellipsis'),
    listChildren: () => [],
  };
}

/** The row above filtered calls, which says so. A click opens the filter. */
function createFilterNode({ name, count }: CallFilter): CallNode {
  const { l10n } = vscode;
  const text = l10n.t('Only calls to {0}', name);
  const row = createRow(text, 'filter-filled', { description: formatCount(count) });
  return {
    ...{ parent: undefined, account: undefined, copyText: text },
    row: {
      ...row,
      command: createCommand('chainside.filterCalls', l10n.t('Filter Calls by Contract…')),
    },
    listChildren: () => [],
  };
}

function createGoTo(place: OriginLocation): vscode.Command {
  return createCommand('chainside.goToPlace', vscode.l10n.t('Go to File'), place);
}

/** The line that failed, for the call that failed there; else the declaration of the function. */
function findPlace(
  { frame, call }: ExplainedFrame,
  { trace: { failedAt }, innermost, context: { format, uriOf } }: Tree,
): OriginLocation | undefined {
  if (frame === innermost && failedAt?.certain) {
    const uri = uriOf(failedAt.file);
    if (uri !== undefined) return { file: uri, line: failedAt.line - 1 };
  }
  return call && format.placeOf(call.origin);
}

const icons: Readonly<Record<CallFrame['type'], string>> = {
  CALL: 'symbol-method',
  STATICCALL: 'eye',
  DELEGATECALL: 'references',
  CALLCODE: 'references',
  CREATE: 'new-file',
  CREATE2: 'new-file',
  SELFDESTRUCT: 'trash',
  UNKNOWN: 'question',
};

function createIcon({ error, type }: CallFrame): vscode.ThemeIcon {
  return error === undefined
    ? createPlainIcon(icons[type])
    : new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
}

/** VS Code identifies a row by its object, so the rows of a list are created once. */
function once<T>(create: () => T): () => T {
  let created: { readonly value: T } | undefined;
  return () => {
    created ??= { value: create() };
    return created.value;
  };
}
