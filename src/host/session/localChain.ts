import type * as vscode from 'vscode';
import { isLoopbackUrl } from '../../core/index.ts';
import type { Session } from './session.ts';

/** The latest block of the active network, as far as it is known. */
export interface LatestBlock {
  readonly state: { readonly head?: { readonly block: bigint }; readonly error?: unknown };
  readonly onDidChange: vscode.Event<void>;
  readonly read: () => Promise<unknown>;
}

/** A longer chain on this machine may be a fork, whose node asks another server for each block. */
export const MAX_LOCAL_BLOCKS = 100_000n;

/** Whether the chosen network is a chain of this machine. */
export function isOnLocalChain({ isChosen, network }: Pick<Session, 'isChosen' | 'network'>): boolean {
  return isChosen && isLoopbackUrl(network.rpcUrl);
}

/** The latest block of a development chain of this machine, as far as it is known; undefined on another chain. */
export function getLocalBlock({
  session,
  head,
}: {
  readonly session: Pick<Session, 'isChosen' | 'network'>;
  readonly head: Pick<LatestBlock, 'state'>;
}): bigint | undefined {
  const block = isOnLocalChain(session) ? head.state.head?.block : undefined;
  return block !== undefined && block <= MAX_LOCAL_BLOCKS ? block : undefined;
}
