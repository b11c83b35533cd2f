import * as vscode from 'vscode';
import { groupDigits } from '../../../core/index.ts';
import { commandOf } from '../../../host/commands/commands.ts';
import type { Place } from '../../../host/commands/rowArguments.ts';
import { fileName } from '../../../host/files/fileName.ts';
import type { Line } from '../../../host/surface/harmless.ts';
import type { TreeRow } from '../../../host/surface/tree.ts';
import { row, tokensOf } from '../../../host/words/treeRow.ts';
import type { AddressNode, FileNode, PlaceNode } from './addressNodes.ts';

/** Files of up to so many addresses together are open when they are first seen. */
const FEW = 50;
/** Places that a tooltip has room for. */
const MOST_TOLD = 8;

/** A file with addresses: its name, its folder, how many there are. */
export function fileItem({ found, all }: FileNode): TreeRow {
  const { uri, addresses } = found;
  const path = vscode.workspace.asRelativePath(uri);
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const count = groupDigits(BigInt(addresses.length));
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  return {
    ...row(fileName(uri), 'file', {
      description: [folder, count].filter((part) => part !== '').join(' · '),
      tooltip: [
        path,
        addresses.length === 1 ? vscode.l10n.t('1 address') : vscode.l10n.t('{0} addresses', count),
      ],
    }),
    iconPath: vscode.ThemeIcon.File,
    resourceUri: uri,
    collapsibleState: all.count <= FEW ? Expanded : Collapsed,
  };
}

/** One of several places of an address; a click leads there. */
export function placeItem({ occurrence }: PlaceNode): TreeRow {
  return {
    ...row(placeWords(occurrence), 'go-to-file', { tooltip: [pathWords(occurrence)] }),
    tokens: tokensOf({ placed: true }),
    command: openPlace(occurrence),
  };
}

/** What stands behind the address of a row of the workspace, and in its tooltip; a click leads to its place. */
export function placedParts({ occurrence, placed }: AddressNode): {
  readonly words: readonly string[];
  readonly tooltip: readonly Line[];
  readonly command?: vscode.Command;
} {
  if (!occurrence) return { words: [], tooltip: [] };
  const { places = [] } = placed ?? {};
  const count = places.length > 1 ? [vscode.l10n.t('{0} places', places.length)] : [];
  const told = places.slice(0, MOST_TOLD).map(pathWords);
  const more = places.length > MOST_TOLD ? [vscode.l10n.t('{0} more places', places.length - MOST_TOLD)] : [];
  return {
    words: [placeWords(occurrence), ...count],
    tooltip: places.length > 0 ? [...told, ...more] : [pathWords(occurrence)],
    command: openPlace(occurrence),
  };
}

function openPlace(occurrence: Place): vscode.Command {
  return commandOf('chainside.goToPlace', vscode.l10n.t('Go to File'), { occurrence });
}

/** `Clones.sol:124` */
function placeWords({ uri, line }: Place): string {
  return `${fileName(uri)}:${line + 1}`;
}

function pathWords({ uri, line }: Place): string {
  return `${vscode.workspace.asRelativePath(uri)}:${line + 1}`;
}
