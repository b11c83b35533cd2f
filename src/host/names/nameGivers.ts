import * as vscode from 'vscode';
import type { Address } from '../../core/index.ts';
import type { WorkspaceContracts } from '../contracts/workspaceContracts.ts';
import type { Occurrence } from '../places/workspaceAddresses.ts';
import type { WorkspaceSearch } from '../places/workspaceSearch.ts';
import type { NameGiver } from './addressNames.ts';
import { namesOfConstants, namesOfDeployments, namesOfLabels, namesOfMine } from './givenNames.ts';

/** The labels that a user keeps for each chain. */
export interface MyLabels {
  readonly ready: Promise<void>;
  labelsOf(chainId: number): readonly (readonly [Address, string])[];
  readonly onDidChange: vscode.Event<void>;
}

export function myNames(mine: MyLabels): NameGiver {
  return {
    names: (chainId) => namesOfMine(mine.labelsOf(chainId), chainId),
    onDidChange: mine.onDidChange,
  };
}

export function namesOfContracts(contracts: WorkspaceContracts): NameGiver {
  return {
    names: () => [
      ...namesOfDeployments(contracts.known?.deployments ?? []),
      ...namesOfLabels(contracts.known?.labels ?? []),
    ],
    onDidChange: contracts.onDidRead,
  };
}

/** One that reads files, from the time that its names are first wanted. */
export interface ReadyGiver extends NameGiver {
  /** Settles when they have been read. */
  ready(): Promise<unknown>;
}

/** Constants of the code. Searched when names are first wanted, and then after each change. */
export function constantNames(
  search: WorkspaceSearch,
  pathOf: (uri: vscode.Uri) => string,
): ReadyGiver & vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  let found: readonly Occurrence[] = [];
  let looked: Promise<void> | undefined;

  async function look(): Promise<void> {
    const { occurrences } = await search.found();
    const constants = occurrences.filter(({ constant }) => constant !== undefined);
    if (isSame(found, constants)) return;
    found = constants;
    changed.fire();
  }
  const listening = search.onDidChange(() => {
    if (looked) looked = look();
  });

  // What an untrusted workspace says is told of none of its addresses.
  async function ready(): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    looked ??= look();
    await looked;
  }

  return {
    ready,
    names() {
      void ready();
      return vscode.workspace.isTrusted ? namesOfConstants(found, ({ uri }) => pathOf(uri)) : [];
    },
    onDidChange: changed.event,
    dispose: () => vscode.Disposable.from(listening, changed).dispose(),
  };
}

function isSame(one: readonly Occurrence[], other: readonly Occurrence[]): boolean {
  const text = ({ address, uri, line, constant }: Occurrence) => [address, uri, line, constant].join(' ');
  return one.length === other.length && one.every((place, at) => text(place) === text(other[at] ?? place));
}
