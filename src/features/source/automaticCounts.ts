import type * as vscode from 'vscode';
import { isAppError } from '../../core/index.ts';
import { formatErrorForLog } from '../../host/log.ts';
import { getLocalBlock, isOnLocalChain, type LatestBlock } from '../../host/session/localChain.ts';
import type { Connection, Session } from '../../host/session/session.ts';
import {
  type CountedEvent,
  countEventGroup,
  type EventCountCache,
  groupCountedEvents,
} from './countEvents.ts';

interface CountDeps {
  readonly session: Session;
  readonly head: LatestBlock;
  readonly counts: EventCountCache;
  readonly log: vscode.LogOutputChannel;
  readonly eventsIn: (
    document: vscode.TextDocument,
    options: { readonly signal: AbortSignal },
  ) => Promise<readonly CountedEvent[]>;
}

/** The last count of a document: on which connection, at which block and of which events. */
interface Counted {
  readonly connection: Connection;
  readonly key: string;
}

/**
 * Counts the events of a document by itself on a development chain of this machine, and again after each block.
 * `onNewBlock` is called when the lenses of shown documents must be read again.
 */
export function createAutomaticCounts(deps: CountDeps, onNewBlock: () => void) {
  const { session, head, counts, log, eventsIn } = deps;
  const counted = new WeakMap<vscode.TextDocument, Counted>();
  let lastBlock: bigint | undefined;

  const getBlock = () => getLocalBlock(deps);

  const subscription = head.onDidChange(() => {
    const block = getBlock();
    if (block === lastBlock) return;
    lastBlock = block;
    if (block !== undefined) onNewBlock();
  });

  return {
    /** Does nothing if the same events of the document were counted at the same block. */
    async count(document: vscode.TextDocument): Promise<void> {
      const { connection } = session;
      const { network, signal } = connection;
      if (!isOnLocalChain(session)) return;
      try {
        const groups = groupCountedEvents(await eventsIn(document, { signal }), network.chainId);
        if (groups.length > 0 && !head.state.head) await head.read();
        const block = getBlock();
        if (block === undefined) return;
        const declarations = groups.flatMap(({ events }) => events.map(({ declaration }) => declaration));
        const key = [block, ...groups.flatMap(({ addresses }) => addresses), ...declarations].join('\n');
        const before = counted.get(document);
        if (groups.length === 0 || (before?.connection === connection && before.key === key)) return;
        const counting: Counted = { connection, key };
        counted.set(document, counting);
        const options = { signal, onProgress: () => undefined };
        for (const group of groups) {
          const found = await countEventGroup(connection.client, group, options);
          // A later count has the newer numbers.
          if (counted.get(document) !== counting) return;
          counts.put(connection, found);
        }
      } catch (error) {
        counted.delete(document);
        if (!isAppError(error, 'aborted')) log.debug(formatErrorForLog(error));
      }
    },
    dispose: () => subscription.dispose(),
  };
}
