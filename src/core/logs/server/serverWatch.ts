import { untilAborted } from '../../base/untilAborted.ts';
import type { RpcClient } from '../../rpc/rpcClient.ts';
import { type Dialect, type DialectMemory, isKnownByShape } from './dialect.ts';
import { type ProbeDeps, probeDialect } from './probe.ts';

/** Notices for one query that the server behind an address is not the one that is remembered. */
export interface ServerWatch {
  /** Asks the server what it is, once, and corrects the memory. */
  identify(signal: AbortSignal | undefined): Promise<void>;
  /** Takes the server as it is known now for the one that the query reads from. */
  begin(): void;
  /** Whether it has become another since, by its answers or by its own words. Asks only if it was asked before. */
  changed(signal: AbortSignal | undefined): Promise<boolean>;
  /** The same as far as it is known now, without asking. */
  hasChanged(): boolean;
}

export function watchServer(http: ProbeDeps, rpc: RpcClient, memory: DialectMemory): ServerWatch {
  let changesAtBegin = memory.changes();
  let asked: { readonly changes: number; readonly answer: Promise<void> } | undefined;

  async function ask(signal: AbortSignal | undefined): Promise<void> {
    const { told, sure } = await probeDialect(http, rpc, { signal });
    if (contradicts(memory.current(), told, sure)) memory.forget();
    memory.learn(told);
  }

  const hasChanged = () => changesAtBegin !== memory.changes();

  return {
    hasChanged,
    async identify(signal) {
      if (isKnownByShape(memory.current())) return;
      // What was told of the server before does not hold for the one that took its place.
      if (asked?.changes !== memory.changes()) {
        const answer = ask(signal).then(
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
    async changed(signal) {
      if (asked && !hasChanged() && !isKnownByShape(memory.current())) await ask(signal);
      return hasChanged();
    },
  };
}

/** A node is not held to its name: a provider has several kinds of them behind one address. */
function contradicts(known: Dialect, told: Partial<Dialect>, sure: boolean): boolean {
  if (known.family === 'unknown' || told.family === undefined) return false;
  if (known.family !== told.family) return true;
  if (told.family === 'node') return false;
  const otherVersion =
    known.version !== undefined && (told.version === undefined ? sure : known.version !== told.version);
  const otherRelease = known.release && told.release && String(known.release) !== String(told.release);
  return otherVersion || Boolean(otherRelease);
}
