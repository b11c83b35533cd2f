import * as vscode from 'vscode';
import { isLoopbackUrl } from '../../core/index.ts';
import type { Session } from '../../host/session/session.ts';
import type { FollowedHead } from './balances/visibleRows.ts';

interface RestartDeps {
  readonly head: Pick<FollowedHead, 'state' | 'onDidChange'>;
  readonly session: Pick<Session, 'network'> & { readonly onDidChange: vscode.Event<unknown> };
}

/** Notifies when a node on this machine may have been started anew, without what was deployed on it before. */
export function watchRestarts({ head, session }: RestartDeps, onRestart: () => void): vscode.Disposable {
  let block = head.state.head?.block;
  let hasFailed = false;
  const forget = () => {
    block = undefined;
    hasFailed = false;
  };
  return vscode.Disposable.from(
    session.onDidChange(forget),
    head.onDidChange(() => {
      const { head: newest, error } = head.state;
      hasFailed ||= error !== undefined;
      if (!newest || error !== undefined) return;
      const mayBeNew = block !== undefined && (hasFailed || newest.block < block);
      block = newest.block;
      hasFailed = false;
      if (mayBeNew && isLoopbackUrl(session.network.rpcUrl)) onRestart();
    }),
  );
}
