import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { IndexedDeployment } from '../../core/index.ts';

/** Records of deployments that the user does not want to see, per workspace. */
export interface HiddenDeployments extends vscode.Disposable {
  has(deployment: IndexedDeployment): boolean;
  hide(deployments: readonly IndexedDeployment[]): Promise<void>;
  readonly onDidChange: vscode.Event<void>;
}

const STATE_KEY = 'chainside.contracts.hidden';
/** The oldest are dropped first. */
const MAX_HIDDEN = 2_000;
const Stored = z.catch(z.array(z.string().check(z.maxLength(400))), []);

export function createHiddenDeployments(state: vscode.Memento): HiddenDeployments {
  const changed = new vscode.EventEmitter<void>();
  let hidden = new Set(Stored.parse(state.get(STATE_KEY)));
  return {
    has: (deployment) => hidden.has(getKey(deployment)),
    async hide(deployments) {
      hidden = new Set([...hidden, ...deployments.map(getKey)].slice(-MAX_HIDDEN));
      await state.update(STATE_KEY, [...hidden]);
      changed.fire();
    },
    onDidChange: changed.event,
    dispose: () => changed.dispose(),
  };
}

/** A later deployment at the address is another record. */
function getKey({ chainId, address, contract, transaction }: IndexedDeployment): string {
  return [chainId, address, contract, transaction].join(' ');
}
