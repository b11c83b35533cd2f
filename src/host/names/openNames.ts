import * as vscode from 'vscode';
import type { WorkspaceContracts } from '../contracts/workspaceContracts.ts';
import { Disposables } from '../disposables.ts';
import { readWithin } from '../loading/readWithin.ts';
import type { WorkspaceSearch } from '../places/workspaceSearch.ts';
import { type AddressNames, createAddressNames, type NameGiver } from './addressNames.ts';
import { standardNames } from './givenNames.ts';
import { constantNames, type MyLabels, myNames, namesOfContracts } from './nameGivers.ts';
import { TeamLabels } from './teamLabels.ts';

const standards: NameGiver = {
  names: () => standardNames,
  onDidChange: () => new vscode.Disposable(() => {}),
};

/** After this long names are taken as far as they are known. */
const BUDGET_MS = 300;

interface NamesDeps {
  readonly mine: MyLabels;
  readonly contracts: WorkspaceContracts;
  readonly search: WorkspaceSearch;
  readonly log: vscode.LogOutputChannel;
}

/** Names, and those who write some down. */
export interface OpenedNames extends AddressNames, vscode.Disposable {
  readonly contracts: WorkspaceContracts;
  readonly team: TeamLabels;
  /** The path by which a file is named. */
  pathOf(uri: vscode.Uri): string;
  /** Settles when all that gives names has been read once. */
  readonly ready: Promise<void>;
  /** Settles as `ready`, or after a moment: a large workspace is read for seconds. */
  soon(): Promise<unknown>;
}

/** The names of all addresses, from what the user, the team and the workspace say. */
export function openNames({ mine, contracts, search, log }: NamesDeps): OpenedNames {
  const disposables = new Disposables();
  // As the index names files: of two folders that are called the same, it tells one from the other.
  const pathOf = (uri: vscode.Uri) => contracts.pathOf(uri) ?? vscode.workspace.asRelativePath(uri);
  const team = disposables.add(new TeamLabels(log, pathOf));
  const constants = disposables.add(constantNames(search, pathOf));
  const names = disposables.add(
    createAddressNames({
      // Of the labels that the team's file and the index tell alike, those with a line come first.
      givers: [myNames(mine), team, namesOfContracts(contracts), constants, standards],
      deploymentsAt: (address) => contracts.known?.deploymentsAt(address) ?? [],
    }),
  );
  disposables.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void contracts.index()));
  const ready = async () => {
    await Promise.all([mine.ready, contracts.index(), team.ready(), constants.ready()]);
  };
  return {
    ...names,
    ...{ contracts, team, pathOf },
    get ready() {
      return ready();
    },
    soon: () => readWithin(BUDGET_MS, ready()),
    dispose: () => disposables.dispose(),
  };
}
