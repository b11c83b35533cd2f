import * as z from 'zod/mini';
import { parseAbiItem } from '../abi/item.ts';
import { AppError, asAppError, badInput, safeUrl, withProvider } from '../base/errors.ts';
import type { ProviderLabel } from '../base/provenance.ts';
import { joinUrl } from '../base/urls.ts';
import type { Hex } from '../eth/hex.ts';
import { fetchJson } from '../http/fetchJson.ts';
import { listField, optionalField } from '../http/fields.ts';
import { isHttpUrl } from '../networks/network.ts';
import type { HashRequest, NamedSignature, SignatureProvider } from '../verified/signatureCache.ts';
import type { ProviderOptions } from './provider.ts';

/** Names of one hash that are looked at: of four bytes there can be many, made to collide. */
const MAX_NAMES = 20;
const MAX_NAME_CHARS = 2048;

const Lookup = z.object({
  ok: z.literal(true),
  result: z.object({
    event: optionalField(z.record(z.string(), z.unknown())),
    function: optionalField(z.record(z.string(), z.unknown())),
  }),
});
const Name = z.object({
  name: z.string().check(z.maxLength(MAX_NAME_CHARS)),
  hasVerifiedContract: optionalField(z.boolean()),
});

/**
 * The names in an answer to a lookup, for the hashes that were asked: nothing is known of one that is null (of
 * functions) or an empty list (of events). A name that does not hash to its key is left out.
 *
 * @throws AppError `badResponse`.
 */
function parseSignatureNames(json: unknown, asked: HashRequest) {
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
    const read = entries.slice(0, MAX_NAMES).flatMap((entry) => readName(kind, entry, hash));
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

/** Hashes of one request: with 66 characters each, an address of 4 KiB. */
const MAX_HASHES_PER_REQUEST = 50;
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

/**
 * A client of Sourcify's database of signatures, `GET /signature-database/v1/lookup` (its OpenAPI description; the
 * interface that openchain had). Errors are asked as functions: both have four bytes.
 *
 * @throws AppError `badInput` for `signatureCache`.
 * @example
 * const client = createSignatureClient({ ...http, url, chainId: 1, key: undefined, throttle, revoked });
 * (await client.names({ events: [], selectors: ['0xa9059cbb'] })).selectors.get('0xa9059cbb');
 */
export function createSignatureClient(options: ProviderOptions): SignatureProvider {
  const { url: baseUrl, clock, revoked, throttle } = options;
  if (!isHttpUrl(baseUrl)) throw badInput('signatures', 'Not an http or https address.');
  const label: ProviderLabel = { name: 'signatures', origin: safeUrl(baseUrl), takesKey: false };

  function urlOf(events: readonly Hex[], selectors: readonly Hex[]): URL {
    return joinUrl(baseUrl, 'signature-database/v1/lookup', {
      ...(events.length > 0 && { event: events.join() }),
      ...(selectors.length > 0 && { function: selectors.join() }),
      filter: 'true',
    });
  }

  return {
    label,
    offers: { names: 'free' },
    async names(asked, { signal: askedUntil } = {}) {
      const signal = askedUntil ? AbortSignal.any([askedUntil, revoked]) : revoked;
      const events = new Map<Hex, readonly NamedSignature[]>();
      const selectors = new Map<Hex, readonly NamedSignature[]>();
      const wanted = [
        ...[...new Set(asked.events)].map((hash) => ({ kind: 'event', hash }) as const),
        ...[...new Set(asked.selectors)].map((hash) => ({ kind: 'function', hash }) as const),
      ];
      for (let at = 0; at < wanted.length; at += MAX_HASHES_PER_REQUEST) {
        const part = wanted.slice(at, at + MAX_HASHES_PER_REQUEST);
        const of = (kind: string) => part.filter((one) => one.kind === kind).map(({ hash }) => hash);
        const hashes = { events: of('event'), selectors: of('function') };
        try {
          const url = urlOf(hashes.events, hashes.selectors);
          const json = await fetchJson(options, url, {
            signal,
            throttle,
            maxBytes: MAX_RESPONSE_BYTES,
          });
          const read = parseSignatureNames(json, hashes);
          for (const [hash, names] of read.events) events.set(hash, names);
          for (const [hash, names] of read.selectors) selectors.set(hash, names);
        } catch (error) {
          throw withProvider(asAppError(error), label);
        }
      }
      return { source: label, readAt: clock.now(), events, selectors };
    },
  };
}
