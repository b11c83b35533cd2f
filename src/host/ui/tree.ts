import * as vscode from 'vscode';
import { lazy } from '../../core/index.ts';
import type { RowToken } from '../../manifest.ts';
import { batchChanges } from '../timing.ts';
import { escapeUiError, escapeUiLines, escapeUiText, type Line } from './untrustedText.ts';

const MAX_LABEL_CHARS = 200;
const MAX_LINE_CHARS = 400;

/** A row of a view. */
export interface TreeRow
  extends Pick<vscode.TreeItem, 'id' | 'iconPath' | 'resourceUri' | 'collapsibleState' | 'command'> {
  /** For the menus. */
  readonly tokens?: readonly RowToken[];
  readonly label: string;
  readonly description: string;
  /** As a function where its words are of the moment: called when the pointer rests on the row. */
  readonly tooltip: readonly Line[] | (() => readonly Line[]);
  /** What a screen reader hears. */
  readonly accessibleLabel: string;
}

/** Gives a view its rows; an error becomes a notification of the editor. */
export interface TreeRowProvider<T> {
  /** Fires with a row that changed, with all that is in it; with undefined when all have. */
  readonly onDidChangeTreeData?: vscode.Event<T | undefined>;
  getTreeItem(node: T): TreeRow;
  getChildren(node?: T): Promise<T[]>;
  getParent?(node: T): T | undefined;
}

/** A view of rows in the side bar. They are loaded when the editor first asks for one, as when the view is first seen. */
export function openTreeView<T>(
  viewId: string,
  load: () => Promise<TreeRowProvider<T>>,
  options: { readonly showCollapseAll?: boolean } = {},
): vscode.TreeView<T> {
  const changed = new vscode.EventEmitter<T | T[] | undefined>();
  const tell = batchChanges<T>((nodes) => changed.fire(nodes));
  let loaded: TreeRowProvider<T> | undefined;
  const rows = lazy(async () => {
    loaded = await load();
    loaded.onDidChangeTreeData?.(tell);
    return loaded;
  });
  const treeDataProvider: vscode.TreeDataProvider<T> = {
    onDidChangeTreeData: changed.event,
    // At once where it can be: while a row is made anew, a command of its menu runs without it.
    getTreeItem: (node) =>
      loaded ? drawn(loaded.getTreeItem(node)) : rows().then((all) => drawn(all.getTreeItem(node))),
    resolveTreeItem: async (item, node) =>
      Object.assign(item, { tooltip: toTreeItem((await rows()).getTreeItem(node)).tooltip }),
    getChildren: async (node) => {
      try {
        return await (loaded ?? (await rows())).getChildren(node);
      } catch (error) {
        throw escapeUiError(error);
      }
    },
    getParent: async (node) => (await rows()).getParent?.(node),
  };
  return vscode.window.createTreeView(viewId, { ...options, treeDataProvider });
}

/** The row without a tooltip that is asked for later. */
function drawn(row: TreeRow): vscode.TreeItem {
  if (typeof row.tooltip !== 'function') return toTreeItem(row);
  const { tooltip: _, ...item } = toTreeItem({ ...row, tooltip: [] });
  return item;
}

/** The row as the editor takes it. */
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
