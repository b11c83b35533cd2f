import { type AbiEvent, findQueriedEvent, type QueriedEventInput } from '../../../core/index.ts';

/** What the columns of an answer are made of. Where all logs are of one address, no column says so. */
export type Shape = { readonly showsAddress: boolean } & (
  | { readonly kind: 'event'; readonly event: AbiEvent }
  /** One column that tells each event in words. */
  | { readonly kind: 'mixed' }
  | { readonly kind: 'raw' }
);

/** More columns than a screen can show. */
const MOST_ARGUMENTS = 24;

export function shapeOf(asked: QueriedEventInput): Shape {
  const event = findQueriedEvent(asked);
  const showsAddress = asked.filter.addresses.length !== 1;
  if (!event || event.inputs.length === 0 || event.inputs.length > MOST_ARGUMENTS) {
    return { kind: 'mixed', showsAddress };
  }
  // A column for each argument of the one event that is asked for.
  return { kind: 'event', event, showsAddress };
}
