import { type AbiEvent, type AskedEvents, askedEvent } from '../../../core/index.ts';

/** What the columns of an answer are made of. */
export type Shape =
  /** A column for each argument of the one event that is asked for. */
  | { readonly kind: 'event'; readonly event: AbiEvent; readonly showsAddress: boolean }
  /** One column that tells each event in words. */
  | { readonly kind: 'mixed' }
  | { readonly kind: 'raw' };

/** More columns than a screen can show. */
const MOST_ARGUMENTS = 24;

export function shapeOf(asked: AskedEvents): Shape {
  const event = askedEvent(asked);
  if (!event || event.inputs.length === 0 || event.inputs.length > MOST_ARGUMENTS) return { kind: 'mixed' };
  return { kind: 'event', event, showsAddress: asked.filter.addresses.length !== 1 };
}
