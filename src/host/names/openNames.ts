import * as vscode from 'vscode';
import { Disposables } from '../disposables.ts';
import type { WorkspaceSearch } from '../places/workspaceSearch.ts';
import type { Session } from '../session/session.ts';
import { type AddressNames, createAddressNames } from './addressNames.ts';
import { constantNames, type MyLabels, myNames, namesOfFacts } from './nameGivers.ts';
import { TeamLabels } from './teamLabels.ts';
import type { WorkspaceFacts } from './workspaceFacts.ts';

interface NamesDeps {
  readonly mine: MyLabels;
  readonly session: Session;
  readonly facts: WorkspaceFacts;
  readonly search: WorkspaceSearch;
  readonly log: vscode.LogOutputChannel;
}

/** Names, and those who write some down. */
export interface OpenedNames extends AddressNames, vscode.Disposable {
  readonly facts: WorkspaceFacts;
  readonly team: TeamLabels;
  /** Settles when all that gives names has been read once. */
  readonly ready: Promise<void>;
}

/** The names of all addresses, from what the user, the team and the workspace say. */
export function openNames({ mine, session, facts, search, log }: NamesDeps): OpenedNames {
  const disposables = new Disposables();
  const team = disposables.add(new TeamLabels(log));
  const constants = disposables.add(constantNames(search));
  const names = disposables.add(
    createAddressNames({
      givers: [myNames(mine, session), namesOfFacts(facts), team, constants],
      deploymentsAt: (address) => facts.known?.deploymentsAt(address) ?? [],
    }),
  );
  disposables.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void facts.index()));
  return {
    ...names,
    ...{ facts, team },
    get ready() {
      return Promise.all([mine.ready, facts.index()]).then(() => undefined);
    },
    dispose: () => disposables.dispose(),
  };
}
