import type { AppError } from '../../base/errors.ts';
import type { Turn } from '../../base/turns.ts';
import type { Wait } from '../../base/waits.ts';
import type { HttpDeps, TimedAnswer } from '../../http/http.ts';
import { createPortalClient } from '../../portal/portalClient.ts';
import { createPortalRpc } from '../../portal/portalRpc.ts';
import { somePortal } from '../server/dialect.ts';
import type { DialectMemory } from '../server/dialectMemory.ts';
import type { ServerWatch } from '../server/serverWatch.ts';
import { createAskPortal } from './askPortal.ts';

interface PortalConnection {
  /** URL of the dataset. */
  readonly url: string;
  readonly http: HttpDeps;
  readonly memory: DialectMemory;
  readonly turn: Turn;
  readonly wait: Wait;
  readonly onAnswer: (answer: TimedAnswer, error: AppError | undefined) => void;
}

/** What a query asks a portal with, which is known for what it is by its URL and does not become another server. */
export function connectPortal({ url, http, memory, turn, wait, onAnswer }: PortalConnection) {
  memory.learn(somePortal);
  const portal = createPortalClient({ ...http, url, turn, wait, onAnswer });
  return {
    rpc: createPortalRpc(portal, url),
    askCovered: createAskPortal(portal, wait),
    server: alwaysTheSame,
  };
}

const alwaysTheSame: ServerWatch = {
  identify: async () => {},
  begin: () => undefined,
  changed: async () => false,
  hasChanged: () => false,
};
