import { type AbiLookup, joinLookups } from '../../core/index.ts';
import type { WorkspaceContracts } from './workspaceContracts.ts';

/** What the workspace knows as it is by now, and the bundled lists. */
export function knownLookup(contracts: Pick<WorkspaceContracts, 'known'>, bundled: AbiLookup): AbiLookup {
  const known = () => (contracts.known ? joinLookups(contracts.known.lookup, bundled) : bundled);
  return {
    events: (topic0, at) => known().events(topic0, at),
    errors: (selector, at) => known().errors(selector, at),
    functions: (selector, at) => known().functions(selector, at),
  };
}
