import type { Clock } from '../../core/index.ts';
import type { Session } from '../../host/session/session.ts';
import type { KeyState } from '../../host/session/sourceAccess.ts';
import type { HeadStore } from './headStore.ts';

/** Rows of the view, and those below the network. */
export const facts = ['network', 'failure', 'tryAgain', 'chooseAnother', 'tokenData'] as const;
export const networkFacts = ['block', 'chainId', 'endpoint', 'server'] as const;
export type Fact = (typeof facts)[number] | (typeof networkFacts)[number] | 'choose';

export interface ChainFacts {
  readonly session: Session;
  readonly head: HeadStore;
  readonly clock: Clock;
  readonly dataApi: KeyState | undefined;
}
