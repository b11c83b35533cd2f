import { EventEmitter, Uri } from 'vscode';
import { type ContractIndex, createContractIndex } from '../../../src/core/index.ts';
import type { IndexState } from '../../../src/host/contracts/indexedWorkspace.ts';
import type { WorkspaceContracts } from '../../../src/host/contracts/workspaceContracts.ts';

type FileFacts = NonNullable<Parameters<ContractIndex['put']>[1]>;

/** Contracts of a workspace that is in memory alone: what its files tell is put in by a test. */
export interface MemoryContracts extends WorkspaceContracts {
  put(path: string, facts: Partial<FileFacts> | undefined): void;
  become(state: IndexState): void;
}

export function memoryContracts(root = Uri.file('/workspace')): MemoryContracts {
  const index = createContractIndex();
  const changed = new EventEmitter<void>();
  const read = new EventEmitter<void>();
  let state: IndexState = { kind: 'ready' };
  return {
    index: async () => index,
    known: index,
    get state() {
      return state;
    },
    onDidChange: changed.event,
    onDidRead: read.event,
    uriOf: (path) => Uri.joinPath(root, path),
    pathOf: ({ path }) => (path.startsWith(`${root.path}/`) ? path.slice(root.path.length + 1) : undefined),
    put(path, facts) {
      index.put(path, facts && { contracts: [], deployments: [], labels: [], ...facts });
      changed.fire();
      if (state.kind !== 'reading') read.fire();
    },
    become(other) {
      const wasReading = state.kind === 'reading';
      state = other;
      changed.fire();
      if (wasReading && other.kind !== 'reading') read.fire();
    },
    dispose() {
      changed.dispose();
      read.dispose();
    },
  };
}
