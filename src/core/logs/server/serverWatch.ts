import type { Abortable } from '../../base/abortable.ts';
import { untilAborted } from '../../base/untilAborted.ts';
import type { ExplorerDeps } from '../../explorer/explorerRoutes.ts';
import type { RpcClient } from '../../rpc/rpcClient.ts';
import { isKnownByShape, isOtherServer } from './dialect.ts';
import type { DialectMemory } from './dialectMemory.ts';
import { probeDialect } from './probe.ts';

/** Notices for one query that the server behind an address is not the one that is remembered. */
export interface ServerWatch {
  /** Asks the server what it is, once, and corrects the memory. */
  identify(options: Abortable): Promise<void>;
  /** Takes the server as it is known now for the one that the query reads from. */
  begin(): void;
  /** Whether it has become another since, by its answers or by its own words. Asks only if it was asked before. */
  changed(options: Abortable): Promise<boolean>;
  /** The same as far as it is known now, without asking. */
  hasChanged(): boolean;
}

export function watchServer(http: ExplorerDeps, rpc: RpcClient, memory: DialectMemory): ServerWatch {
  let changesAtBegin = memory.changes();
  let asked: { readonly changes: number; readonly answer: Promise<void> } | undefined;

  async function ask(options: Abortable): Promise<void> {
    const { told, sure } = await probeDialect(http, rpc, options);
    if (isOtherServer(memory.current(), told, sure)) memory.forget();
    memory.learn(told);
  }

  const hasChanged = () => changesAtBegin !== memory.changes();

  return {
    hasChanged,
    async identify({ signal }) {
      if (isKnownByShape(memory.current())) return;
      // What was learnt of the server before does not hold for the one that took its place.
      if (asked?.changes !== memory.changes()) {
        const answer = ask({ signal }).then(
          () => {
            asked = { changes: memory.changes(), answer };
          },
          (error: unknown) => {
            if (asked?.answer === answer) asked = undefined;
            throw error;
          },
        );
        asked = { changes: memory.changes(), answer };
      }
      // Whoever asked first may be another, whose signal is not the one that counts here.
      await untilAborted(asked.answer, signal);
    },
    begin() {
      changesAtBegin = memory.changes();
    },
    async changed(options) {
      if (asked && !hasChanged() && !isKnownByShape(memory.current())) await ask(options);
      return hasChanged();
    },
  };
}
