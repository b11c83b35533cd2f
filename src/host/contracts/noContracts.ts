import { createContractIndex } from '../../core/index.ts';
import type { WorkspaceContracts } from './workspaceContracts.ts';

/** Contracts of no workspace. */
export function noContracts(): WorkspaceContracts {
  const index = createContractIndex();
  const nothing = { dispose() {} };
  return {
    index: async () => index,
    known: index,
    state: { kind: 'ready' },
    onDidChange: () => nothing,
    uriOf: () => undefined,
    pathOf: () => undefined,
    dispose() {},
  };
}
