import { type AbiLookup, mergeLookups } from '../../core/index.ts';
import type { WorkspaceContracts } from './workspaceContracts.ts';

/** What the workspace knows as it is by now, and the bundled lists. */
export function knownLookup(contracts: Pick<WorkspaceContracts, 'known'>, bundled: AbiLookup): AbiLookup {
  return mergeLookups(workspaceLookup(contracts), bundled);
}

/** What the workspace knows as it is by now. */
export function workspaceLookup(contracts: Pick<WorkspaceContracts, 'known'>): AbiLookup {
  return {
    events: (topic0, at) => contracts.known?.lookup.events(topic0, at) ?? [],
    errors: (selector, at) => contracts.known?.lookup.errors(selector, at) ?? [],
    functions: (selector, at) => contracts.known?.lookup.functions(selector, at) ?? [],
  };
}
