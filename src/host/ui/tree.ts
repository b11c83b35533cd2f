import * as vscode from 'vscode';
import { lazy } from '../../core/index.ts';
import type { ContextKey, RowToken } from '../../manifest.ts';
import { createContextKey } from '../commands.ts';
import { batchChanges } from '../timing.ts';
import { escapeUiError, escapeUiLines, escapeUiText, type Line } from './untrustedText.ts';

/**
 * Opens a tree view. Its provider is loaded when the editor first requests a row, which is when the view is first
 * visible.
 */
export function openTreeView<T>(
  viewId: string,
  load: () => Promise<TreeRowProvider<T>>,
  { readKey, ...options }: TreeViewOptions = {},
): vscode.TreeView<T> {
  const setRead = readKey && createContextKey(readKey);
  const changed = new vscode.EventEmitter<T | T[] | undefined>();
  const notifyChange = batchChanges<T>((nodes) => changed.fire(nodes));
  let provider: TreeRowProvider<T> | undefined;
  const loadProvider = lazy(async () => {
    provider = await load();
    provider.onDidChangeTreeData?.(notifyChange);
    return provider;
  });
  const treeDataProvider: vscode.TreeDataProvider<T> = {
    onDidChangeTreeData: changed.event,
    // Synchronous where possible: during an asynchronous refresh of a row, the commands of its menu run without the
    // row.
    getTreeItem: (node) =>
      provider
        ? toUnresolvedTreeItem(provider.getTreeItem(node))
        : loadProvider().then((loaded) => toUnresolvedTreeItem(loaded.getTreeItem(node))),
    resolveTreeItem: async (item, node) =>
      Object.assign(item, { tooltip: toTreeItem((await loadProvider()).getTreeItem(node)).tooltip }),
    getChildren: async (node) => {
      try {
        const rows = await (provider ?? (await loadProvider())).getChildren(node);
        setRead?.(true);
        return rows;
      } catch (error) {
        throw escapeUiError(error);
      }
    },
    getParent: async (node) => (await loadProvider()).getParent?.(node),
  };
  return vscode.window.createTreeView(viewId, { ...options, treeDataProvider });
}

interface TreeViewOptions {
  readonly showCollapseAll?: boolean;
  /** Set to true with the first rows: until then an empty view does not say that there is nothing. */
  readonly readKey?: ContextKey;
}

/** Provides the rows of a view; an error becomes a notification of the editor. */
export interface TreeRowProvider<T> {
  /** Fires with a row that changed, its children included; with undefined when all rows changed. */
  readonly onDidChangeTreeData?: vscode.Event<T | undefined>;
  getTreeItem(node: T): TreeRow;
  getChildren(node?: T): Promise<T[]>;
  getParent?(node: T): T | undefined;
}

export interface TreeRow
  extends Pick<vscode.TreeItem, 'id' | 'iconPath' | 'resourceUri' | 'collapsibleState' | 'command'> {
  /** For `when` clauses of menus. */
  readonly tokens?: readonly RowToken[];
  readonly label: string;
  readonly description: string;
  /** A function where the text changes with time: called when the pointer rests on the row. */
  readonly tooltip: readonly Line[] | (() => readonly Line[]);
  readonly accessibleLabel: string;
}

const MAX_LABEL_CHARS = 200;
const MAX_LINE_CHARS = 400;

/** Leaves out a tooltip that `resolveTreeItem` provides later. */
function toUnresolvedTreeItem(row: TreeRow): vscode.TreeItem {
  if (typeof row.tooltip !== 'function') return toTreeItem(row);
  const { tooltip: _, ...item } = toTreeItem({ ...row, tooltip: [] });
  return item;
}

/** Converts and escapes a row for the editor. */
export function toTreeItem({
  label,
  description,
  tooltip,
  accessibleLabel,
  command,
  tokens = [],
  ...rest
}: TreeRow): vscode.TreeItem {
  return {
    ...rest,
    ...(tokens.length > 0 && { contextValue: tokens.join(' ') }),
    label: escapeUiText(label, MAX_LABEL_CHARS),
    description: escapeUiText(description, MAX_LINE_CHARS),
    tooltip: escapeUiLines(typeof tooltip === 'function' ? tooltip() : tooltip, MAX_LINE_CHARS),
    accessibilityInformation: { label: escapeUiText(accessibleLabel, MAX_LINE_CHARS) },
    ...(command && { command: { ...command, title: escapeUiText(command.title, MAX_LABEL_CHARS) } }),
  };
}
