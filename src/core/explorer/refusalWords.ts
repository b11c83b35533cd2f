import * as z from 'zod/mini';
import type { AppError } from '../base/errors.ts';
import { optionalField } from '../values/outsideFields.ts';

const Refusal = z.object({
  message: optionalField(z.string()),
  error: optionalField(z.string()),
  // Since v10, of parameters that the description of a route does not have.
  errors: optionalField(
    z.array(z.object({ title: optionalField(z.string()), detail: optionalField(z.string()) })),
  ),
});

/**
 * An explorer's own words for why it refuses, out of the JSON of its answer; undefined where it has none.
 *
 * @example refusalWords({ message: 'Not found' }) // 'Not found'
 */
export function refusalWords(body: unknown): string | undefined {
  const said = Refusal.safeParse(body).data;
  const [first] = said?.errors ?? [];
  return said?.message ?? said?.error ?? first?.detail ?? first?.title;
}

/**
 * Whether an explorer says that a thing is not there, which is 404 in these very words. Any other 404 is of a route, or
 * of the whole interface where it is switched off.
 *
 * @example isThingMissing({ details: { status: 404, serverMessage: 'Not found' } }) // true
 */
export function isThingMissing({
  details: { status, serverMessage = '' },
}: Pick<AppError, 'details'>): boolean {
  return status === 404 && /^(?:block )?not found$/i.test(serverMessage.trim());
}
