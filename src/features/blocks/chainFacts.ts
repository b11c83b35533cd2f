import type { Clock } from '../../core/index.ts';
import type { Credits } from '../../host/session/credits.ts';
import type { SecretState, Session } from '../../host/session/session.ts';
import type { KeyState } from '../../host/session/sourceAccess.ts';
import type { HeadStore } from './headStore.ts';

/** Rows of the view, and those below the network. */
export const facts = [
  ...(['network', 'failure', 'firstRemedy', 'secondRemedy'] as const),
  ...(['tryAgain', 'chooseAnother', 'tokenData'] as const),
] as const;
export const networkFacts = ['block', 'chainId', 'endpoint', 'secret', 'server'] as const;
export type Fact = (typeof facts)[number] | (typeof networkFacts)[number] | 'choose';

export interface ChainFacts {
  readonly session: Session;
  readonly head: HeadStore;
  readonly clock: Clock;
  readonly dataApi: KeyState | undefined;
  /** Whether the secret of the endpoint is stored. */
  readonly secret: SecretState | undefined;
  readonly credits: Pick<Credits, 'of'>;
}
