import type { Clock } from '../../../core/index.ts';
import type { Session } from '../../../host/session/session.ts';
import type { AddressNode } from './addressNodes.ts';

/** What the words of a figure take. */
export interface FigureContext {
  readonly session: Session;
  readonly clock: Pick<Clock, 'now'>;
  /** Called when words with an age in them are shown, of the row of an address or of one right under it. */
  readonly onTooltip: (row: AddressNode) => void;
}
