import * as z from 'zod/mini';
import { parseAbiItem } from '../../abi/read/parseAbiItem.ts';
import { AppError } from '../../base/errors.ts';
import type { Hex } from '../../values/hex.ts';
import { listField, optionalField } from '../../values/outsideFields.ts';
import type { AskedHashes, NamedSignature } from '../../verified/signatureSource.ts';

/** Names of one hash that are looked at: of four bytes there can be many, made to collide. */
const MOST_NAMES = 20;
const LONGEST_NAME = 2048;

const Lookup = z.object({
  ok: z.literal(true),
  result: z.object({
    event: optionalField(z.record(z.string(), z.unknown())),
    function: optionalField(z.record(z.string(), z.unknown())),
  }),
});
const Name = z.object({
  name: z.string().check(z.maxLength(LONGEST_NAME)),
  hasVerifiedContract: optionalField(z.boolean()),
});

/**
 * The names in an answer to a lookup, for the hashes that were asked: nothing is known of one that is null (of
 * functions) or an empty list (of events). A name that does not hash to its key is left out.
 *
 * @throws AppError `badResponse`.
 */
export function readNames(json: unknown, asked: AskedHashes) {
  const { data, error } = Lookup.safeParse(json);
  if (!data) {
    throw new AppError('badResponse', 'The answer is not one of a database of signatures.', { cause: error });
  }
  const { event = {}, function: functions = {} } = data.result;
  return {
    events: namesOf('event', event, asked.events),
    selectors: namesOf('error', functions, asked.selectors),
  };
}

function namesOf(
  kind: 'event' | 'error',
  found: Readonly<Record<string, unknown>>,
  asked: readonly Hex[],
): ReadonlyMap<Hex, readonly NamedSignature[]> {
  const names = new Map<Hex, readonly NamedSignature[]>();
  for (const hash of asked) {
    const entries = listField.safeParse(Object.hasOwn(found, hash) ? found[hash] : undefined).data ?? [];
    const read = entries.slice(0, MOST_NAMES).flatMap((entry) => readName(kind, entry, hash));
    const ranked = read.toSorted((a, b) => Number(b.isVerified) - Number(a.isVerified));
    if (ranked.length > 0) names.set(hash, ranked);
  }
  return names;
}

function readName(kind: 'event' | 'error', entry: unknown, hash: Hex): readonly NamedSignature[] {
  const { data } = Name.safeParse(entry);
  const item = data && parseAbiItem(`${kind} ${data.name}`);
  if (!data || !item) return [];
  const own = item.kind === 'event' ? item.topic0 : item.selector;
  if (own !== hash) return [];
  return [{ signature: item.signature, isVerified: data.hasVerifiedContract === true }];
}
